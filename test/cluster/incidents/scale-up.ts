import { setTimeout as delay } from 'node:timers/promises';
import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable } from './rolling.js';

const messages = ['2 Insufficient nvidia.com/gpu'];

export const scaleUp: Incident = {
  id: 'scale-up',
  title: 'no rollout at all: one more replica than there are GPUs',
  known: { cause: 'scale-up-pending', never: deadlocks, resource: 'nvidia.com/gpu', messages },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('scale-up');
    await cluster.createNodes({ name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '1' } }, { name: 'cpu-a' });
    const before = await rollOut(cluster, {
      namespace,
      name: 'inference',
      requests: { 'nvidia.com/gpu': '1' },
    });
    await untilNextSecond();
    await cluster.patch({ kind: 'Deployment', namespace, name: 'inference' }, { spec: { replicas: 2 } });
    const stuck = await untilUnschedulable(cluster, namespace, 'inference', before, messages);
    return { workload: deployment(namespace, 'inference'), holders: [], ...stuck };
  },
};

/**
 * The API's times are whole seconds; people scale later than in the second in which the first pod was made.
 */
async function untilNextSecond(): Promise<void> {
  await delay(1_000 - (Date.now() % 1_000));
}
