import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

const messages = [
  "1 node(s) didn't match pod topology spread constraints",
  '1 node(s) had untolerated taint',
];

/**
 * Spread counts the tainted zone as empty (`nodeTaintsPolicy: Ignore` is the default), so zone a may hold one
 * pod more than none: the old one. The surge pod would be the second.
 */
export const surgeTopologySpread: Incident = {
  id: 'surge-topology-spread',
  title: 'the spread allows one pod in the only zone that the workload may use, and the old pod is that one',
  known: {
    cause: 'surge-deadlock',
    resource: 'topologySpread',
    nodes: ['zone-a-1'],
    messages,
    freedByStrategy: true,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('surge-topology-spread');
    await cluster.createNodes(
      { name: 'zone-a-1', labels: { 'topology.kubernetes.io/zone': 'a' } },
      {
        name: 'zone-b-1',
        labels: { 'topology.kubernetes.io/zone': 'b' },
        taints: [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }],
      },
    );
    const holders = await rollOut(cluster, {
      namespace,
      name: 'api',
      pod: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'topology.kubernetes.io/zone',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'api' } },
          },
        ],
      },
    });
    await update(cluster, namespace, 'api');
    const stuck = await untilUnschedulable(cluster, namespace, 'api', holders, messages);
    return { workload: deployment(namespace, 'api'), holders, ...stuck };
  },
};
