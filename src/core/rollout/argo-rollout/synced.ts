import type { Pod } from '../../cluster/pod.js';
import type { RolloutStatus } from './next-status.js';

/** What a reconciliation ends with, beside its writes to ReplicaSets and Services. */
export interface Synced {
  readonly status: RolloutStatus;
  /** Pods that it evicts for `spec.restartAt`. */
  readonly evicted: readonly Pod[];
}
