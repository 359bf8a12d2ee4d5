import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import type { Expected, Recorded } from '../recorded-state.js';

/** A LeaderWorkerSet in a state that is recorded. */
export type RecordedSet = Recorded<[cluster: Cluster, namespace: string]>;

export const setName = 'inference';

/** A deadlock by the GPUs that an old group holds. */
export const gpuDeadlock: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: 'nvidia.com/gpu' },
  remediation: {
    first: ['patch-strategy'],
    never: ['scale-down-old', 'restart-rollout', 'exclude-nodes', 'undo-rollout'],
  },
};

/** A pod that is not among `before` is refused for want of a GPU, and every group has its other pods. */
export async function untilWithoutGpu(
  cluster: Cluster,
  namespace: string,
  before: readonly string[],
  pods: number,
): Promise<void> {
  await cluster.until<V1Pod, true>({
    what: `a new pod of ${namespace} to wait for a GPU, of ${pods} pods`,
    selection: { kind: 'Pod', namespace },
    check: (all) =>
      all.length === pods &&
      all.every(isSettled) &&
      all.some((pod) => !before.includes(pod.metadata?.name ?? '') && isRefused(pod)),
  });
}

const conditionOf = ({ status }: V1Pod, type: string) =>
  status?.conditions?.find((condition) => condition.type === type);

const isRefused = (pod: V1Pod): boolean => conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable';

export const isReady = (pod: V1Pod): boolean => conditionOf(pod, 'Ready')?.status === 'True';

const isSettled = (pod: V1Pod): boolean => isRefused(pod) || isReady(pod);
