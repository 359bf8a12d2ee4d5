import type { Statement } from '../../../engine/language/statement.js';
import type { Rollout } from '../../../engine/objects/argo-rollout.js';
import type { LeaderWorkerSet } from '../../../engine/objects/leader-worker-set.js';
import type { ObjectRef } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Deployment, RevisionedService, Workload } from '../../../engine/objects/workload.js';
import type {
  ArgoRolloutState,
  DeploymentState,
  LeaderWorkerSetState,
  RevisionedState,
} from '../../../engine/workloads/rollout-state.js';
import type { Evidence } from '../finding.js';
import type { StrategyFacts } from './facts.js';

/**
 * A rollout that has come to rest half-way and keeps its old pods until new ones are ready, whatever its
 * kind.
 */
export interface StableRollout {
  readonly workload: Deployment | Rollout | LeaderWorkerSet | RevisionedService;
  readonly state: DeploymentState | ArgoRolloutState | LeaderWorkerSetState | RevisionedState;
  /** Active pods of old revisions that have a node. Only the controller stops them. */
  readonly holding: readonly Pod[];
  /** Active pods of the new revision that are not available. */
  readonly blocked: readonly Pod[];
  /** Why the controller stops no old pod. */
  readonly strategy: Statement;
  /** Absent of a service, whose kind has no such bounds. */
  readonly strategyFacts: StrategyFacts | undefined;
  readonly strategyEvidence: readonly Evidence[];
}

export function subjectOf({ kind, metadata }: Workload): ObjectRef {
  return { kind, namespace: metadata.namespace, name: metadata.name };
}
