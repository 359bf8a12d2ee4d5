import type { NamedPod } from '../../doctor/alerts/subject.js';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import type { Sight } from '../../doctor/policy/view.js';
import type { Located } from '../alerts/alert-ports.js';
import type { Found, Unreadable } from '../diagnose/cluster-reader.js';

/** Where pods that are not ready are looked for. */
export type SufferingPlace = { readonly node: string } | { readonly namespace: string };

/**
 * What one cluster answers about names. The answers hold names only, so that a worker can give them to a
 * process that has no credentials for the cluster.
 */
export interface ClusterNames {
  readonly cluster: string;
  find(query: NamedWorkload, sight: Sight, signal: AbortSignal): Promise<Found>;
  /** The workloads of that name that exist. */
  named(query: NamedWorkload, sight: Sight, signal: AbortSignal): Promise<Located | Unreadable>;
  /** Follows the controllers of a pod that exists up to the workload. */
  ownerOf(pod: NamedPod, sight: Sight, signal: AbortSignal): Promise<Located | Unreadable>;
  /** Workloads with pods there that are not ready. */
  suffering(place: SufferingPlace, sight: Sight, signal: AbortSignal): Promise<Located | Unreadable>;
}
