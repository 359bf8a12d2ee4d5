import type { V1Deployment } from '@kubernetes/client-node';
import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut, update } from './rolling.js';

export const pausedRollout: Incident = {
  id: 'paused-rollout',
  title: 'the template changed while the Deployment is paused',
  known: { cause: 'rollout-paused', never: deadlocks, messages: ['Deployment is paused'] },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('paused-rollout');
    await cluster.createNodes({ name: 'n-a' });
    await rollOut(cluster, { namespace, name: 'web' });
    await cluster.patch({ kind: 'Deployment', namespace, name: 'web' }, { spec: { paused: true } });
    await update(cluster, namespace, 'web');
    const message = await cluster.until<V1Deployment, string>({
      what: 'the controller to see the new template and do nothing',
      selection: { kind: 'Deployment', namespace },
      check: ([one]) => {
        const seen = (one?.status?.observedGeneration ?? 0) >= (one?.metadata?.generation ?? 1);
        const progressing = one?.status?.conditions?.find(({ type }) => type === 'Progressing');
        const idle = (one?.status?.updatedReplicas ?? 0) === 0;
        return seen && idle && progressing?.reason === 'DeploymentPaused' ? progressing.message : undefined;
      },
    });
    return { workload: deployment(namespace, 'web'), holders: [], blocked: [], messages: [message] };
  },
};
