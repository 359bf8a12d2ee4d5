import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

const messages = ['2 Insufficient nvidia.com/gpu', '1 No preemption victims found for incoming pod'];

export const surgeExtendedResource: Incident = {
  id: 'surge-extended-resource',
  title: 'the only GPU is held by the pod that the new one replaces',
  known: {
    cause: 'surge-deadlock',
    resource: 'nvidia.com/gpu',
    nodes: ['gpu-a'],
    messages,
    freedByStrategy: true,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('surge-gpu');
    await cluster.createNodes({ name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '1' } }, { name: 'cpu-a' });
    const holders = await rollOut(cluster, {
      namespace,
      name: 'inference',
      requests: { 'nvidia.com/gpu': '1' },
    });
    await update(cluster, namespace, 'inference');
    const stuck = await untilUnschedulable(cluster, namespace, 'inference', holders, messages);
    return { workload: deployment(namespace, 'inference'), holders, ...stuck };
  },
};
