import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

const messages = ['Scheduling is blocked due to non-empty scheduling gates'];

export const gatedPods: Incident = {
  id: 'gated-pods',
  title: 'the new pods wait for a scheduling gate that nobody removes',
  known: { cause: 'scheduling-gated', never: deadlocks, messages, stuckAfterSeconds: 60 },
  bringAbout: async (cluster) => {
    const namespace = await cluster.createNamespace('gated-pods');
    await cluster.createNodes({ name: 'n-a' });
    const before = await rollOut(cluster, { namespace, name: 'web' });
    await update(cluster, namespace, 'web', { schedulingGates: [{ name: 'queue.example/admission' }] });
    const stuck = await untilUnschedulable(cluster, namespace, 'web', before, messages);
    return { workload: deployment(namespace, 'web'), holders: [], ...stuck };
  },
};
