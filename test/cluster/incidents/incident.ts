import type { WorkloadRef } from '#src/core/cluster/workload.js';
import type { CauseId } from '#src/core/diagnosis/cause-id.js';
import type { Cluster } from '../harness/cluster.js';

/** The content of a correct diagnosis, known from how the incident was created. */
export interface Known {
  /** The finding that must come first; `undefined`: nothing above informational may be found. */
  readonly cause: CauseId | undefined;
  /** In place of `cause` when more than one answer is correct. */
  readonly anyOf?: readonly CauseId[];
  readonly never?: readonly CauseId[];
  /** The finding's `resource`. */
  readonly resource?: string;
  readonly nodes?: readonly string[];
  /** Parts of the messages of the control plane about the block, in every supported version. */
  readonly messages: readonly string[];
  /** Whether `maxSurge 0, maxUnavailable 1` lets the real controllers finish the rollout. Deployments only. */
  readonly freedByStrategy?: boolean;
  /** It is called stuck only after so many seconds; before, it is on its way. */
  readonly stuckAfterSeconds?: number;
  /** The scheduler does not notice what was freed for up to five minutes; a pod created anew is placed at once. */
  readonly placesOnlyNewPods?: boolean;
}

/** The created incident, with the names that the control plane chose. */
export interface Happened {
  readonly workload: WorkloadRef;
  /** Pods that hold the resource that the new pod needs. */
  readonly holders: readonly string[];
  /** Pods that do not get further. */
  readonly blocked: readonly string[];
  /** The control plane's own words: PodScheduled messages, FailedCreate, events. */
  readonly messages: readonly string[];
}

/** One failure of a rollout, or a healthy state that resembles one. */
export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly known: Known;
  /** The recording contains managedFields of the workloads. */
  readonly withManagers?: boolean;
  /** Minor versions, such as `1.34`, whose API or scheduler lacks the feature. */
  readonly notOnVersions?: readonly string[];
  /** Makes it happen in an empty cluster and waits until it has. */
  readonly bringAbout: (cluster: Cluster) => Promise<Happened>;
}

/** The causes in which the old pods of the workload block its rollout. */
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
