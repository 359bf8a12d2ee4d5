import type { ReplicaSet } from '../../cluster/workload.js';
import { byCreation } from '../creation-order.js';
import { total } from './basic-canary.js';
import { canaryBounds } from './bounds.js';
import {
  availableOf,
  isFullyPromoted,
  isHalted,
  type Reconciliation,
  scaleDownDelayOf,
} from './reconciliation.js';
import { hashOf } from './replica-set-roles.js';
import { serviceNames } from './service-targets.js';
import { deadlineIn, deadlineOf, hasDeadline, revisionAnnotation } from './writes.js';

/**
 * Scales down ReplicaSets that are neither new nor stable: revisions that an update left behind, and former
 * stable ones (`replicaset.go: reconcileOtherReplicaSets`).
 *
 * @returns true when the controller ends this reconciliation for it
 */
export function scaleDownOthers(reconciliation: Reconciliation): boolean {
  const { rollout, roles } = reconciliation;
  const others = roles.others.filter(({ spec }) => spec.replicas > 0);
  if (total(others) === 0) return false;
  if (rollout.spec.strategy.canary !== undefined) return scaleDownForCanary(reconciliation, others) > 0;
  return scaleDownForBlueGreen(reconciliation, others);
}

/** `canary.go: scaleDownOldReplicaSetsForCanary`. */
function scaleDownForCanary(reconciliation: Reconciliation, others: readonly ReplicaSet[]): number {
  const { state, rollout, writes } = reconciliation;
  const { canary } = rollout.spec.strategy;
  let scaledDown = 0;
  for (const replicaSet of [...others].sort(byCreation)) {
    const unhealthy = replicaSet.spec.replicas - replicaSet.status.availableReplicas;
    // The controller fails here, and does nothing further in this reconciliation.
    if (unhealthy < 0) return 0;
    if (unhealthy === 0) continue;
    writes.scale(replicaSet, replicaSet.status.availableReplicas);
    scaledDown += unhealthy;
  }
  const minAvailable = rollout.spec.replicas - canaryBounds(rollout).maxUnavailable;
  let mayGo = availableOf(state.replicaSets) - minAvailable;
  if (mayGo <= 0) return 0;
  const isRouted = canary?.trafficRouting !== undefined;
  const delayed = createDelay(reconciliation);
  for (const replicaSet of newestRevisionFirst(others)) {
    if (isRouted && isReferenced(reconciliation, replicaSet)) continue;
    if (mayGo <= 0) break;
    const present = writes.written(replicaSet);
    const { replicas } = present.spec;
    if (replicas === 0) continue;
    let desired = 0;
    if (!isRouted) desired = Math.max(0, replicas - mayGo);
    else if ((isFullyPromoted(rollout) || hasDeadline(present)) && canary?.dynamicStableScale !== true) {
      desired = delayed(present, replicas);
    }
    if (desired === replicas) continue;
    writes.scale(present, desired);
    mayGo -= replicas - desired;
    scaledDown += replicas - desired;
  }
  return scaledDown;
}

/** `bluegreen.go: scaleDownOldReplicaSetsForBlueGreen`. */
function scaleDownForBlueGreen(reconciliation: Reconciliation, others: readonly ReplicaSet[]): boolean {
  const { rollout, writes } = reconciliation;
  if (isHalted({ ...rollout, spec: { ...rollout.spec, paused: false } })) return false;
  const delayed = createDelay(reconciliation);
  let hasScaled = false;
  for (const replicaSet of newestRevisionFirst(others)) {
    if (isReferenced(reconciliation, replicaSet)) continue;
    const desired = delayed(replicaSet, rollout.spec.replicas);
    if (replicaSet.spec.replicas === desired) continue;
    writes.scale(replicaSet, desired);
    hasScaled = true;
  }
  return hasScaled;
}

/** Sizes under the delay after which a former revision goes (`replicaset.go: scaleDownDelayHelper`). */
function createDelay({ state, rollout, writes }: Reconciliation) {
  const { canary, blueGreen } = rollout.spec.strategy;
  const limit = (blueGreen ?? canary)?.scaleDownDelayRevisionLimit ?? Number.POSITIVE_INFINITY;
  let kept = 0;
  return (replicaSet: ReplicaSet, meanwhile: number): number => {
    if (!hasDeadline(replicaSet)) {
      if (kept >= limit) return 0;
      kept += 1;
      const seconds = scaleDownDelayOf(rollout);
      if (seconds > 0) writes.annotate(replicaSet, deadlineIn(seconds, state.now));
      return replicaSet.spec.replicas;
    }
    kept += 1;
    const deadline = deadlineOf(replicaSet);
    return kept <= limit && deadline !== undefined && deadline > state.now ? meanwhile : 0;
  };
}

/** Traffic may still go there (`replicaset.go: isReplicaSetReferenced`). */
function isReferenced({ rollout, writes }: Reconciliation, replicaSet: ReplicaSet): boolean {
  const hash = hashOf(replicaSet);
  if (hash === '') return false;
  const { stableRS, currentPodHash, blueGreen, canary } = rollout.status;
  const { weights } = canary;
  const named = [stableRS, currentPodHash, blueGreen.activeSelector, blueGreen.previewSelector];
  const routed = [weights?.canary.podTemplateHash, weights?.stable.podTemplateHash];
  if ([...named, ...routed].includes(hash)) return true;
  return serviceNames(rollout).some((name) => writes.serviceOf(name)?.hash === hash);
}

/** `replicaset.go: ReplicaSetsByRevisionNumber`, in reverse. */
function newestRevisionFirst(replicaSets: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const revision = ({ metadata }: ReplicaSet): number => {
    const number = Number(metadata.annotations[revisionAnnotation] ?? Number.NaN);
    return Number.isInteger(number) ? number : Number.NEGATIVE_INFINITY;
  };
  return [...replicaSets].sort((a, b) =>
    revision(a) === revision(b) ? byCreation(b, a) : revision(b) - revision(a),
  );
}
