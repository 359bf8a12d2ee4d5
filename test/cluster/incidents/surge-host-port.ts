import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

const messages = ["2 node(s) didn't have free ports for the requested pod ports"];

export const surgeHostPort: Incident = {
  id: 'surge-host-port',
  title: 'two replicas bind the host port on both nodes, and the surge pod finds no free one',
  known: {
    cause: 'surge-deadlock',
    resource: 'hostPort',
    nodes: ['edge-a', 'edge-b'],
    messages,
    freedByStrategy: true,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('surge-host-port');
    await cluster.createNodes({ name: 'edge-a' }, { name: 'edge-b' });
    const holders = await rollOut(cluster, {
      namespace,
      name: 'ingress',
      replicas: 2,
      container: { ports: [{ containerPort: 8443, hostPort: 443 }] },
    });
    await update(cluster, namespace, 'ingress');
    const stuck = await untilUnschedulable(cluster, namespace, 'ingress', holders, messages);
    return { workload: deployment(namespace, 'ingress'), holders, ...stuck };
  },
};
