import type { CountedPods, CountedTimes } from './counted-pods.js';
import type { DeploymentState } from './rollout-state.js';

/** A Deployment's rollout whose pods are only counted. Written by one simulation only. */
export interface CountedRollout {
  /** Its `pods` are empty: they are counted in `pods`. */
  state: DeploymentState;
  now: number;
  /** By the uid of their ReplicaSet. */
  readonly pods: Map<string, CountedPods>;
  /** Places for pods that no pod has. */
  free: number;
  readonly times: Omit<CountedTimes, 'now'>;
  /** Some pod became ready, or will, after its start was waited for. */
  hasStarts: boolean;
  /**
   * Pods that were created, deleted, placed or changed, and replicas by which ReplicaSets were resized, in
   * all.
   */
  moved: number;
}
