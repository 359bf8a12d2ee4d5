import type { AlertSource } from '../../doctor/alerts/alert.js';
import type { AlertRecord } from '../../doctor/alerts/alert-record.js';
import type { NamedPod } from '../../doctor/alerts/subject.js';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import type { Sight } from '../../doctor/policy/view.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { Unreadable } from '../diagnose/cluster-reader.js';
import type { Conflict } from '../records/incident-store.js';

/** Workloads that were found to exist. */
export interface Located {
  readonly type: 'located';
  readonly workloads: readonly WorkloadRef[];
  /** Owners of the pods that are not diagnosed, such as a Job; foreign names. */
  readonly others: readonly { readonly kind: string; readonly name: string }[];
}

/**
 * Finds the workloads that an alert may be about. Reads little, and only what exists counts: a cluster that
 * does not answer is only reported when no other one knows the name. What the sight of the readers does not
 * cover counts as not there.
 */
export interface WorkloadLocator {
  /** Names of the configured clusters, the default one first. */
  readonly clusters: readonly string[];
  named(queries: readonly NamedWorkload[], sight: Sight, signal?: AbortSignal): Promise<Located | Unreadable>;
  /** Follows the pod's controllers up to the workload. */
  ownerOf(pod: NamedPod, sight: Sight, signal?: AbortSignal): Promise<Located | Unreadable>;
  /** Workloads with pods on the node that are not ready, those whose pods can move first. */
  sufferingOn(
    at: { readonly cluster?: string; readonly node: string },
    sight: Sight,
    signal?: AbortSignal,
  ): Promise<Located | Unreadable>;
  /** Workloads of the namespace with pods that are not ready. */
  sufferingIn(
    at: { readonly cluster?: string; readonly namespace: string },
    sight: Sight,
    signal?: AbortSignal,
  ): Promise<Located | Unreadable>;
}

export interface AlertStore {
  get(id: string): Promise<AlertRecord | undefined>;
  /**
   * Stores `next` as version `next.version` if the stored one is `next.version - 1`; version 1 creates it.
   */
  replace(next: AlertRecord): Promise<AlertRecord | Conflict>;
  /** Stores the first signal of an alert in place of a record that cannot be read. */
  replaceUnreadable(first: AlertRecord): Promise<AlertRecord | Conflict>;
  /** Ids of alerts with signals that were not acted on, oldest first; for the sweep. */
  unhandled(): Promise<readonly string[]>;
  /** Whether so many alerts wait that no more should be recorded now. */
  isFull(): Promise<boolean>;
}

/** What became of one alert. `refused` requests are counted by their reason elsewhere. */
type AlertOutcome =
  | 'recorded'
  | 'repeated'
  | 'not-recorded'
  /** The request held more alerts than one request may. */
  | 'dropped'
  | 'answered'
  /** Every workload it is about is silenced. */
  | 'silenced'
  | 'asked'
  | 'nothing-named'
  | 'not-found'
  /** Its channel may show no namespace at all. */
  | 'not-shown'
  | 'not-diagnosed'
  | 'nothing-suffers';

export interface AlertCounters {
  alert(source: AlertSource, outcome: AlertOutcome, count?: number): void;
  /** A request to a webhook that was turned away, and why. */
  alertRefused(reason: string): void;
}
