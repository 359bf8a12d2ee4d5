import type { KubernetesObject, V1ConfigMap, V1Pod } from '@kubernetes/client-node';
import { stringify } from 'yaml';
import { autoscalerStatusMap } from '#src/engine/objects/autoscaler-status.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { repeatUntilEnded } from '../forms/repeat-until-ended.js';
import { definePodGroups, playVolcano } from '../gangs/played-volcano.js';
import { deploymentManifest } from '../incidents/deployment-manifest.js';
import { podNames, rollOut, untilRolledOut, untilUnschedulable, update } from '../incidents/rolling.js';
import { recordedQueues } from '../kueue/recorded-queues.js';
import { startKueue } from '../kueue/start-controller.js';
import { gpu } from '../services/played-controllers.js';
import type { AddOn, Scene } from './add-on.js';

const oneGpu = { [gpu]: '1' };
const nothing = async (): Promise<undefined> => undefined;
const deployment = (shop: string, name = 'web'): WorkloadRef => ({
  cluster: 'test',
  kind: 'Deployment',
  namespace: shop,
  name,
});

/** The new pod waits for the only GPU, which the old pod uses. */
export async function deadlock({ cluster, shop }: Pick<Scene, 'cluster' | 'shop'>): Promise<void> {
  await cluster.createNodes({ name: 'gpu-a', allocatable: oneGpu });
  const before = await rollOut(cluster, { namespace: shop, name: 'web', requests: oneGpu });
  await update(cluster, shop, 'web');
  await untilUnschedulable(cluster, shop, 'web', before, [`Insufficient ${gpu}`]);
}

/** Three pods start in pairs, and the surge creates one. */
async function gang({ cluster, shop }: Scene): Promise<void> {
  await cluster.createNodes({ name: 'gpu-a', allocatable: { [gpu]: '4' } });
  const end = repeatUntilEnded(playVolcano(cluster, shop));
  const manifest = deploymentManifest({
    namespace: shop,
    name: 'web',
    replicas: 3,
    requests: oneGpu,
    pod: { schedulerName: 'volcano' },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  });
  const annotations = { 'scheduling.volcano.sh/group-min-member': '2' };
  await cluster.create({ ...manifest, metadata: { ...manifest.metadata, annotations } });
  await untilRolledOut(cluster, shop, 'web');
  const before = await podNames(cluster, shop, 'web');
  await update(cluster, shop, 'web');
  await untilUnschedulable(cluster, shop, 'web', before, []);
  await end();
}

/** A pod of a group of Coscheduling, with the words of that plugin. */
async function coscheduled({ cluster, shop }: Scene): Promise<void> {
  const manifest = deploymentManifest({ namespace: shop, name: 'train', pod: { schedulerName: 'gang' } });
  Object.assign(manifest.spec?.template.metadata?.labels ?? {}, { 'scheduling.x-k8s.io/pod-group': 'train' });
  await cluster.create(manifest);
  await cluster.create({
    apiVersion: 'scheduling.x-k8s.io/v1alpha1',
    kind: 'PodGroup',
    metadata: { namespace: shop, name: 'train' },
    spec: { minMember: 3 },
  } as KubernetesObject);
  const name = await cluster.until<V1Pod, string>({
    what: 'the pod of the group',
    selection: { kind: 'Pod', namespace: shop, labels: { app: 'train' } },
    check: ([pod]) => pod?.metadata?.name,
  });
  const message = 'rejected due to timeout after waiting at plugin Coscheduling';
  const lastTransitionTime = new Date().toISOString();
  await cluster.patchPodStatus(shop, name, {
    conditions: [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime },
    ],
  });
}

/** The one node group is at its maximum. */
const atTheMaximum = (): string => {
  const counts = { registered: { total: 1, ready: 1 } };
  const health = { status: 'Healthy', nodeCounts: counts, cloudProviderTarget: 1, minSize: 0, maxSize: 1 };
  const time = new Date(Date.now() + 110_000).toISOString().replace('T', ' ').replace('Z', ' +0000 UTC');
  return stringify(
    {
      time,
      autoscalerStatus: 'Running',
      nodeGroups: [{ name: 'gpu-pool', health, scaleUp: { status: 'NoActivity' } }],
    },
    { indentSeq: false },
  );
};

/** Add-ons that tell what becomes of pods that wait. */
export const scheduling: readonly AddOn[] = [
  {
    file: 'kueue/kueue.yaml',
    hasController: true,
    prepare: async (cluster) => (await startKueue(cluster)).stop,
    stage: async ({ cluster, shop }) => {
      const research = await cluster.createNamespace('research');
      const queue = recordedQueues.find(({ id }) => id === 'deadlock-where-borrowing-is-forbidden');
      await queue?.reproduce({ cluster, shop, research });
      return {
        asked: [
          { workload: deployment(shop), reviews: ['patch-strategy-in-place'], mentions: [/ClusterQueue/] },
        ],
      };
    },
    fix: 'patch-strategy-in-place',
  },
  {
    file: 'pod-groups/pod-groups.yaml',
    prepare: (cluster) => definePodGroups(cluster).then(nothing),
    stage: async (scene) => {
      await gang(scene);
      await coscheduled(scene);
      const { cluster, shop } = scene;
      return {
        asked: [
          {
            workload: deployment(shop),
            reviews: ['patch-strategy-recreate'],
            mentions: [/The PodGroup could not be read/],
          },
          { workload: deployment(shop, 'train'), mentions: [/needs at least 3 pods/] },
        ],
        startOthers: () => repeatUntilEnded(playVolcano(cluster, shop)),
      };
    },
    fix: 'patch-strategy-recreate',
  },
  {
    file: 'cluster-autoscaler/status.yaml',
    stage: async (scene) => {
      const { cluster, shop } = scene;
      await deadlock(scene);
      await cluster.create(deploymentManifest({ namespace: shop, name: 'more', requests: oneGpu }));
      await untilUnschedulable(cluster, shop, 'more', [], [`Insufficient ${gpu}`]);
      const annotations = { 'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true' };
      await cluster.patch({ kind: 'Node', name: 'gpu-a' }, { metadata: { annotations } });
      const metadata = { ...autoscalerStatusMap };
      await cluster.create<V1ConfigMap>({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { status: atTheMaximum() },
      });
      return {
        asked: [
          {
            workload: deployment(shop),
            reviews: ['patch-strategy-in-place'],
          },
          {
            workload: deployment(shop, 'more'),
            mentions: [/every node group of cluster-autoscaler is at its maximum/],
          },
        ],
      };
    },
    fix: 'patch-strategy-in-place',
  },
];
