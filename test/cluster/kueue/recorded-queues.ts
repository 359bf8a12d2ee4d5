import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { isRolledOut, update } from '../incidents/rolling.js';
import { deadlockCauses, type Expected } from '../recorded-state.js';
import { condition, gpu } from './played-kueue.js';
import {
  createQueued,
  isGated,
  makeClusterQueue,
  makeJobWorkload,
  playUntil,
  prepare,
  type QueuedOptions,
  type RecordedQueue,
  rollOutQueued,
  type Scene,
  untilGated,
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
  { spec, ...more }: More = {},
): RecordedQueue {
  return {
    ...{ id, title, expected, ...more },
    reproduce: async (scene) => {
      await prepare(scene, gpus, spec);
      let old: readonly string[] = [];
      for (const happen of acts) old = (await happen(scene, old)) ?? old;
      return expected.cause === 'queue-deadlock' ? old : [];
    },
  };
}

const trains = act((scene) => makeJobWorkload(scene, 'train', 1));
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
const patchesQueue = (spec: object) => act(({ kueue }) => kueue.patchSpec('ClusterQueue', 'team', spec));
const holds = patchesQueue({ stopPolicy: 'Hold' });
const isUpdated = act(async (scene) => {
  await updateQueued(scene);
  await playUntil(scene, 'to be updated', (deployment, pods) => isRolledOut(deployment) && pods.length === 1);
});

/** Kueue states this about the Workload of the gated pod. */
const isTold = (conditions: readonly Parameters<typeof condition>[], status: object = {}) =>
  act(async (scene) =>
    scene.kueue.writeStatus('Workload', await waitingWorkload(scene), {
      conditions: conditions.map((each) => condition(...each)),
      ...status,
    }),
  );
const isNotReserved = (reason: string, message: string) =>
  isTold([['QuotaReserved', 'False', reason, message]]);

const withGpus = (gpus: number) => ({
  containers: [
    {
      name: 'app',
      image: 'registry.example/app:2',
      resources: { requests: { [gpu]: String(gpus) }, limits: { [gpu]: String(gpus) } },
    },
  ],
});

/** The Workload of the gated pod. */
async function waitingWorkload({ cluster, shop }: Scene): Promise<{ namespace: string; name: string }> {
  const pods = await cluster.objects.list<V1Pod>('v1', 'Pod', shop);
  const uids = pods.items.filter(isGated).map(({ metadata }) => metadata?.uid);
  const { items } = await cluster.objects.list<KubernetesObject>('kueue.x-k8s.io/v1beta2', 'Workload', shop);
  const found = items.find(({ metadata }) =>
    metadata?.ownerReferences?.some(({ uid }) => uids.includes(uid)),
  );
  return { namespace: shop, name: found?.metadata?.name ?? '' };
}

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
        await playUntil(scene, 'to start', (_, pods) =>
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
    [rollsOut(), trains, act((scene) => playUntil(scene, 'to be rolled out', isRolledOut))],
  ),
  queue(
    'quota-of-another-team',
    'the new pod needs three GPUs, of which a Job of another team uses one for long',
    waiting('job-train-1f2e3'),
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
    isNotReserved('Suspended', 'ClusterQueue team is stopped'),
  ]),
  queue(
    'local-queue-that-does-not-exist',
    'the first pods name a LocalQueue that nobody has made',
    waiting('gpu-queue'),
    1,
    [
      act((scene) => createQueued(scene, { labels: { 'kueue.x-k8s.io/queue-name': 'gpu-queue' } })),
      waitsAtTheGate,
      isNotReserved('Misconfigured', "LocalQueue gpu-queue doesn't exist"),
    ],
  ),
  queue(
    'admission-check-pending',
    'the new pod has its quota and waits for nodes of a ProvisioningRequest',
    waiting('capacity'),
    1,
    [
      ...surges(),
      patchesQueue({
        resourceGroups: [
          {
            coveredResources: [gpu],
            flavors: [{ name: 'a100', resources: [{ name: gpu, nominalQuota: '2' }] }],
          },
        ],
      }),
      act((scene, old) =>
        isTold(
          [
            ['QuotaReserved', 'True', 'QuotaReserved', 'Quota reserved in ClusterQueue team'],
            ['Admitted', 'False', 'UnsatisfiedAdmissionChecks', 'The workload has not all checks ready'],
          ],
          {
            admission: {
              clusterQueue: 'team',
              podSetAssignments: [
                { name: 'main', count: 1, flavors: { [gpu]: 'a100' }, resourceUsage: { [gpu]: '1' } },
              ],
            },
            admissionChecks: [
              {
                name: 'capacity',
                state: 'Pending',
                message: 'Waiting for the ProvisioningRequest',
                lastTransitionTime: new Date().toISOString(),
              },
            ],
          },
        )(scene, old),
      ),
    ],
  ),
  queue(
    'nodes-of-another-flavor',
    'the node selector of the new pod excludes the only flavor of the queue',
    waiting('a100'),
    2,
    [
      rollsOut(),
      act(({ kueue }) =>
        kueue.patchSpec('ResourceFlavor', 'a100', { nodeLabels: { 'example.com/gpu': 'a100' } }),
      ),
      holds,
      patchesPod({ nodeSelector: { 'example.com/gpu': 'h100' } }),
      waitsAtTheGate,
      patchesQueue({ stopPolicy: 'None' }),
      isNotReserved(
        'NoMatchingFlavor',
        "couldn't assign flavors to pod set main: flavor a100 doesn't match node affinity",
      ),
    ],
  ),
  queue(
    'kueue-may-evict',
    'the new pod has a higher priority, and the queue lets it evict lower ones',
    waiting('evict'),
    1,
    [
      rollsOut(),
      act(({ cluster, shop }) =>
        cluster.patch(
          { kind: 'Deployment', namespace: shop, name: 'web' },
          { spec: { template: { metadata: { labels: { 'kueue.x-k8s.io/priority-class': 'high' } } } } },
        ),
      ),
      waitsAtTheGate,
    ],
    { spec: { preemption: { withinClusterQueue: 'LowerPriority', reclaimWithinCohort: 'Never' } } },
  ),
];
