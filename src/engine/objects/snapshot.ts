import * as z from 'zod';
import type { ClusterIndex } from './cluster-index.js';
import type { ResourceKind } from './cluster-objects.js';
import type { KserveKind } from './inference-service.js';
import type { Pod } from './pod.js';
import type { CrashHistory } from './pod-record.js';
import type { Immutable } from './wire.js';
import type { Workload } from './workload.js';

/**
 * Why something could not be read. `not-recorded`: recorded objects refer to it and do not contain it.
 * `partly-recorded`: objects of the kind lack some fields: text or a filter left them out.
 * `no-worker`: this process has no credentials for the cluster, and no worker of the cluster is running.
 * `name-shared`: workers of two clusters run under its name. `distrusted`: what answered in the name of its
 * workers has none of their keys. `not-by-app`: only the workers of the cluster read it, and this process is
 * none of them.
 */
export const unseenReasons = [
  'forbidden',
  'unauthorized',
  'timeout',
  'unavailable',
  'throttled',
  'not-served',
  'malformed',
  'too-many',
  'too-large',
  'not-recorded',
  'partly-recorded',
  'no-worker',
  'name-shared',
  'distrusted',
  'not-by-app',
  'failed',
] as const;
export type UnseenReason = (typeof unseenReasons)[number];

/** Something a rule needed and the reader could not read. */
export interface Unseen {
  readonly what: ResourceKind | 'PodLog' | 'ServerVersion';
  /** Namespace of the refused read; '' for all namespaces or cluster-scoped kinds. */
  readonly namespace: string;
  readonly because: UnseenReason;
  /** The API's own words, where there are any. */
  readonly message: string;
  /**
   * Of `partly-recorded`: paths of the fields that are not known. What the model holds there is no statement.
   */
  readonly fields?: readonly string[];
  /**
   * Those of them whose value was worked out from what the scheduler reports: an assumption, no statement.
   */
  readonly assumed?: readonly string[];
  /** Pods of other workloads are missing: those of the workload were read. */
  readonly ofOthers?: true;
}

/**
 * Objects of the kind were read and may contain more than is known: a rule that needs the kind excludes
 * nothing.
 */
export function isIncomplete({ because }: { because: string }): boolean {
  return because === 'malformed' || because === 'partly-recorded';
}

/** The last lines of one container's run, already redacted by the reader. */
export interface ContainerLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** True: of the run before the current one. */
  readonly previous: boolean;
  readonly lines: readonly string[];
  /** True when the start was cut off by the byte limit. */
  readonly truncated: boolean;
}

/** Reading it is optional: nothing else depends on it, so it is no `Unseen`. */
export interface UnreadOwner {
  readonly kind: 'Application' | 'Kustomization' | 'HelmRelease' | 'GitRepository' | KserveKind;
  /** `ambiguous`: several Applications have the name that a mark without a namespace states. */
  readonly because: UnseenReason | 'missing' | 'ambiguous';
}

/** The read-only picture of one workload and all that bears on it, at one moment. */
export interface Snapshot {
  /** RFC3339; the only clock a rule may read. */
  readonly takenAt: string;
  /** Recorded objects state no moment: `takenAt` is their newest time, and every age is a lower bound. */
  readonly isTimeUnknown?: true;
  readonly cluster: string;
  readonly workload: Workload;
  readonly index: ClusterIndex;
  readonly logs: readonly ContainerLog[];
  readonly unseen: readonly Unseen[];
  /** Of kinds that were read as text: the fields that are not known (`isUnrecorded`). */
  readonly unrecorded?: readonly Pick<Unseen, 'what' | 'fields'>[];
  /** Objects of deployment tools that the marks of the workload name and that could not be read. */
  readonly unreadOwners?: readonly UnreadOwner[];
  /** Fields that definitions are known to have, as `servedField` writes them. Of others nothing is known. */
  readonly servedFields?: readonly string[];
  /**
   * What was remembered of the workload's pods; absent where nobody watches: then only what the API shows
   * counts.
   */
  readonly history?: CrashHistory;
  /** How new the objects are; absent where they were not read from a cluster. */
  readonly age?: SnapshotAge;
}

/** A field of the objects of one kind, as `servedFields` has it. */
export function servedField(kind: string, path: readonly string[]): string {
  return `${kind} ${path.join('.')}`;
}

/** `takenAt` in epoch milliseconds. */
export function nowOf({ takenAt }: Pick<Snapshot, 'takenAt'>): number {
  if (lastMoment.text !== takenAt) lastMoment = { text: takenAt, epoch: Date.parse(takenAt) };
  return lastMoment.epoch;
}

/** Rules ask for the same moment for every pod. */
let lastMoment = { text: '', epoch: Number.NaN };

/**
 * How new the objects of a snapshot are. The workload is read from etcd, lists come from the watch cache of
 * the API server, and what a proof rests on is read from etcd once more at the end, object by object.
 */
export const SnapshotAge = z.object({
  lists: z.literal('watch-cache'),
  /**
   * The lists of its pods and revisions are not older than this version of the workload; '' where it is not
   * known.
   */
  notOlderThan: z.string(),
  /** Kinds whose cache did not reach that version: their lists may be older. */
  older: z.array(z.string()),
  /** Objects that were read again. */
  confirmed: z.number(),
  /** Of them, how many had changed or were gone: the snapshot shows them as they are. */
  corrected: z.number(),
  /** Objects that could not be read again; the snapshot shows them as the cache had them. */
  unconfirmed: z.number(),
  /** Milliseconds since the watch that the nodes come from told something; absent: the nodes were listed. */
  watchedNodesMs: z.number().optional(),
  /** Nodes whose pods come from a watch that is not older than the lists of pods; absent: all were listed. */
  watchedPodsOn: z.number().optional(),
});
export type SnapshotAge = Immutable<z.output<typeof SnapshotAge>>;

/** The log of the run of a container that ended last, or of its current run where no other was read. */
export function endedLogOf(
  logs: readonly ContainerLog[],
  { metadata: { namespace, name } }: Pod,
  container: string | undefined,
): ContainerLog | undefined {
  const own = logs.filter(
    (log) => log.namespace === namespace && log.pod === name && log.container === container,
  );
  return own.find(({ previous }) => previous) ?? own[0];
}
