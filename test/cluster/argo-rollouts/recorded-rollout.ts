import type { Cluster } from '../harness/cluster.js';
import { untilUnschedulable } from '../incidents/rolling.js';
import type { Expected } from '../recorded-state.js';
import type { ArgoRollouts } from './start-controller.js';

/** A Rollout in a state that is recorded. */
export interface RecordedRollout {
  readonly id: string;
  readonly title: string;
  readonly expected: Expected;
  /** How long after the recording it is diagnosed. */
  readonly diagnoseAfterSeconds?: number;
  /**
   * Brings the state about in an empty cluster. Returns the names of the pods that hold what is waited for.
   */
  readonly reproduce: (cluster: Cluster, namespace: string, argo: ArgoRollouts) => Promise<readonly string[]>;
}

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
