import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { isRolledOut } from '../incidents/rolling.js';
import {
  act,
  patchesPod,
  queue,
  rollsOut,
  surges,
  surging,
  trains,
  waiting,
  waitsAtTheGate,
} from './queue-acts.js';
import {
  createJob,
  createQueued,
  gpu,
  makeClusterQueue,
  makeFlavor,
  makeLocalQueue,
  patchQueueObject,
  type Queued,
  queueLabel,
  type RecordedQueue,
  rollOutQueued,
  type Scene,
  untilGated,
  untilWeb,
  untilWorkloads,
  updateQueued,
} from './queued-rollout.js';

const patchesQueue = (spec: object) =>
  act(({ cluster }) => patchQueueObject(cluster, 'ClusterQueue', { name: 'team' }, { spec }));
export const holds = patchesQueue({ stopPolicy: 'Hold' });

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

/** A gated pod about which Kueue writes nothing. */
const waitsWithoutAnswer = act(async (scene, old) => {
  await untilWeb(scene, 'to have a gated pod', (_, pods) =>
    pods.some(
      ({ metadata, spec }) => (spec?.schedulingGates ?? []).length > 0 && !old.includes(metadata?.name ?? ''),
    ),
  );
  await delay(3_000);
});

const hostname = 'kubernetes.io/hostname';

/** Kueue places the pods of the flavor by node, and one node has its label. */
async function makeTopology({ cluster, shop }: Scene): Promise<void> {
  const nodeLabels = { 'example.com/gpu': 'a100' };
  const labels = { ...nodeLabels, [hostname]: 'gpu-a' };
  await cluster.createNodes({ name: 'gpu-a', allocatable: { [gpu]: '1' }, labels });
  await cluster.objects.create({
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kind: 'Topology',
    metadata: { name: 'hosts' },
    spec: { levels: [{ nodeLabel: hostname }] },
  } as KubernetesObject);
  await makeFlavor(cluster, 'a100', { nodeLabels, topologyName: 'hosts' });
  await makeClusterQueue(cluster, 'team', 3);
  await makeLocalQueue(cluster, shop, 'team');
}

/** New pods at their gate, for another reason than the quota of the old ones. */
export const waitingQueues: readonly RecordedQueue[] = [
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
    'nothing-admitted-until-others-are-ready',
    'Kueue admits nothing until the pods of a Job of another team are ready, and the queue has quota to spare',
    waiting('Kueue waits until the pods of', 'job-train-'),
    4,
    [rollsOut(), trains, patchesPod({}), waitsWithoutAnswer],
    { configuration: { waitForPodsReady: { timeout: '30m', blockAdmission: true } } },
  ),
  queue(
    'borrowed-quota-taken-back',
    'the Deployment had borrowed its GPU, and a Job of the team that owns the quota took it back',
    waiting('job-train-'),
    0,
    [
      act(async ({ cluster, research }) => {
        const preemption = { withinClusterQueue: 'Never', reclaimWithinCohort: 'Any' };
        await makeClusterQueue(cluster, 'research', 1, { cohortName: 'all', preemption });
        await makeLocalQueue(cluster, research, 'research', 'own');
      }),
      rollsOut(),
      act((scene) => createJob(scene, 'train', 1, 'own')),
      waitsAtTheGate,
    ],
    { spec: { cohortName: 'all' } },
  ),
  {
    id: 'no-place-in-the-topology',
    title: 'the queue has quota, and the only host of its topology has one GPU, which the old pod uses',
    expected: waiting('topology', 'a100'),
    reproduce: async (scene) => {
      await makeTopology(scene);
      const annotations = { 'kueue.x-k8s.io/podset-required-topology': hostname };
      const old = await rollOutQueued(scene, { strategy: surging, annotations });
      await updateQueued(scene);
      await untilGated(scene, old);
    },
  },
];
