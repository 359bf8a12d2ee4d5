import type { Rollout } from '../../cluster/argo-rollout.js';
import type { LeaderWorkerSet } from '../../cluster/leader-worker-set.js';
import type { ObjectRef } from '../../cluster/metadata.js';
import type { Pod } from '../../cluster/pod.js';
import type { Deployment, RevisionedService, Workload } from '../../cluster/workload.js';
import type { Statement } from '../../language/statement.js';
import type {
  ArgoRolloutState,
  DeploymentState,
  LeaderWorkerSetState,
  RevisionedState,
} from '../../rollout/rollout-state.js';
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
