import type { NamedWorkload } from '../../doctor/commands/command.js';
import type { ChildlessOwner } from '../../doctor/findings/owners.js';
import type { InputProblem } from '../../doctor/input/input-error.js';
import type { Sight } from '../../doctor/policy/view.js';
import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import type { Pod } from '../../engine/objects/pod.js';
import type { Snapshot, Unseen, UnseenReason } from '../../engine/objects/snapshot.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';

/** Why the cluster gave no answer at all. */
export interface Unreadable {
  readonly type: 'unreadable';
  readonly because: UnseenReason;
  /** The API's own words; foreign text. */
  readonly message: string;
  /** Milliseconds the API asked to wait. */
  readonly retryAfterMs?: number;
  /** Of a recording: where and why an object cannot be used. */
  readonly problem?: InputProblem;
}

export interface NotFound {
  readonly type: 'not-found';
  /** `owner`: of a Pod or ReplicaSet that was named. `below`: workloads of an object that exists. */
  readonly what: 'cluster' | 'namespace' | 'workload' | 'owner' | 'below';
  /** What was asked for. */
  readonly name: string;
  /** Nearest existing names (`nearestTo`) as `namespace/name`, or of namespaces or clusters. */
  readonly nearest: readonly string[];
  /** The clusters that exist, where none has the name. */
  readonly known?: readonly string[];
  /** It is the name of a namespace with workloads. */
  readonly isNamespace?: boolean;
  /** Workloads of this very name and of another kind than the one that was asked for. */
  readonly ofOtherKind?: readonly WorkloadRef[];
  /**
   * The controller of the Pod or ReplicaSet that was named, of a kind that is not diagnosed, such as a Job.
   */
  readonly ownedBy?: { readonly kind: string; readonly name: string };
  /** The object that exists and has no workload, where `what` is `below`. */
  readonly childless?: ChildlessOwner;
}

export type Found =
  | { readonly type: 'found'; readonly workloads: readonly WorkloadRef[] }
  | NotFound
  | Unreadable;

/** What a diagnosis wants to read beside the workload itself. */
export type Needs = ReadonlySet<ResourceKind | 'PodLog'>;

export interface ScopeQuery {
  readonly cluster: string;
  /** '' for all namespaces. */
  readonly namespace: string;
  /**
   * Pods that are going to be created: the nodes they could use are read too, and the namespace may be new.
   */
  readonly planned?: readonly Pod[];
}

/** Every workload of a namespace, or of a whole cluster, as seen at one moment. */
export interface Scope {
  readonly type: 'scope';
  /** RFC3339. */
  readonly takenAt: string;
  readonly index: ClusterIndex;
  readonly unseen: readonly Unseen[];
  /** By namespace, name and kind; they share one index. */
  readonly snapshots: readonly Snapshot[];
}

/** Reads live clusters, or recorded objects. */
export interface ClusterReader {
  /** Names of the configured clusters, the default one first. */
  readonly clusters: readonly string[];
  /**
   * All workloads the query may mean; exactly one when it is unambiguous.
   *
   * @param sight of who asks: what it does not cover is not found and not named, with the same reads as what
   *   does not exist
   */
  find(query: NamedWorkload, sight: Sight, signal?: AbortSignal): Promise<Found>;
  /**
   * The picture of one workload. Reads that fail one by one end in `unseen`; only the workload itself must be
   * readable.
   */
  snapshot(
    ref: WorkloadRef,
    needs: Needs,
    signal?: AbortSignal,
  ): Promise<{ readonly type: 'snapshot'; readonly snapshot: Snapshot } | NotFound | Unreadable>;
  /**
   * @param signal what is not read when it aborts ends in `unseen`
   * @param onProgress called after each list: lists read, of how many
   */
  scope(
    query: ScopeQuery,
    needs: Needs,
    signal: AbortSignal,
    onProgress?: (done: number, of: number) => void,
  ): Promise<Scope | NotFound | Unreadable>;
}
