import type { WorkloadRef } from '../core/cluster/workload.js';
import type { AuditEntry } from './ports.js';

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
