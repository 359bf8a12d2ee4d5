import type { V1Pod } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { calm, deadlockCauses, gpu, gpuNodes } from '../recorded-state.js';
import { type RecordedSet, untilWithoutGpu } from './recorded-set.js';
import { aMoment, createSet, patchSet, rollOutSet, untilReadyPods, untilSet, updateSet } from './rolling.js';

const surging = { maxSurge: 1, maxUnavailable: 0 };
/** A pod that its kubelet keeps from becoming ready. */
const starting = { [kubeletAnnotation.start]: 'container-creating' };
const noDeadlock = { never: deadlockCauses };

export const setsLikeDeadlocks: readonly RecordedSet[] = [
  {
    id: 'healthy',
    title: 'two groups of two pods that were updated',
    expected: calm,
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(2, 2, 2));
      await rollOutSet(cluster, { namespace, replicas: 2, size: 2, requests: gpu, rollingUpdate: surging });
      await updateSet(cluster, namespace, gpu);
      await untilSet(
        cluster,
        namespace,
        'updated',
        ({ status }) => status?.updatedReplicas === 2 && status.readyReplicas === 2 && status.replicas === 2,
      );
      await untilReadyPods(cluster, namespace, 4);
      await aMoment();
      return [];
    },
  },
  {
    id: 'surge-group-starts',
    title: 'the surge group has its places and is starting',
    expected: calm,
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(2, 2));
      await rollOutSet(cluster, { namespace, size: 2, requests: gpu, rollingUpdate: surging });
      await updateSet(cluster, namespace, gpu, { annotations: starting });
      await untilStarting(cluster, namespace, 2);
      return [];
    },
  },
  {
    id: 'old-group-first',
    title: 'the default strategy stops the old group first, and the new one is starting',
    expected: calm,
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(2));
      await rollOutSet(cluster, { namespace, size: 2, requests: gpu });
      await updateSet(cluster, namespace, gpu, { annotations: starting });
      await untilStarting(cluster, namespace, 2);
      return [];
    },
  },
  {
    id: 'held-by-partition',
    title: 'a partition holds the lower group back, and the higher one is updated',
    expected: { ...calm, informational: ['update-held-back'] },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(2));
      const rollingUpdate = { maxSurge: 0, maxUnavailable: 1, partition: 1 };
      await rollOutSet(cluster, { namespace, replicas: 2, requests: gpu, rollingUpdate });
      await updateSet(cluster, namespace, gpu);
      await untilSet(
        cluster,
        namespace,
        'updated down to the partition',
        ({ status }) => status?.updatedReplicas === 1 && status.readyReplicas === 2,
      );
      await untilReadyPods(cluster, namespace, 2);
      await aMoment();
      return [];
    },
  },
  {
    id: 'first-group-without-room',
    title: 'the worker of the first group finds no GPU, and there is no old group',
    expected: { ...noDeadlock, cause: 'insufficient-capacity' },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      await createSet(cluster, { namespace, size: 2, requests: gpu });
      await untilWithoutGpu(cluster, namespace, [], 2);
      await aMoment();
      return [];
    },
  },
  {
    id: 'update-and-scale-up',
    title: 'an update that also adds a group, for which there is no GPU however groups are replaced',
    expected: { ...noDeadlock, cause: 'insufficient-capacity' },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      const before = await rollOutSet(cluster, { namespace, requests: gpu });
      await updateSet(cluster, namespace, gpu, { spec: { replicas: 2 } });
      await untilWithoutGpu(cluster, namespace, before, 2);
      await aMoment();
      return [];
    },
  },
  {
    id: 'scaled-up-without-room',
    title: 'a further group of the same revision finds no GPU',
    expected: { ...noDeadlock, cause: 'insufficient-capacity' },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      const before = await rollOutSet(cluster, { namespace, requests: gpu });
      await patchSet(cluster, namespace, { replicas: 2 });
      await untilWithoutGpu(cluster, namespace, before, 2);
      await aMoment();
      return [];
    },
  },
  {
    id: 'larger-than-every-node',
    title: 'the surge group asks for more GPUs than a node has, with or without the old group',
    expected: { ...noDeadlock, cause: 'unsatisfiable-placement' },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(1));
      const before = await rollOutSet(cluster, { namespace, requests: gpu, rollingUpdate: surging });
      await updateSet(cluster, namespace, { 'nvidia.com/gpu': '2' });
      await untilWithoutGpu(cluster, namespace, before, 2);
      await aMoment();
      return [];
    },
  },
];

/** So many pods of the new image have a node and are not ready. */
async function untilStarting(
  cluster: Parameters<RecordedSet['reproduce']>[0],
  namespace: string,
  count: number,
): Promise<void> {
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
  await aMoment();
}
