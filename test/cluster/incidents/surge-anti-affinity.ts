import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

const messages = ["3 node(s) didn't match pod anti-affinity rules"];

export const surgeAntiAffinity: Incident = {
  id: 'surge-anti-affinity',
  title: 'three replicas with anti-affinity to each other use all three nodes',
  known: {
    cause: 'surge-deadlock',
    resource: 'podAntiAffinity',
    nodes: ['n-a', 'n-b', 'n-c'],
    messages,
    freedByStrategy: true,
  },
  bringAbout: async (cluster) => {
    const namespace = await cluster.createNamespace('surge-anti-affinity');
    await cluster.createNodes({ name: 'n-a' }, { name: 'n-b' }, { name: 'n-c' });
    const term = { labelSelector: { matchLabels: { app: 'broker' } }, topologyKey: 'kubernetes.io/hostname' };
    const holders = await rollOut(cluster, {
      namespace,
      name: 'broker',
      replicas: 3,
      pod: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } },
    });
    await update(cluster, namespace, 'broker');
    const stuck = await untilUnschedulable(cluster, namespace, 'broker', holders, messages);
    return { workload: deployment(namespace, 'broker'), holders, ...stuck };
  },
};
