import type { Beside } from '../harness/beside.js';
import type { Cluster } from '../harness/cluster.js';
import { untilUnschedulable } from '../incidents/rolling.js';
import type { Expected, Recorded } from '../recorded-state.js';

/** A Rollout in a state that is recorded. */
export type RecordedRollout = Recorded<[cluster: Cluster, namespace: string, argo: Beside]>;

export const rolloutName = 'inference';

/** A new pod is refused for want of a GPU. */
export async function untilWithoutGpu(
  cluster: Cluster,
  namespace: string,
  before: readonly string[],
): Promise<void> {
  await untilUnschedulable(cluster, namespace, rolloutName, before, ['Insufficient nvidia.com/gpu']);
}

/** A deadlock by the GPU that the old pod holds. */
export const gpuDeadlock: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: 'nvidia.com/gpu' },
};
