import type { Sight } from '../../core/authorization/view.js';
import type { ResourceKind } from '../../core/cluster/cluster-objects.js';
import type { Snapshot, UnseenReason } from '../../core/cluster/snapshot.js';
import type { WorkloadRef } from '../../core/cluster/workload.js';
import type { NamedWorkload } from '../../core/command/command.js';

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
  readonly what: 'cluster' | 'namespace' | 'workload';
  /** What was asked for. */
  readonly name: string;
  /** Nearest existing names (`nearestTo`) as `namespace/name`, or of namespaces or clusters. */
  readonly nearest: readonly string[];
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
  find(query: NamedWorkload, sight: Sight, signal?: AbortSignal): Promise<Found>;
  /** The picture of one workload. Reads that fail one by one end in `unseen`; only the workload itself must be readable. */
  snapshot(
    ref: WorkloadRef,
    needs: ReadonlySet<ResourceKind | 'PodLog'>,
    signal?: AbortSignal,
  ): Promise<{ readonly type: 'snapshot'; readonly snapshot: Snapshot } | NotFound | Unreadable>;
}
