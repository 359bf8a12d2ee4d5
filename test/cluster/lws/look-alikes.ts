import type { V1Pod } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { calm, deadlockCauses, type Expected, gpu, gpuNodes, withoutHolders } from '../recorded-state.js';
import { surging } from './other-deadlocks.js';
import { type RecordedSet, untilWithoutGpu } from './recorded-set.js';
import {
  aMoment,
  createSet,
  patchSet,
  rollOutSet,
  type SetOptions,
  untilReadyPods,
  untilSet,
  untilUpdated,
  updateSet,
} from './rolling.js';

/** A pod that its kubelet keeps from becoming ready. */
const starting = { [kubeletAnnotation.start]: 'container-creating' };
const without = (cause: CauseId): Expected => ({ never: deadlockCauses, cause });

/** A set of groups with GPUs on nodes with so many, after this. */
const onGpus = (
  nodes: readonly number[],
  options: Omit<SetOptions, 'namespace'>,
  then: (cluster: Cluster, namespace: string, before: readonly string[]) => Promise<unknown>,
): RecordedSet['reproduce'] =>
  withoutHolders(async (cluster: Cluster, namespace: string) => {
    await cluster.createNodes(...gpuNodes(...nodes));
    const before = await rollOutSet(cluster, { namespace, requests: gpu, ...options });
    await then(cluster, namespace, before);
    await aMoment();
  });

/** A second pod waits for the only GPU. */
const oneWaits = (
  options: Omit<SetOptions, 'namespace'>,
  change: (cluster: Cluster, namespace: string) => Promise<void>,
): RecordedSet['reproduce'] =>
  onGpus([1], options, async (cluster, namespace, before) => {
    await change(cluster, namespace);
    await untilWithoutGpu(cluster, namespace, before, 2);
  });

/** Its new pods are being created. */
const starts = async (cluster: Cluster, namespace: string): Promise<void> => {
  await updateSet(cluster, namespace, gpu, { annotations: starting });
  await untilStarting(cluster, namespace, 2);
};

export const setsLikeDeadlocks: readonly RecordedSet[] = [
  {
    id: 'healthy',
    title: 'two groups of two pods that were updated',
    expected: calm,
    reproduce: onGpus(
      [2, 2, 2],
      { replicas: 2, size: 2, rollingUpdate: surging },
      async (cluster, namespace) => {
        await updateSet(cluster, namespace, gpu);
        await untilUpdated(cluster, namespace, 2, 4);
      },
    ),
  },
  {
    id: 'surge-group-starts',
    title: 'the surge group has its places and is starting',
    expected: calm,
    reproduce: onGpus([2, 2], { size: 2, rollingUpdate: surging }, starts),
  },
  {
    id: 'old-group-first',
    title: 'the default strategy stops the old group first, and the new one is starting',
    expected: calm,
    reproduce: onGpus([2], { size: 2 }, starts),
  },
  {
    id: 'held-by-partition',
    title: 'a partition holds the lower group back, and the higher one is updated',
    expected: { ...calm, informational: ['update-held-back'] },
    reproduce: onGpus(
      [2],
      { replicas: 2, rollingUpdate: { maxSurge: 0, maxUnavailable: 1, partition: 1 } },
      async (cluster, namespace) => {
        await updateSet(cluster, namespace, gpu);
        await untilSet(
          cluster,
          namespace,
          'updated down to the partition',
          ({ status }) => status?.updatedReplicas === 1 && status.readyReplicas === 2,
        );
        await untilReadyPods(cluster, namespace, 2);
      },
    ),
  },
  {
    id: 'first-group-without-room',
    title: 'the worker of the first group finds no GPU, and there is no old group',
    expected: without('insufficient-capacity'),
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      await createSet(cluster, { namespace, size: 2, requests: gpu });
      await untilWithoutGpu(cluster, namespace, [], 2);
      await aMoment();
    },
  },
  {
    id: 'update-and-scale-up',
    title: 'an update that also adds a group, for which there is no GPU however groups are replaced',
    expected: without('insufficient-capacity'),
    reproduce: oneWaits({}, (cluster, namespace) =>
      updateSet(cluster, namespace, gpu, { spec: { replicas: 2 } }),
    ),
  },
  {
    id: 'scaled-up-without-room',
    title: 'a further group of the same revision finds no GPU',
    expected: without('insufficient-capacity'),
    reproduce: oneWaits({}, (cluster, namespace) => patchSet(cluster, namespace, { replicas: 2 })),
  },
  {
    id: 'larger-than-every-node',
    title: 'the surge group asks for more GPUs than a node has, with or without the old group',
    expected: without('unsatisfiable-placement'),
    reproduce: oneWaits({ rollingUpdate: surging }, (cluster, namespace) =>
      updateSet(cluster, namespace, { 'nvidia.com/gpu': '2' }),
    ),
  },
];

/** So many pods of the new image have a node and are not ready. */
async function untilStarting(cluster: Cluster, namespace: string, count: number): Promise<void> {
  await cluster.until<V1Pod, true>({
    what: `${count} new pods of ${namespace} to start`,
    selection: { kind: 'Pod', namespace },
    check: (pods) =>
      pods.filter(
        ({ spec, metadata }) =>
          spec?.containers[0]?.image === 'registry.example/app:2' &&
          spec.nodeName !== undefined &&
          metadata?.deletionTimestamp === undefined,
      ).length === count,
  });
}
