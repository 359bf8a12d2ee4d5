import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deadlocks, deployment, type Happened, type Incident } from './incident.js';
import { podNames, rollOut } from './rolling.js';

const name = 'api';
const secondsAgo = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

/**
 * What the kubelet reports of a pod that started two hours ago and failed its readiness probe since `lost`
 * seconds. It was placed two hours ago as well: a pod placed a moment ago would count as one that still
 * starts.
 */
const notReadySince = (lost: number) => ({
  conditions: [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: secondsAgo(7200) },
    ...['Ready', 'ContainersReady'].map((type) => ({
      type,
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [app]',
      lastTransitionTime: secondsAgo(lost),
    })),
  ],
  containerStatuses: [
    {
      name: 'app',
      image: 'registry.example/app:1',
      imageID: '',
      ready: false,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: secondsAgo(7200) } },
    },
  ],
});

/** Three replicas with a readiness probe and no liveness probe; this many of them stop being ready. */
async function stopBeingReady(cluster: Cluster, label: string, count: number): Promise<Happened> {
  const namespace = await cluster.createNamespace(label);
  await cluster.createNodes({ name: 'n-a' }, { name: 'n-b' });
  await rollOut(cluster, {
    namespace,
    name,
    replicas: 3,
    container: { readinessProbe: { httpGet: { path: '/ready', port: 8080 } } },
  });
  const blocked = (await podNames(cluster, namespace, name)).toSorted().slice(0, count);
  for (const pod of blocked) await cluster.patchPodStatus(namespace, pod, notReadySince(1200));
  await cluster.until<V1Pod, true>({
    what: `${count} pods not to be ready`,
    selection: { kind: 'Pod', namespace },
    check: (pods) =>
      pods.filter(({ status }) =>
        status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'False'),
      ).length === count,
  });
  return { workload: deployment(namespace, name), holders: [], blocked, messages: [] };
}

const known = { cause: 'readiness-failing', never: deadlocks, messages: [] } as const;

export const lostReadiness: Incident = {
  id: 'lost-readiness',
  title: 'one of three pods was ready for 100 minutes, then stopped, and has no liveness probe',
  known,
  reproduce: (cluster) => stopBeingReady(cluster, 'lost-readiness', 1),
};

/** The near miss: a dependency of all pods is gone, and new pods would need it as well. */
export const lostReadinessTogether: Incident = {
  id: 'lost-readiness-together',
  title: 'all three pods stopped being ready in the same moment',
  known,
  reproduce: (cluster) => stopBeingReady(cluster, 'lost-together', 3),
};
