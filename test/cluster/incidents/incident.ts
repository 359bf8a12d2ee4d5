import type { WorkloadRef } from '#src/core/cluster/workload.js';
import type { CauseId } from '#src/core/diagnosis/cause-id.js';
import type { Cluster } from '../harness/cluster.js';

/** What a correct diagnosis of the incident must say, decided from how it was brought about. */
export interface Known {
  /** The finding that must come first; `undefined`: nothing above informational may be found. */
  readonly cause: CauseId | undefined;
  /** In place of `cause` alone where more than one answer is right. */
  readonly anyOf?: readonly CauseId[];
  readonly never?: readonly CauseId[];
  /** The finding's `resource`. */
  readonly resource?: string;
  readonly nodes?: readonly string[];
  /** Parts of what the control plane itself wrote about the block, in every supported version. */
  readonly messages: readonly string[];
  /** Whether `maxSurge 0, maxUnavailable 1` lets the real controllers finish the rollout. Deployments only. */
  readonly freedByStrategy?: boolean;
  /** It is called stuck only after so many seconds; before, it is on its way. */
  readonly stuckAfterSeconds?: number;
  /** The scheduler does not notice what was freed for up to five minutes; a pod created anew is placed at once. */
  readonly placesOnlyNewPods?: boolean;
}

/** The incident as it stands, with the names that the control plane chose. */
export interface Happened {
  readonly workload: WorkloadRef;
  /** Pods that hold what the new pod waits for. */
  readonly holders: readonly string[];
  /** Pods that do not get further. */
  readonly blocked: readonly string[];
  /** The control plane's own words: PodScheduled messages, FailedCreate, events. */
  readonly messages: readonly string[];
}

/** One way in which a rollout goes wrong, or only looks as if it did. */
export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly known: Known;
  /** The record says who wrote which fields of the workloads, and when. */
  readonly withManagers?: boolean;
  /** Minor versions, such as `1.34`, whose API or scheduler has no such thing. */
  readonly notOnVersions?: readonly string[];
  /** Makes it happen in an empty cluster and waits until it has. */
  readonly bringAbout: (cluster: Cluster) => Promise<Happened>;
}

/** The causes that say "the workload's own old pods are in the way". */
export const deadlocks: readonly CauseId[] = [
  'surge-deadlock',
  'quota-deadlock',
  'volume-attach-deadlock',
  'readiness-deadlock',
];

export const deployment = (namespace: string, name: string): WorkloadRef => ({
  cluster: 'test',
  kind: 'Deployment',
  namespace,
  name,
});
