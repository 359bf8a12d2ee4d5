import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { isRolledOut, update } from '../incidents/rolling.js';
import { deadlockCauses, type Expected } from '../recorded-state.js';
import {
  createJob,
  createQueued,
  gpu,
  makeClusterQueue,
  patchQueueObject,
  prepare,
  type Queued,
  type QueuedOptions,
  queueLabel,
  type RecordedQueue,
  readyNow,
  rollOutQueued,
  type Scene,
  untilEvicted,
  untilGated,
  untilWeb,
  untilWorkloads,
  updateQueued,
} from './queued-rollout.js';

const surging = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
const proven: Expected = {
  cause: 'queue-deadlock',
  minConfidence: 'proven',
  detail: { resource: gpu },
  remediation: { first: ['patch-strategy'], never: ['restart-rollout', 'exclude-nodes'] },
};
const likely: Expected = { cause: 'queue-deadlock', maxConfidence: 'likely', detail: { resource: gpu } };
const waiting = (...mustMention: readonly string[]): Expected => ({
  cause: 'scheduling-gated',
  never: deadlockCauses,
  remediation: { never: ['patch-strategy', 'scale-down-old', 'restart-rollout'] },
  mustMention,
});
const calm: Expected = { cause: null, never: [...deadlockCauses, 'scheduling-gated'] };

/**
 * One thing that happens to `web` in its queue; `old` names the pods that it had first, once they are rolled
 * out.
 */
type Act = (scene: Scene, old: readonly string[]) => Promise<readonly string[] | undefined>;

const act =
  (does: (scene: Scene, old: readonly string[]) => Promise<unknown>): Act =>
  async (scene, old) => {
    await does(scene, old);
    return undefined;
  };

interface More {
  /** Fields of the ClusterQueue. */
  readonly spec?: object;
  /** Of the flavor and of the node. */
  readonly nodeLabels?: Readonly<Record<string, string>>;
  /** Of Kueue. */
  readonly configuration?: object;
  readonly diagnoseAfterSeconds?: number;
}

/**
 * In a queue of so many GPUs, one act after the other. Of a deadlock, the old pods hold what is waited for.
 */
function queue(
  id: string,
  title: string,
  expected: Expected,
  gpus: number,
  acts: readonly Act[],
  { spec, nodeLabels, ...more }: More = {},
): RecordedQueue {
  return {
    ...{ id, title, expected, ...more },
    reproduce: async (scene) => {
      await prepare(scene, gpus, spec, nodeLabels);
      let old: readonly string[] = [];
      for (const happen of acts) old = (await happen(scene, old)) ?? old;
      return expected.cause === 'queue-deadlock' ? old : [];
    },
  };
}

const trains = act((scene) => createJob(scene, 'train', 1));
const rollsOut =
  (options: QueuedOptions = {}): Act =>
  (scene) =>
    rollOutQueued(scene, { strategy: surging, ...options });
const waitsAtTheGate = act(untilGated);
const patchesPod = (pod: object) => act((scene) => updateQueued(scene, pod));
const surges = (options: QueuedOptions = {}, pod: object = {}): readonly Act[] => [
  rollsOut(options),
  patchesPod(pod),
  waitsAtTheGate,
];
const patchesQueue = (spec: object) =>
  act(({ cluster }) => patchQueueObject(cluster, 'ClusterQueue', { name: 'team' }, { spec }));
const holds = patchesQueue({ stopPolicy: 'Hold' });
const isUpdated = act(async (scene) => {
  await updateQueued(scene);
  await untilWeb(scene, 'to be updated', (deployment, pods) => isRolledOut(deployment) && pods.length === 1);
});

const withGpus = (gpus: number) => ({
  containers: [
    {
      name: 'app',
      image: 'registry.example/app:2',
      resources: { requests: { [gpu]: String(gpus) }, limits: { [gpu]: String(gpus) } },
    },
  ],
});

const check = 'capacity';
const checkName = { name: check };

/** A check whose controller is not Kueue's: cluster-autoscaler answers ProvisioningRequests. */
const checksCapacity = act(async ({ cluster }) => {
  await cluster.create({
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kind: 'AdmissionCheck',
    metadata: checkName,
    spec: { controllerName: 'example.com/capacity' },
  } as KubernetesObject);
  const message = 'The admission check is active';
  const lastTransitionTime = new Date().toISOString();
  const conditions = [{ type: 'Active', status: 'True', reason: 'Active', message, lastTransitionTime }];
  await patchQueueObject(cluster, 'AdmissionCheck', checkName, { status: { conditions } }, '/status');
  const admissionChecksStrategy = { admissionChecks: [checkName] };
  await patchQueueObject(cluster, 'ClusterQueue', { name: 'team' }, { spec: { admissionChecksStrategy } });
});

/** The controller of the check lets the first pod start. */
const rollsOutChecked = act(async (scene) => {
  const { cluster, shop } = scene;
  await createQueued(scene, { strategy: surging });
  const isPending = ({ status }: Queued) => status?.admissionChecks?.[0]?.state === 'Pending';
  await untilWorkloads(cluster, shop, 'a pending check', (all) => all.some(isPending));
  const { items } = await cluster.objects.list<Queued>('kueue.x-k8s.io/v1beta2', 'Workload', shop);
  const ready = { name: check, state: 'Ready', message: '', lastTransitionTime: new Date().toISOString() };
  for (const { metadata } of items)
    await patchQueueObject(
      cluster,
      'Workload',
      { namespace: shop, name: metadata?.name ?? '' },
      { status: { admissionChecks: [ready] } },
      '/status',
    );
  await untilWeb(scene, 'to be rolled out', isRolledOut);
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
    'quota-of-another-team',
    'the new pod needs three GPUs, of which a Job of another team uses one for long',
    waiting('job-train-'),
    3,
    [trains, ...surges({}, withGpus(3))],
  ),
  queue(
    'larger-than-the-queue',
    'the new pod requests more GPUs than the queue has',
    waiting('at most'),
    2,
    surges({}, withGpus(4)),
  ),
  queue('queue-on-hold', 'an administrator stopped the ClusterQueue before the update', waiting('Hold'), 1, [
    rollsOut(),
    holds,
    patchesPod({}),
    waitsAtTheGate,
  ]),
  queue(
    'local-queue-that-does-not-exist',
    'the first pods name a LocalQueue that nobody has made',
    waiting('gpu-queue'),
    1,
    [act((scene) => createQueued(scene, { labels: { [queueLabel]: 'gpu-queue' } })), waitsAtTheGate],
  ),
  queue(
    'admission-check-pending',
    'the new pod has its quota and waits for nodes of a ProvisioningRequest',
    waiting('capacity'),
    2,
    [
      checksCapacity,
      rollsOutChecked,
      patchesPod({}),
      act(({ cluster, shop }) =>
        untilWorkloads(cluster, shop, 'a second check', (all) =>
          all.some(({ status }) => status?.admissionChecks?.[0]?.state === 'Pending'),
        ),
      ),
      act(() => delay(1_500)),
    ],
  ),
  queue(
    'nodes-of-another-flavor',
    'the node selector of the new pod excludes the only flavor of the queue',
    waiting('a100'),
    2,
    [rollsOut(), patchesPod({ nodeSelector: { 'example.com/gpu': 'h100' } }), waitsAtTheGate],
    { nodeLabels: { 'example.com/gpu': 'a100' } },
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
];
