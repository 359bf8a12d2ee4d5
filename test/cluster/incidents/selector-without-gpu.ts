import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

const messages = ['1 Insufficient nvidia.com/gpu', "1 node(s) didn't match Pod's node affinity/selector"];

export const selectorWithoutGpu: Incident = {
  id: 'selector-without-gpu',
  title: 'the new template requests a GPU on nodes that have none',
  known: {
    cause: 'unsatisfiable-placement',
    anyOf: ['unsatisfiable-placement', 'insufficient-capacity'],
    never: [...deadlocks, 'scale-up-pending'],
    messages,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('selector-without-gpu');
    await cluster.createNodes(
      { name: 'gpu-a', labels: { pool: 'gpu' }, allocatable: { 'nvidia.com/gpu': '1' } },
      { name: 'cpu-a', labels: { pool: 'cpu' } },
    );
    const requests = { 'nvidia.com/gpu': '1' };
    const before = await rollOut(cluster, { namespace, name: 'inference', requests });
    await update(cluster, namespace, 'inference', { nodeSelector: { pool: 'cpu' } });
    const stuck = await untilUnschedulable(cluster, namespace, 'inference', before, messages);
    return { workload: deployment(namespace, 'inference'), holders: [], ...stuck };
  },
};
