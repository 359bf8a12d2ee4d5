import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { isRolledOut, update } from '../incidents/rolling.js';
import { condition, gpu } from './played-kueue.js';
import {
  createQueued,
  deadlockCauses,
  type Expected,
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

/** Rolls the Deployment out, updates it, and waits until a new pod is gated. */
async function surge(scene: Scene, options: QueuedOptions = {}, pod: object = {}): Promise<string[]> {
  const before = await rollOutQueued(scene, { strategy: surging, ...options });
  await updateQueued(scene, pod);
  await untilGated(scene, before);
  return before;
}

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
  {
    id: 'deadlock-by-the-quota',
    title:
      'the new pod waits for the only GPU of the queue, which the old pod uses, beside free GPUs of the node',
    expected: proven,
    reproduce: async (scene) => {
      await prepare(scene, 1);
      return surge(scene);
    },
  },
  {
    id: 'deadlock-of-three-replicas',
    title: 'three old pods use the quota of the queue, and one new pod waits for it',
    expected: proven,
    reproduce: async (scene) => {
      await prepare(scene, 3);
      return surge(scene, { replicas: 3 });
    },
  },
  {
    id: 'deadlock-where-borrowing-is-forbidden',
    title: 'the cohort has quota to spare, and the queue may borrow none of it',
    expected: proven,
    reproduce: async (scene) => {
      await prepare(scene, 1, { cohortName: 'all', quota: { borrowingLimit: '0' } });
      await makeClusterQueue(scene.cluster, 'research', 4, { cohortName: 'all' });
      return surge(scene);
    },
  },
  {
    id: 'deadlock-beside-another-quota',
    title: 'another team uses the rest of the quota, and the new pod needs the GPUs of the old one as well',
    expected: proven,
    reproduce: async (scene) => {
      await prepare(scene, 3);
      await makeJobWorkload(scene, 'train', 1);
      return surge(scene, { gpus: 2 });
    },
  },
  {
    id: 'deadlock-beside-a-job',
    title: 'a Job of another team uses the other GPU of the queue and may end',
    expected: likely,
    reproduce: async (scene) => {
      await prepare(scene, 2);
      await makeJobWorkload(scene, 'train', 1);
      return surge(scene);
    },
  },
  {
    id: 'deadlock-behind-another-workload',
    title: 'a Job of another team waits in front of the new pod for the quota that the old pod uses',
    expected: likely,
    reproduce: async (scene) => {
      await prepare(scene, 1);
      const before = await rollOutQueued(scene, { strategy: surging });
      await makeJobWorkload(scene, 'train', 1);
      // Kueue orders by seconds, and the Job comes first.
      await delay(1_100);
      await updateQueued(scene);
      await untilGated(scene, before);
      return before;
    },
  },
  {
    id: 'healthy-with-quota-to-spare',
    title: 'the queue has quota for one pod more, and the rollout is complete',
    expected: calm,
    reproduce: async (scene) => {
      await prepare(scene, 2);
      await rollOutQueued(scene, { strategy: surging });
      await updateQueued(scene);
      await playUntil(
        scene,
        'to be updated',
        (deployment, pods) => isRolledOut(deployment) && pods.length === 1,
      );
      return [];
    },
  },
  {
    id: 'healthy-admitted-and-starting',
    title: 'the new pod was admitted and is starting beside the old one',
    expected: calm,
    reproduce: async (scene) => {
      await prepare(scene, 2);
      const before = await rollOutQueued(scene, { strategy: surging });
      await update(scene.cluster, scene.shop, 'web', {}, { [kubeletAnnotation.start]: 'container-creating' });
      await playUntil(scene, 'to start', (_, pods) =>
        pods.some(
          ({ metadata, spec }) => spec?.nodeName !== undefined && !before.includes(metadata?.name ?? ''),
        ),
      );
      return [];
    },
  },
  {
    id: 'healthy-old-pod-first',
    title: 'the old pod stops first and gives its quota to the new one',
    expected: calm,
    reproduce: async (scene) => {
      await prepare(scene, 1);
      await rollOutQueued(scene, {
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      });
      await updateQueued(scene);
      await playUntil(
        scene,
        'to be updated',
        (deployment, pods) => isRolledOut(deployment) && pods.length === 1,
      );
      return [];
    },
  },
  {
    id: 'healthy-gated-for-seconds',
    title: 'the new pod came to the gate seconds ago',
    expected: calm,
    diagnoseAfterSeconds: 20,
    reproduce: async (scene) => {
      await prepare(scene, 1);
      await surge(scene);
      return [];
    },
  },
  {
    id: 'healthy-first-rollout',
    title: 'three pods were admitted one after the other, and the queue is full',
    expected: calm,
    reproduce: async (scene) => {
      await prepare(scene, 3);
      await rollOutQueued(scene, { replicas: 3, strategy: surging });
      return [];
    },
  },
  {
    id: 'healthy-in-a-stopped-queue',
    title: 'an administrator stopped the ClusterQueue, and the pods that it admitted run',
    expected: calm,
    reproduce: async (scene) => {
      await prepare(scene, 1);
      await rollOutQueued(scene, { strategy: surging });
      await patchQueue(scene, { stopPolicy: 'Hold' });
      return [];
    },
  },
  {
    id: 'healthy-beside-a-waiting-job',
    title: 'a Job of another team waits for the quota that the complete rollout uses',
    expected: calm,
    reproduce: async (scene) => {
      await prepare(scene, 1);
      await rollOutQueued(scene, { strategy: surging });
      await makeJobWorkload(scene, 'train', 1);
      await playUntil(scene, 'to be rolled out', (deployment) => isRolledOut(deployment));
      return [];
    },
  },
  {
    id: 'quota-of-another-team',
    title: 'the new pod needs three GPUs, of which a Job of another team uses one for long',
    expected: waiting('job-train-1f2e3'),
    reproduce: async (scene) => {
      await prepare(scene, 3);
      await makeJobWorkload(scene, 'train', 1);
      await surge(scene, {}, withGpus(3));
      return [];
    },
  },
  {
    id: 'larger-than-the-queue',
    title: 'the new pod requests more GPUs than the queue has',
    expected: waiting('at most'),
    reproduce: async (scene) => {
      await prepare(scene, 2);
      await surge(scene, {}, withGpus(4));
      return [];
    },
  },
  {
    id: 'queue-on-hold',
    title: 'an administrator stopped the ClusterQueue before the update',
    expected: waiting('Hold'),
    reproduce: async (scene) => {
      await prepare(scene, 1);
      const before = await rollOutQueued(scene, { strategy: surging });
      await patchQueue(scene, { stopPolicy: 'Hold' });
      await updateQueued(scene);
      await untilGated(scene, before);
      await scene.kueue.writeStatus('Workload', await waitingWorkload(scene), {
        conditions: [condition('QuotaReserved', 'False', 'Suspended', 'ClusterQueue team is stopped')],
      });
      return [];
    },
  },
  {
    id: 'local-queue-that-does-not-exist',
    title: 'the first pods name a LocalQueue that nobody has made',
    expected: waiting('gpu-queue'),
    reproduce: async (scene) => {
      await prepare(scene, 1);
      await createQueued(scene, { labels: { 'kueue.x-k8s.io/queue-name': 'gpu-queue' } });
      await untilGated(scene, []);
      await scene.kueue.writeStatus('Workload', await waitingWorkload(scene), {
        conditions: [
          condition('QuotaReserved', 'False', 'Misconfigured', "LocalQueue gpu-queue doesn't exist"),
        ],
      });
      return [];
    },
  },
  {
    id: 'admission-check-pending',
    title: 'the new pod has its quota and waits for nodes of a ProvisioningRequest',
    expected: waiting('capacity'),
    reproduce: async (scene) => {
      await prepare(scene, 1);
      const before = await rollOutQueued(scene, { strategy: surging });
      await updateQueued(scene);
      await untilGated(scene, before);
      await patchQueue(scene, {
        resourceGroups: [
          {
            coveredResources: [gpu],
            flavors: [{ name: 'a100', resources: [{ name: gpu, nominalQuota: '2' }] }],
          },
        ],
      });
      await scene.kueue.writeStatus('Workload', await waitingWorkload(scene), {
        conditions: [
          condition('QuotaReserved', 'True', 'QuotaReserved', 'Quota reserved in ClusterQueue team'),
          condition(
            'Admitted',
            'False',
            'UnsatisfiedAdmissionChecks',
            'The workload has not all checks ready',
          ),
        ],
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
      });
      return [];
    },
  },
  {
    id: 'nodes-of-another-flavor',
    title: 'the node selector of the new pod excludes the only flavor of the queue',
    expected: waiting('a100'),
    reproduce: async (scene) => {
      await prepare(scene, 2);
      const before = await rollOutQueued(scene, { strategy: surging });
      await patchFlavor(scene, { nodeLabels: { 'example.com/gpu': 'a100' } });
      await patchQueue(scene, { stopPolicy: 'Hold' });
      await updateQueued(scene, { nodeSelector: { 'example.com/gpu': 'h100' } });
      await untilGated(scene, before);
      await patchQueue(scene, { stopPolicy: 'None' });
      await scene.kueue.writeStatus('Workload', await waitingWorkload(scene), {
        conditions: [
          condition(
            'QuotaReserved',
            'False',
            'NoMatchingFlavor',
            "couldn't assign flavors to pod set main: flavor a100 doesn't match node affinity",
          ),
        ],
      });
      return [];
    },
  },
  {
    id: 'kueue-may-evict',
    title: 'the new pod has a higher priority, and the queue lets it evict lower ones',
    expected: waiting('evict'),
    reproduce: async (scene) => {
      await prepare(scene, 1, {
        preemption: { withinClusterQueue: 'LowerPriority', reclaimWithinCohort: 'Never' },
      });
      const before = await rollOutQueued(scene, { strategy: surging });
      await scene.cluster.patch(
        { kind: 'Deployment', namespace: scene.shop, name: 'web' },
        { spec: { template: { metadata: { labels: { 'kueue.x-k8s.io/priority-class': 'high' } } } } },
      );
      await untilGated(scene, before);
      return [];
    },
  },
];

async function patchQueue(scene: Scene, spec: object): Promise<void> {
  await scene.kueue.patchSpec('ClusterQueue', 'team', spec);
}

async function patchFlavor(scene: Scene, spec: object): Promise<void> {
  await scene.kueue.patchSpec('ResourceFlavor', 'a100', spec);
}
