import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';

/** A correct diagnosis of the incident, derived from how it was caused. */
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
  /**
   * Whether `maxSurge 0, maxUnavailable 1` lets the real controllers finish the rollout. Deployments only.
   */
  readonly freedByStrategy?: boolean;
  /** The rollout counts as stuck only after this many seconds; before, it is in progress. */
  readonly stuckAfterSeconds?: number;
  /** The scheduler may take five minutes to notice what was freed; a newly created pod is placed at once. */
  readonly placesOnlyNewPods?: boolean;
}

/** The incident, with the names that the control plane chose. */
export interface Happened {
  readonly workload: WorkloadRef;
  /** Pods that hold what the new pod waits for. */
  readonly holders: readonly string[];
  /** Pods that are blocked. */
  readonly blocked: readonly string[];
  /** Messages of the control plane: PodScheduled, FailedCreate, Events. */
  readonly messages: readonly string[];
}

/** One way in which a rollout fails, or only appears to fail. */
export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly known: Known;
  /** The recording includes the field managers of the workloads. */
  readonly withManagers?: boolean;
  /** Minor versions, such as `1.34`, whose API or scheduler lacks the feature. */
  readonly notOnVersions?: readonly string[];
  /** Gates that are off by default. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Reproduces the incident in an empty cluster and waits until it exists. */
  readonly reproduce: (cluster: Cluster) => Promise<Happened>;
}

/** The causes in which the workload's own old pods block the rollout. */
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
