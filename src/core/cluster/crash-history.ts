import type { PodRecord } from './pod-record.js';

/** What is remembered of one workload's pods. Times are epoch seconds. */
export interface CrashHistory {
  /** Since when it sees pods come and go; nothing is claimed of the time before. */
  readonly observedSince: number;
  /** Times since then in which nobody watched, up to now. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** Pods that ended, and living ones whose containers ended badly or restarted; in no order. */
  readonly pods: readonly PodRecord[];
  /** Pods that were dropped since there were too many: those whose last change was oldest. */
  readonly dropped: number;
}
