import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

const messages = ['2 Insufficient nvidia.com/gpu'];
const requests = { 'nvidia.com/gpu': '1' };

export const foreignHolder: Incident = {
  id: 'foreign-holder',
  title: 'the new template takes a GPU for the first time, and another workload has the only one',
  known: {
    cause: 'capacity-contention',
    never: deadlocks,
    resource: 'nvidia.com/gpu',
    nodes: ['gpu-a'],
    messages,
    freedByStrategy: false,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('foreign-holder');
    await cluster.createNodes({ name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '1' } }, { name: 'cpu-a' });
    const holders = await rollOut(cluster, { namespace, name: 'training', requests });
    const before = await rollOut(cluster, { namespace, name: 'web' });
    await update(cluster, namespace, 'web', {
      containers: [
        { name: 'app', image: 'registry.example/app:2', resources: { requests, limits: requests } },
      ],
    });
    const stuck = await untilUnschedulable(cluster, namespace, 'web', before, messages);
    return { workload: deployment(namespace, 'web'), holders, ...stuck };
  },
};
