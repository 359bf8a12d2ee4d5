import type { Rollout, TrafficWeights } from '../../objects/argo-rollout.js';
import type { ReplicaSet } from '../../objects/workload.js';
import { byCreation } from '../creation-order.js';
import {
  basicCanarySizes,
  type CanarySizes,
  desiredCanaryScale,
  podsForWeight,
  total,
} from './basic-canary.js';
import { canaryBounds, maxWeightOf } from './canary-steps.js';
import {
  abortDelayOf,
  availableOf,
  deadlineIn,
  deadlineOf,
  delaysScaleDownOnAbort,
  hasDeadline,
  isFullyPromoted,
  isHalted,
  type Reconciliation,
  revisionAnnotation,
  scaleDownDeadlineAnnotation,
  scaleDownDelayOf,
} from './reconciliation.js';
import { hashOf, hasOwnStable, type ReplicaSetRoles } from './replica-set-roles.js';
import { serviceNames } from './service-targets.js';

/**
 * Delays from here on count as over, because the controller reconciles again only so often
 * (`controller.go: resyncPeriod`).
 */
const resyncMs = 900_000;

/**
 * Stable first, then new, then the others; a reconciliation changes the size of one of them only (`canary.go:
 * reconcileCanaryReplicaSets`).
 *
 * @returns true when a size changed
 */
export function scaleForCanary(reconciliation: Reconciliation): boolean {
  const { rollout, roles, writes } = reconciliation;
  if (isHalted(rollout)) return false;
  removeDeadlines(reconciliation);
  const { stableReplicaSet } = roles;
  if (hasOwnStable(roles) && stableReplicaSet !== undefined) {
    const isRouted = rollout.spec.strategy.canary?.trafficRouting !== undefined;
    // The weights of the status as it was: the stable ReplicaSet follows the router one reconciliation later.
    const { stable } = isRouted
      ? routedCanarySizes(rollout, roles, rollout.status.canary.weights)
      : basicCanarySizes(rollout, roles);
    if (writes.scale(stableReplicaSet, stable)) return true;
  }
  return scaleNew(reconciliation) || scaleDownOthers(reconciliation);
}

/** Stable and new both, then the others (`bluegreen.go: reconcileBlueGreenReplicaSets`). */
export function scaleForBlueGreen(reconciliation: Reconciliation): void {
  const { rollout, roles, writes } = reconciliation;
  removeDeadlines(reconciliation);
  const { stableReplicaSet } = roles;
  if (stableReplicaSet !== undefined) writes.scale(stableReplicaSet, rollout.spec.replicas);
  scaleNew(reconciliation);
  scaleDownOthers(reconciliation);
}

/**
 * A revision that is new or stable again is not scaled down any more
 * (`replicaset.go: removeScaleDownDeadlines`).
 */
function removeDeadlines(reconciliation: Reconciliation): void {
  const { roles, writes } = reconciliation;
  const { newReplicaSet, stableReplicaSet } = roles;
  const kept = delaysScaleDownOnAbort(reconciliation) ? [] : [newReplicaSet];
  for (const replicaSet of new Set([...kept, stableReplicaSet])) {
    if (replicaSet === undefined || !hasDeadline(replicaSet)) continue;
    writes.annotate(replicaSet, { [scaleDownDeadlineAnnotation]: undefined });
  }
}

/** `replicaset.go: reconcileNewReplicaSet`. */
function scaleNew(reconciliation: Reconciliation): boolean {
  const { state, rollout, roles, writes } = reconciliation;
  const { newReplicaSet, stableReplicaSet } = roles;
  if (newReplicaSet === undefined) return false;
  let replicas = newSize(reconciliation);
  if (delaysScaleDownOnAbort(reconciliation)) {
    const present = writes.written(newReplicaSet);
    const deadline = deadlineOf(present);
    const { seconds } = abortDelayOf(rollout);
    if (deadline !== undefined) {
      const left = deadline - state.now;
      if (left > 0 && left < resyncMs) return false;
      if (left <= 0) replicas = 0;
    } else if (!hasDeadline(present) && seconds !== undefined) {
      if (availableOf([stableReplicaSet]) === rollout.spec.replicas) {
        writes.annotate(newReplicaSet, deadlineIn(seconds, state.now));
      }
      return false;
    }
  }
  return writes.scale(newReplicaSet, replicas);
}

/** What the new ReplicaSet is sized for (`utils/replicaset/replicaset.go: NewRSNewReplicas`). */
export function newSize({
  state,
  rollout,
  roles,
  weights,
}: Pick<Reconciliation, 'state' | 'rollout' | 'roles' | 'weights'>): number {
  const { spec, status } = rollout;
  const { canary, blueGreen } = spec.strategy;
  if (blueGreen === undefined) {
    return canary?.trafficRouting === undefined
      ? basicCanarySizes(rollout, roles).canary
      : routedCanarySizes(rollout, roles, weights).canary;
  }
  const { previewReplicaCount } = blueGreen;
  if (previewReplicaCount === undefined) return spec.replicas;
  const { activeSelector, scaleUpPreviewCheckPoint } = status.blueGreen;
  const active = state.replicaSets.find((each) => activeSelector !== '' && hashOf(each) === activeSelector);
  if (active === undefined || active === roles.newReplicaSet || status.promoteFull) return spec.replicas;
  if (hashOf(roles.newReplicaSet) !== status.currentPodHash) return previewReplicaCount;
  const isPaused = spec.paused || status.pauseConditions.length > 0;
  return !isPaused && scaleUpPreviewCheckPoint ? spec.replicas : previewReplicaCount;
}

/**
 * Scales down ReplicaSets that are neither new nor stable: revisions that an update left behind, and former
 * stable ones (`replicaset.go: reconcileOtherReplicaSets`).
 *
 * @returns true when the controller ends this reconciliation for it
 */
function scaleDownOthers(reconciliation: Reconciliation): boolean {
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

/**
 * The sizes under a traffic router. The stable ReplicaSet keeps all replicas, unless `dynamicStableScale`
 * lets it follow its weight; maxSurge and maxUnavailable are not used (`utils/replicaset/canary.go:
 * CalculateReplicaCountsForTrafficRoutedCanary`).
 *
 * @param weights that the router has now; `undefined` where none is known
 */
export function routedCanarySizes(
  rollout: Rollout,
  roles: ReplicaSetRoles,
  weights: TrafficWeights | undefined,
): CanarySizes {
  const { replicas, weight } = desiredCanaryScale(rollout, roles);
  const canary = replicas ?? atLeastMinPods(rollout, podsForWeight(rollout, weight));
  if (rollout.spec.strategy.canary?.dynamicStableScale !== true) {
    return { canary, stable: rollout.spec.replicas };
  }
  const stable = podsForWeight(rollout, maxWeightOf(rollout) - weight);
  if (weights === undefined) {
    return { canary: atLeastMinPods(rollout, canary), stable: atLeastMinPods(rollout, stable) };
  }
  const routedToStable = podsForWeight(rollout, weights.stable.weight);
  const routedToCanary = rollout.status.abort ? podsForWeight(rollout, weights.canary.weight) : 0;
  return {
    canary: atLeastMinPods(rollout, Math.max(canary, routedToCanary)),
    stable: atLeastMinPods(rollout, Math.max(stable, routedToStable)),
  };
}

/** `CheckMinPodsPerReplicaSet`. */
function atLeastMinPods({ spec }: Rollout, count: number): number {
  return count === 0 ? 0 : Math.max(count, spec.strategy.canary?.minPodsPerReplicaSet ?? 0);
}
