import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { isRolledOut, update } from '../incidents/rolling.js';
import { deadlockCauses, type Expected } from '../recorded-state.js';
import { type Act, act, patchesPod, queue, rollsOut, surges, trains, waitsAtTheGate } from './queue-acts.js';
import {
  gpu,
  makeClusterQueue,
  type RecordedQueue,
  readyNow,
  untilEvicted,
  untilWeb,
  updateQueued,
} from './queued-rollout.js';
import { holds, waitingQueues } from './waiting-queues.js';

const proven: Expected = {
  cause: 'queue-deadlock',
  minConfidence: 'proven',
  detail: { resource: gpu },
  remediation: { first: ['patch-strategy'], never: ['restart-rollout', 'exclude-nodes'] },
};
const likely: Expected = { cause: 'queue-deadlock', maxConfidence: 'likely', detail: { resource: gpu } };
const calm: Expected = { cause: null, never: [...deadlockCauses, 'scheduling-gated'] };

const isUpdated = act(async (scene) => {
  await updateQueued(scene);
  await untilWeb(scene, 'to be updated', (deployment, pods) => isRolledOut(deployment) && pods.length === 1);
});

/** Kueue gives a pod eight seconds to become ready, and the pods of the update never do. */
const readinessTimeout = {
  configuration: { waitForPodsReady: { timeout: '8s' } },
  diagnoseAfterSeconds: 4,
};
const neverReady = (evictions: number): readonly Act[] => [
  rollsOut(),
  act(({ cluster, shop }) => update(cluster, shop, 'web', {}, { [kubeletAnnotation.start]: 'not-ready' })),
  act((scene) => untilEvicted(scene, evictions)),
];

export const recordedQueues: readonly RecordedQueue[] = [
  queue(
    'deadlock-by-the-quota',
    'the new pod waits for the only GPU of the queue, which the old pod uses, beside free GPUs of the node',
    proven,
    1,
    surges(),
  ),
  queue(
    'deadlock-of-three-replicas',
    'three old pods use the quota of the queue, and one new pod waits for it',
    proven,
    3,
    surges({ replicas: 3 }),
  ),
  queue(
    'deadlock-of-two-new-pods',
    'two old pods use the quota, and Kueue evaluates one of the two new pods, which are equal',
    proven,
    2,
    surges({
      replicas: 2,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } },
    }),
  ),
  queue(
    'deadlock-where-borrowing-is-forbidden',
    'the cohort has quota to spare, and the queue may borrow none of it',
    proven,
    1,
    [act(({ cluster }) => makeClusterQueue(cluster, 'research', 4, { cohortName: 'all' })), ...surges()],
    { spec: { cohortName: 'all', quota: { borrowingLimit: '0' } } },
  ),
  queue(
    'deadlock-beside-another-quota',
    'another team uses the rest of the quota, and the new pod needs the GPUs of the old one as well',
    proven,
    3,
    [trains, ...surges({ gpus: 2 })],
  ),
  queue(
    'deadlock-beside-a-job',
    'a Job of another team uses the other GPU of the queue and may end',
    likely,
    2,
    [trains, ...surges()],
  ),
  queue(
    'deadlock-behind-another-workload',
    'a Job of another team waits in front of the new pod for the quota that the old pod uses',
    likely,
    1,
    // Kueue orders by seconds, and the Job comes first.
    [rollsOut(), trains, act(() => delay(1_100)), patchesPod({}), waitsAtTheGate],
  ),
  queue(
    'healthy-with-quota-to-spare',
    'the queue has quota for one pod more, and the rollout is complete',
    calm,
    2,
    [rollsOut(), isUpdated],
  ),
  queue(
    'healthy-admitted-and-starting',
    'the new pod was admitted and is starting beside the old one',
    calm,
    2,
    [
      rollsOut(),
      act(async (scene, old) => {
        const start = { [kubeletAnnotation.start]: 'container-creating' };
        await update(scene.cluster, scene.shop, 'web', {}, start);
        await untilWeb(scene, 'to start', (_, pods) =>
          pods.some(
            ({ metadata, spec }) => spec?.nodeName !== undefined && !old.includes(metadata?.name ?? ''),
          ),
        );
      }),
    ],
  ),
  queue('healthy-old-pod-first', 'the old pod stops first and gives its quota to the new one', calm, 1, [
    rollsOut({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }),
    isUpdated,
  ]),
  queue('healthy-gated-for-seconds', 'the new pod came to the gate seconds ago', calm, 1, surges(), {
    diagnoseAfterSeconds: 20,
  }),
  queue(
    'healthy-first-rollout',
    'three pods were admitted one after the other, and the queue is full',
    calm,
    3,
    [rollsOut({ replicas: 3 })],
  ),
  queue(
    'healthy-in-a-stopped-queue',
    'an administrator stopped the ClusterQueue, and the pods that it admitted run',
    calm,
    1,
    [rollsOut(), holds],
  ),
  queue(
    'healthy-beside-a-waiting-job',
    'a Job of another team waits for the quota that the complete rollout uses',
    calm,
    1,
    [rollsOut(), trains, act((scene) => untilWeb(scene, 'to be rolled out', isRolledOut))],
  ),
  queue(
    'healthy-after-an-eviction',
    'the new pod had a higher priority, so that Kueue evicted the old one for it',
    calm,
    1,
    [
      act(({ cluster }) =>
        cluster.create({
          apiVersion: 'kueue.x-k8s.io/v1beta2',
          kind: 'WorkloadPriorityClass',
          metadata: { name: 'high' },
          value: 100,
        } as KubernetesObject),
      ),
      rollsOut(),
      act(({ cluster, shop }) =>
        cluster.patch(
          { kind: 'Deployment', namespace: shop, name: 'web' },
          { spec: { template: { metadata: { labels: { 'kueue.x-k8s.io/priority-class': 'high' } } } } },
        ),
      ),
      act((scene) =>
        untilWeb(scene, 'to be updated', (deployment, pods) => isRolledOut(deployment) && pods.length === 1),
      ),
    ],
    { spec: { preemption: { withinClusterQueue: 'LowerPriority', reclaimWithinCohort: 'Never' } } },
  ),
  queue(
    'evicted-before-they-are-ready',
    'Kueue evicts each new pod, because it is not ready within the timeout of waitForPodsReady',
    { cause: 'evicted-by-kueue', never: deadlockCauses, mustMention: ['PodsReadyTimeout'] },
    2,
    neverReady(3),
    readinessTimeout,
  ),
  queue(
    'healthy-first-pod-evicted',
    'Kueue evicted the first new pod, and the second one is starting',
    { ...calm, never: [...deadlockCauses, 'evicted-by-kueue'] },
    2,
    neverReady(1),
    readinessTimeout,
  ),
  queue(
    'healthy-third-pod-ready-in-time',
    'Kueue evicted two new pods, and the third one was ready in time',
    { ...calm, never: [...deadlockCauses, 'evicted-by-kueue'] },
    2,
    [...neverReady(2), act(readyNow)],
    readinessTimeout,
  ),
  ...waitingQueues,
];
