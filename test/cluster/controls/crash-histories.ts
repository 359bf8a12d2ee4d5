import type { V1Pod } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { Cluster } from '../harness/cluster.js';
import type { DeploymentOptions } from '../incidents/deployment-manifest.js';
import { rollOut } from '../incidents/rolling.js';
import { beforeEventsGo, type Control, hoursAfter } from './control.js';
import { fail, type KubeletEvent, recordEvents, restart } from './kubelet-acts.js';
import { settled } from './settled.js';
import { isReady, ref, untilPods } from './workloads.js';

interface History {
  readonly id: string;
  readonly title: string;
  readonly resembles: CauseId;
  readonly options?: Partial<DeploymentOptions>;
  /** Earlier events of its pods, on three nodes. */
  readonly happened: (cluster: Cluster, pods: readonly V1Pod[]) => Promise<void>;
  /** Pods that are Ready in the end. */
  readonly ready?: number;
  readonly diagnoseAfterSeconds?: number;
}

/** A Deployment that runs, after an earlier problem. */
function history(story: History): Control {
  const { id, title, resembles, options, happened, diagnoseAfterSeconds = hoursAfter } = story;
  const replicas = options?.replicas ?? 3;
  return {
    id,
    title,
    resembles,
    diagnoseAfterSeconds,
    reproduce: async (cluster) => {
      const namespace = await cluster.createNamespace(id);
      await cluster.createNodes({ name: 'n-a' }, { name: 'n-b' }, { name: 'n-c' });
      await rollOut(cluster, { namespace, name: 'web', replicas, ...options });
      const workload = ref('Deployment', { namespace, name: 'web' });
      await happened(cluster, await untilPods(cluster, workload, 'Ready', replicas, isReady));
      await untilPods(cluster, workload, 'Ready', story.ready ?? replicas, isReady);
      await settled(cluster, namespace);
      return workload;
    },
  };
}

/** The first pod's kubelet reported this once. */
function reportedOnce(
  id: string,
  title: string,
  resembles: CauseId,
  ...events: readonly KubeletEvent[]
): Control {
  return history({
    id,
    title,
    resembles,
    options: { replicas: 2 },
    diagnoseAfterSeconds: beforeEventsGo,
    happened: async (cluster, [first]) => {
      if (first !== undefined) await recordEvents(cluster, first, ...events);
    },
  });
}

/** The first pod ended like this, and has run since. */
function endedLike(
  id: string,
  title: string,
  resembles: CauseId,
  ended: Parameters<typeof restart>[2],
  options: Partial<DeploymentOptions> = {},
): Control {
  return history({
    id,
    title,
    resembles,
    options,
    happened: async (cluster, [first]) => {
      if (first !== undefined) await restart(cluster, first, ended);
    },
  });
}

/** The first pod failed and stays, with phase Failed, beside its successor. */
function leftBehind(id: string, title: string, resembles: CauseId, reason: string, message: string): Control {
  return history({
    id,
    title,
    resembles,
    options: { replicas: 2 },
    happened: async (cluster, [first]) => {
      if (first !== undefined) await fail(cluster, first, reason, message);
    },
  });
}

const warning = (reason: string, message: string, count = 1): KubeletEvent => ({
  type: 'Warning',
  reason,
  message,
  count,
});
const image = 'registry.example/app:1';

export const crashHistories: readonly Control[] = [
  endedLike(
    'crashed-once-long-ago',
    'one of three pods crashed once, seven hours ago, and runs since',
    'application-crash',
    { restarts: 1, exitCode: 1 },
  ),
  endedLike(
    'three-restarts-long-ago',
    'a pod waited for its database: three restarts in its first minute, none in the seven hours since',
    'crash-loop-on-node',
    { restarts: 3, exitCode: 1 },
  ),
  endedLike(
    'segfault-once-long-ago',
    'one pod of three had a segmentation fault seven hours ago',
    'crash-loop-on-node',
    { restarts: 1, exitCode: 139 },
  ),
  endedLike(
    'ended-well-once',
    'a program ended with 0 once, and its next run goes on for hours',
    'process-exits-zero',
    { restarts: 1, exitCode: 0, reason: 'Completed' },
    { replicas: 1 },
  ),
  endedLike(
    'liveness-restarted-once',
    'the liveness probe restarted a hanging container once, seven hours ago',
    'liveness-probe-kill',
    { restarts: 1, exitCode: 137 },
    { container: { livenessProbe: { httpGet: { path: '/live', port: 8080 } } } },
  ),
  endedLike(
    'startup-probe-restarted-once',
    'the startup probe failed once, and the second start was fast enough',
    'startup-probe-kill',
    { restarts: 1, exitCode: 143 },
    {
      container: {
        startupProbe: { httpGet: { path: '/live', port: 8080 }, failureThreshold: 3, periodSeconds: 10 },
      },
    },
  ),
  history({
    id: 'restarted-on-every-node-alike',
    title: 'each of three pods on three nodes was restarted once, seven hours ago: no node is worse',
    resembles: 'crash-loop-on-node',
    happened: async (cluster, pods) => {
      for (const pod of pods) await restart(cluster, pod, { restarts: 1, exitCode: 1 });
    },
  }),
  history({
    id: 'restarts-differ-by-chance',
    title: 'six pods, restarted 0 to 2 times on any node, all healthy for seven hours',
    resembles: 'crash-loop-on-node',
    options: { replicas: 6 },
    happened: async (cluster, pods) => {
      for (const [index, pod] of pods.entries()) {
        if (index % 3 > 0) await restart(cluster, pod, { restarts: index % 3, exitCode: 1 });
      }
    },
  }),
  leftBehind(
    'evicted-and-replaced',
    'a pod was evicted for disk pressure seven hours ago, and its successor runs; the Failed pod is left',
    'evicted',
    'Evicted',
    'The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 9Gi.',
  ),
  history({
    id: 'many-failed-pods-beside',
    title: 'five pods evicted seven hours ago are left beside three that run',
    resembles: 'evicted',
    happened: async (cluster, [first]) => {
      const { namespace = '' } = first?.metadata ?? {};
      for (let count = 0; count < 5; count += 1) {
        const web = ref('Deployment', { namespace, name: 'web' });
        const [pod] = await untilPods(cluster, web, 'Ready', 3, isReady);
        if (pod === undefined) continue;
        await fail(cluster, pod, 'Evicted', 'The node was low on resource: memory.');
      }
    },
  }),
  leftBehind(
    'rejected-and-replaced',
    'a kubelet refused a pod for want of cpu, and another took it; the Failed pod is left',
    'kubelet-rejected',
    'OutOfcpu',
    "Pod was rejected: Node didn't have enough resource: cpu, requested: 500, used: 7800, capacity: 8000",
  ),
  leftBehind(
    'shut-down-and-replaced',
    'a node was shut down gracefully, its pod was replaced, and is left as Failed',
    'node-not-ready',
    'Terminated',
    'Pod was terminated in response to imminent node shutdown.',
  ),
  reportedOnce(
    'pull-failed-once',
    'the registry was away for a moment: one failed pull, then the image came',
    'image-pull-failure',
    warning('Failed', `Failed to pull image "${image}": 503 Service Unavailable`),
    warning('Failed', 'Error: ErrImagePull'),
    { reason: 'Pulled', message: `Successfully pulled image "${image}" in 41.2s` },
    { reason: 'Started', message: 'Container started' },
  ),
  reportedOnce(
    'mount-failed-once',
    'the ConfigMap came a moment after the pod: two failed mounts, then it started',
    'mount-failure',
    warning(
      'FailedMount',
      'MountVolume.SetUp failed for volume "settings" : configmap "settings" not found',
      2,
    ),
    { reason: 'Started', message: 'Container started' },
  ),
  reportedOnce(
    'attach-failed-once',
    'the disk was still attached to another node for a moment, then it moved',
    'volume-attach-deadlock',
    warning(
      'FailedAttachVolume',
      'Multi-Attach error for volume "pv-data" Volume is already exclusively attached',
    ),
    { reason: 'SuccessfulAttachVolume', message: 'AttachVolume.Attach succeeded for volume "pv-data"' },
    { reason: 'Started', message: 'Container started' },
  ),
  reportedOnce(
    'config-came-late',
    'the Secret came a moment after the pod: CreateContainerConfigError once, then it started',
    'config-missing',
    warning('Failed', 'Error: secret "token" not found', 2),
    { reason: 'Started', message: 'Container started' },
  ),
  reportedOnce(
    'sandbox-failed-once',
    'the network plug-in was not up when the node came, and was a moment later',
    'sandbox-failure',
    warning('FailedCreatePodSandBox', 'Failed to create pod sandbox: plugin type="bridge" failed (add)'),
    { reason: 'Started', message: 'Container started' },
  ),
  reportedOnce(
    'not-ready-for-a-moment',
    'the readiness probe failed while the program warmed up, 50 minutes ago',
    'readiness-failing',
    warning('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', 4),
  ),
  reportedOnce(
    'placed-at-the-second-try',
    'no node had room for a moment; FailedScheduling is left, and so is the pod, on its node',
    'insufficient-capacity',
    warning('FailedScheduling', '0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate'),
  ),
  reportedOnce(
    'start-hook-failed-once',
    'a postStart hook failed once, and the container was started again at once',
    'bad-command',
    warning('FailedPostStartHook', 'PostStartHook failed'),
    { reason: 'Started', message: 'Container started' },
  ),
];
