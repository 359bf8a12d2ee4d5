import type { Sight } from '../../core/authorization/view.js';
import type { ResourceKind } from '../../core/cluster/cluster-objects.js';
import type { Snapshot, UnseenReason } from '../../core/cluster/snapshot.js';
import type { WorkloadKind, WorkloadRef } from '../../core/cluster/workload.js';

/** Why the cluster gave no answer at all. */
export interface Unreadable {
  readonly type: 'unreadable';
  readonly because: UnseenReason;
  /** The API's own words; foreign text. */
  readonly message: string;
  /** Milliseconds the API asked to wait. */
  readonly retryAfterMs?: number;
}

export interface NotFound {
  readonly type: 'not-found';
  /** `owner`: of a Pod or ReplicaSet that was named. */
  readonly what: 'cluster' | 'namespace' | 'workload' | 'owner';
  /** What was asked for. */
  readonly name: string;
  /** Nearest existing names, best first, as `namespace/name` or cluster names; at most five. */
  readonly nearest: readonly string[];
  /** The clusters that exist, where none has the name. */
  readonly known?: readonly string[];
}

/** A name as people type it. What is missing is looked for. */
export interface WorkloadQuery {
  readonly cluster?: string;
  readonly kind?: WorkloadKind;
  readonly namespace?: string;
  /** The name is that of such an object: the workload that owns it is meant. */
  readonly member?: 'Pod' | 'ReplicaSet';
  readonly name: string;
}

export type Found =
  | { readonly type: 'found'; readonly workloads: readonly WorkloadRef[] }
  | NotFound
  | Unreadable;

export interface ClusterReader {
  /** Names of the configured clusters, the default one first. */
  readonly clusters: readonly string[];
  /**
   * All workloads the query may mean; exactly one when it is unambiguous.
   *
   * @param sight of who asks: what it does not cover is not found and not named, with the same reads as what does not
   *   exist
   */
  find(query: WorkloadQuery, sight: Sight, signal?: AbortSignal): Promise<Found>;
  /** The picture of one workload. Reads that fail one by one end in `unseen`; only the workload itself must be readable. */
  snapshot(
    ref: WorkloadRef,
    needs: ReadonlySet<ResourceKind | 'PodLog'>,
    signal?: AbortSignal,
  ): Promise<{ readonly type: 'snapshot'; readonly snapshot: Snapshot } | NotFound | Unreadable>;
}
