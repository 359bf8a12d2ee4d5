import type { Canary, Rollout, TrafficWeights } from '../../objects/argo-rollout.js';
import type { ReplicaSet } from '../../objects/workload.js';
import { epochOf } from '../creation-order.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { hashOf, type ReplicaSetRoles } from './replica-set-roles.js';
import type { Writes } from './writes.js';

/** One reconciliation of a Rollout: what its controller sees, and what it writes. */
export interface Reconciliation {
  readonly state: ArgoRolloutState;
  readonly rollout: Rollout;
  readonly roles: ReplicaSetRoles;
  readonly writes: Writes;
  /** Aborted, and not taken back in this reconciliation (`pause.go: IsAborted`). */
  readonly isAborted: boolean;
  /** The weights that the router has after this reconciliation. */
  readonly weights: TrafficWeights | undefined;
}

/** The stable revision is the one of the template (`rolloututil.go: IsFullyPromoted`). */
export function isFullyPromoted({ status }: Rollout): boolean {
  return status.stableRS === status.currentPodHash;
}

/** The person, or an analysis without a conclusion, stops all scaling (`context.go: haltProgress`). */
export function isHalted({ spec, status }: Rollout): boolean {
  return spec.paused || status.pauseConditions.some(({ reason }) => reason === 'InconclusiveAnalysisRun');
}

/** Available replicas of all of them. */
export function availableOf(replicaSets: readonly (ReplicaSet | undefined)[]): number {
  return replicaSets.reduce((sum, replicaSet) => sum + (replicaSet?.status.availableReplicas ?? 0), 0);
}

/** Enough pods of `replicaSet` are available for a step (`ReplicaProgressThresholdMet`). */
export function isThresholdMet(
  threshold: Canary['replicaProgressThreshold'],
  replicaSet: ReplicaSet | undefined,
  desired: number,
): boolean {
  const available = replicaSet?.status.availableReplicas ?? 0;
  if (threshold === undefined || replicaSet === undefined || threshold.value < 0) {
    return replicaSet !== undefined && desired === replicaSet.spec.replicas && desired === available;
  }
  if (threshold.type !== 'Percentage') return available >= threshold.value;
  if (desired === 0) return true;
  const percent = (available / desired) * 100;
  return percent >= threshold.value || Math.abs(percent - threshold.value) <= 1e-10;
}

/**
 * Back to a revision that is at most so many revisions older than the stable one: steps, pauses and analyses
 * are skipped (`sync.go: isRollbackWithinWindow`).
 */
export function isRollbackWithinWindow(
  { spec }: Rollout,
  { newReplicaSet, stableReplicaSet }: ReplicaSetRoles,
  replicaSets: readonly ReplicaSet[],
): boolean {
  const revisions = spec.rollbackWindow?.revisions ?? 0;
  const created = (replicaSet: ReplicaSet | undefined): number =>
    epochOf(replicaSet?.metadata.creationTimestamp) ?? 0;
  const from = created(newReplicaSet);
  const to = created(stableReplicaSet);
  if (newReplicaSet === undefined || stableReplicaSet === undefined) return false;
  if (revisions <= 0 || from >= to) return false;
  const between = replicaSets.filter(
    (each) =>
      (each.metadata.annotations['rollout.argoproj.io/experiment-name'] ?? '') === '' &&
      created(each) < to &&
      from < created(each),
  );
  return between.length < revisions;
}

/**
 * With `dynamicStableScale`, a rollout that went back to the stable revision before its pods are all
 * available: the hash that the router still gives traffic to
 * (`rolloututil.go: IsDynamicallyRollingBackToStable`).
 */
export function rollsBackDynamically(
  rollout: Rollout,
  newReplicaSet: ReplicaSet | undefined,
): string | undefined {
  const { canary } = rollout.spec.strategy;
  const { weights } = rollout.status.canary;
  if (!isFullyPromoted(rollout) || canary?.trafficRouting === undefined) return undefined;
  if (!canary.dynamicStableScale || weights === undefined) return undefined;
  const routed = weights.canary.podTemplateHash;
  if (routed === hashOf(newReplicaSet)) return undefined;
  return availableOf([newReplicaSet]) >= rollout.spec.replicas ? undefined : routed;
}

/**
 * After an abort, the canary stays for a while where a router or a preview is used
 * (`shouldDelayScaleDownOnAbort`).
 */
export function delaysScaleDownOnAbort({
  rollout,
  roles,
  isAborted,
}: Pick<Reconciliation, 'rollout' | 'roles' | 'isAborted'>): boolean {
  if (!isAborted || roles.stableReplicaSet === undefined) return false;
  const { canary } = rollout.spec.strategy;
  if (canary !== undefined && canary.trafficRouting === undefined) return false;
  const { seconds, isSet } = abortDelayOf(rollout);
  if (seconds === undefined) return false;
  return isSet || canary?.dynamicStableScale !== true;
}

/**
 * Seconds until the canary goes after an abort; `undefined` where it stays
 * (`GetAbortScaleDownDelaySecondsOrDefault`).
 */
export function abortDelayOf({ spec }: Rollout): {
  readonly seconds: number | undefined;
  readonly isSet: boolean;
} {
  const { canary, blueGreen } = spec.strategy;
  const isUsed = blueGreen !== undefined || canary?.trafficRouting !== undefined;
  const set = (blueGreen ?? canary)?.abortScaleDownDelaySeconds;
  if (!isUsed) return { seconds: 0, isSet: false };
  return { seconds: set === 0 ? undefined : (set ?? defaultDelaySeconds), isSet: set !== undefined };
}

/** Seconds for which a former revision stays up (`GetScaleDownDelaySecondsOrDefault`). */
export function scaleDownDelayOf({ spec }: Rollout): number {
  const { canary, blueGreen } = spec.strategy;
  if (canary !== undefined) {
    return canary.trafficRouting === undefined ? 0 : (canary.scaleDownDelaySeconds ?? defaultDelaySeconds);
  }
  return blueGreen?.scaleDownDelaySeconds ?? defaultDelaySeconds;
}

const defaultDelaySeconds = 30;
