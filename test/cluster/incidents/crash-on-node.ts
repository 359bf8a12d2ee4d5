import type { V1Pod } from '@kubernetes/client-node';
import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut } from './rolling.js';

const restarts = 6;
const bad = 'n-b';

const isCrashLooping = (pod: V1Pod): boolean => {
  const status = pod.status?.containerStatuses?.[0];
  return status?.state?.waiting?.reason === 'CrashLoopBackOff' && status.restartCount >= restarts;
};

export const crashOnNode: Incident = {
  id: 'crash-on-node',
  title: 'nine replicas on three nodes; the three on one node crash, the others never did',
  known: {
    cause: 'crash-loop-on-node',
    never: [...deadlocks, 'crash-loop-after-rollout'],
    nodes: [bad],
    messages: [],
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('crash-on-node');
    await cluster.createNodes({ name: 'n-a' }, { name: bad }, { name: 'n-c' });
    await rollOut(cluster, {
      namespace,
      name: 'worker',
      replicas: 9,
      pod: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'worker' } },
          },
        ],
      },
    });
    await cluster.controlPlane.setCrashLoops([{ nodes: [bad], exitCode: 139, restarts }]);
    const blocked = await cluster.until<V1Pod, string[]>({
      what: `three pods to crash-loop on ${bad}`,
      selection: { kind: 'Pod', namespace },
      check: (pods) => {
        const looping = pods.filter(isCrashLooping);
        return looping.length === 3 ? looping.map((pod) => pod.metadata?.name ?? '') : undefined;
      },
      deadlineMilliseconds: 60_000,
    });
    return { workload: deployment(namespace, 'worker'), holders: [], blocked, messages: [] };
  },
};
