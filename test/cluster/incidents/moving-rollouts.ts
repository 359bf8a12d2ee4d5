import type { V1Deployment } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deadlocks, deployment, type Incident } from './incident.js';
import { podNames, rollOut, untilRolledOut, update } from './rolling.js';

export const slowRollout: Incident = {
  id: 'slow-rollout',
  title: 'a rollout a few seconds old whose new pod is placed and still pulls its image',
  known: { cause: undefined, never: deadlocks, messages: [] },
  bringAbout: async (cluster) => {
    const namespace = await cluster.createNamespace('slow-rollout');
    await cluster.createNodes({ name: 'n-a' });
    const before = await rollOut(cluster, { namespace, name: 'web' });
    await update(cluster, namespace, 'web', {}, { [kubeletAnnotation.start]: 'container-creating' });
    await cluster.until<V1Deployment, true>({
      what: 'the new pod to be counted',
      selection: { kind: 'Deployment', namespace },
      check: ([one]) => one?.status?.updatedReplicas === 1 && one.status.replicas === 2,
    });
    const blocked = (await podNames(cluster, namespace, 'web')).filter((name) => !before.includes(name));
    return { workload: deployment(namespace, 'web'), holders: [], blocked, messages: [] };
  },
};

export const healthyRollout: Incident = {
  id: 'healthy-rollout',
  title: 'a rollout that has completed',
  known: { cause: undefined, never: deadlocks, messages: [] },
  bringAbout: async (cluster) => {
    const namespace = await cluster.createNamespace('healthy-rollout');
    await cluster.createNodes({ name: 'n-a' }, { name: 'n-b' });
    await rollOut(cluster, { namespace, name: 'web', replicas: 3 });
    await update(cluster, namespace, 'web');
    await untilRolledOut(cluster, namespace, 'web');
    return { workload: deployment(namespace, 'web'), holders: [], blocked: [], messages: [] };
  },
};
