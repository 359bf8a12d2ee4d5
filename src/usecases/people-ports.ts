import type { ResourceKind } from '../core/cluster/cluster-objects.js';
import type { Snapshot, Unseen } from '../core/cluster/snapshot.js';
import type { WorkloadRef } from '../core/cluster/workload.js';
import type { ScanRecord } from '../core/scan/scan-record.js';
import type { AuditEntry, NotFound, Unreadable } from './ports.js';

/** Some entries of the audit, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Where the older ones begin; absent when there are none. */
  readonly before?: string;
}

export interface AuditReader {
  /** @param from `of`: entries of this workload only; `before`: where an earlier page ended */
  page(limit: number, from?: { readonly of?: WorkloadRef; readonly before?: string }): Promise<AuditPage>;
  /** Workloads that entries are about, the one with the newest entry first. */
  workloads(): Promise<readonly WorkloadRef[]>;
}

/** Somebody wants to hear nothing of a workload unasked, for a while. */
export interface Silence {
  readonly workload: WorkloadRef;
  readonly by: string;
  /** RFC3339. */
  readonly at: string;
  /** RFC3339. */
  readonly until: string;
  /** As typed; may be empty. */
  readonly reason: string;
}

export interface SilenceStore {
  /** Replaces what was said before about the same workload. */
  put(silence: Silence): Promise<void>;
  /** The silence that holds now. Whoever is about to speak of a workload unasked asks this first. */
  of(workload: WorkloadRef): Promise<Silence | undefined>;
  /** Ends it; gives the one that held, if one did. */
  lift(workload: WorkloadRef): Promise<Silence | undefined>;
  /** All that hold now, the one that ends first first. */
  all(): Promise<readonly Silence[]>;
}

/** Every workload of a namespace, or of a whole cluster, as seen at one moment. */
export interface Scope {
  readonly type: 'scope';
  /** RFC3339. */
  readonly takenAt: string;
  readonly unseen: readonly Unseen[];
  /** By namespace, name and kind. */
  readonly snapshots: readonly Snapshot[];
}

export interface ScopeReader {
  /**
   * @param namespace '' for all of them
   * @param signal what is not read when it aborts ends in `unseen`
   */
  read(
    at: { readonly cluster: string; readonly namespace: string },
    needs: ReadonlySet<ResourceKind | 'PodLog'>,
    signal: AbortSignal,
  ): Promise<Scope | NotFound | Unreadable>;
}

export interface ScanStore {
  /** Creates it, unless the same person's scan of the same place is under way: then gives that one. */
  open(scan: ScanRecord): Promise<{ readonly created: boolean; readonly scan: ScanRecord }>;
  get(id: string): Promise<ScanRecord | undefined>;
  /** Writes what was found. */
  put(scan: ScanRecord): Promise<void>;
}
