import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable } from './rolling.js';

const messages = ['2 Insufficient nvidia.com/gpu'];

export const scaleUp: Incident = {
  id: 'scale-up',
  title: 'no rollout at all: one more replica than there are GPUs',
  known: { cause: 'scale-up-pending', never: deadlocks, resource: 'nvidia.com/gpu', messages },
  bringAbout: async (cluster) => {
    const namespace = await cluster.createNamespace('scale-up');
    await cluster.createNodes({ name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '1' } }, { name: 'cpu-a' });
    const before = await rollOut(cluster, {
      namespace,
      name: 'inference',
      requests: { 'nvidia.com/gpu': '1' },
    });
    await cluster.patch({ kind: 'Deployment', namespace, name: 'inference' }, { spec: { replicas: 2 } });
    const stuck = await untilUnschedulable(cluster, namespace, 'inference', before, messages);
    return { workload: deployment(namespace, 'inference'), holders: [], ...stuck };
  },
};
