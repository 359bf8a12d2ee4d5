import type { Coverage } from '../../doctor/crash-history/merge-records.js';
import type { Observation } from '../../doctor/crash-history/observe-pod.js';
import type { Pod } from '../../engine/objects/pod.js';
import type { CrashHistory } from '../../engine/objects/pod-record.js';
import type { UnseenReason } from '../../engine/objects/snapshot.js';

/** The right to do something that only one process may do at a time. */
export interface Lease {
  /** A number greater than every one given before, or `undefined` while somebody else holds the lease. */
  acquire(): Promise<number | undefined>;
  /** False when the lease is no longer held under that number. */
  renew(token: number): Promise<boolean>;
  /** Lets the next one in at once. */
  release(token: number): Promise<void>;
}

/** `fenced`: the lease is no longer held under that number, and nothing was written. */
export type HistoryWritten =
  | {
      readonly type: 'written';
      /** Pods and whole controllers dropped to stay within the limits. */
      readonly dropped: number;
    }
  | { readonly type: 'fenced' };

export interface CrashHistoryReader {
  /**
   * What is remembered of the pods of these controllers (uids of ReplicaSets, a StatefulSet, a DaemonSet).
   *
   * @returns `undefined` where nobody has ever watched that namespace
   */
  read(
    workload: { readonly cluster: string; readonly namespace: string; readonly owners: readonly string[] },
    now: Date,
  ): Promise<CrashHistory | undefined>;
}

export interface CrashHistoryStore extends CrashHistoryReader {
  lease(cluster: string): Lease;
  /** Merges with what is stored; the same observations again change nothing. */
  write(
    cluster: string,
    token: number,
    observations: readonly Observation[],
    now: Date,
  ): Promise<HistoryWritten>;
  /** @param namespace '' for all */
  coverage(cluster: string, namespace: string): Promise<Coverage | undefined>;
  cover(cluster: string, token: number, namespace: string, coverage: Coverage): Promise<HistoryWritten>;
}

/** What a list and a watch of pods tell. Called one after the other, never at once. */
interface PodWatchHears {
  listBegins(): void;
  /** The list is complete; from here on the watch is in step. */
  listEnds(): void;
  /** @param gone it was deleted, and this is its last state */
  pod(pod: Pod, gone: boolean): void;
  /** The server has told all that happened up to now. */
  inStep(): void;
  /** The watch stands still: it goes on by itself when the cluster does. */
  trouble(because: UnseenReason | 'expired' | 'ended', message: string): void;
}

export interface PodWatcher {
  readonly clusters: readonly string[];
  /**
   * Lists the pods of a namespace ('' for all), then watches them, again and again until the signal. Never
   * throws.
   */
  watch(cluster: string, namespace: string, hears: PodWatchHears, signal: AbortSignal): Promise<void>;
}

/** What operators see of the crash history, over all clusters of this process. */
export interface HistoryMeters {
  written(records: number): void;
  dropped(records: number): void;
  /** State of one cluster's watcher in this process. */
  state(
    cluster: string,
    state: { readonly leads: boolean; readonly pods: number; readonly lagSeconds: number },
  ): void;
}
