import type { Rollout, TrafficWeights } from '../../objects/argo-rollout.js';
import type { ReplicaSet } from '../../objects/workload.js';
import { byCreation } from '../creation-order.js';
import { canaryBounds, currentSetWeight, maxWeightOf, setCanaryScaleOf } from './canary-steps.js';
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

/** Sizes of the new and of the stable ReplicaSet. */
type CanarySizes = { readonly canary: number; readonly stable: number };

/**
 * The sizes that a canary without a traffic router gets in one step of its controller
 * (`utils/replicaset/canary.go: CalculateReplicaCountsForBasicCanary`).
 */
export function basicCanarySizes(rollout: Rollout, roles: ReplicaSetRoles): CanarySizes {
  const { newReplicaSet, others } = roles;
  const { replicas } = rollout.spec;
  const { maxSurge, maxUnavailable } = canaryBounds(rollout);
  const isBeside = hasOwnStable(roles);
  const stableReplicaSet = isBeside ? roles.stableReplicaSet : undefined;
  const desired = isBeside
    ? weightedSizes(replicas, desiredCanaryScale(rollout, roles).weight, 100, maxSurge)
    : { canary: replicas, stable: 0 };
  const present = { canary: sizeOf(newReplicaSet), stable: sizeOf(stableReplicaSet) };
  const allowed = replicas + maxSurge;
  const grown = grow(present, desired, allowed - present.canary - present.stable - total(others), {
    hasNew: newReplicaSet !== undefined,
  });
  if (total(others) > 0) return grown;

  const minAvailable = replicas - maxUnavailable;
  const isIncreasing = newReplicaSet === undefined || desired.canary >= present.canary;
  // The controller passes the stable ReplicaSet even where it is the new one.
  const counted =
    countForScaleDown(newReplicaSet, !isIncreasing) + countForScaleDown(roles.stableReplicaSet, isIncreasing);
  if (counted <= minAvailable) return grown;
  const atMost = counted - minAvailable;
  const limits = { allowed, minAvailable };
  if (!isIncreasing) {
    const drained = drainedSize(newReplicaSet, desired.canary, atMost, grown.canary);
    const [canary, stable] = withinLimits(
      { set: newReplicaSet, size: drained },
      { set: roles.stableReplicaSet, size: grown.stable },
      limits,
    );
    return { canary, stable };
  }
  if (!isBeside) return grown;
  const drained = drainedSize(stableReplicaSet, desired.stable, atMost, grown.stable);
  const [stable, canary] = withinLimits(
    { set: stableReplicaSet, size: drained },
    { set: newReplicaSet, size: grown.canary },
    limits,
  );
  return { canary, stable };
}

/** The stable ReplicaSet first, the new one with what is left. */
function grow(
  present: CanarySizes,
  desired: CanarySizes,
  free: number,
  { hasNew }: { hasNew: boolean },
): CanarySizes {
  let left = free;
  let { canary, stable } = present;
  if (stable < desired.stable && left > 0) {
    const more = Math.min(left, desired.stable - stable);
    stable += more;
    left -= more;
  }
  if (hasNew && canary < desired.canary && left > 0) canary += Math.min(left, desired.canary - canary);
  return { canary, stable };
}

type Option = { readonly canary: number; readonly total: number };

/**
 * The numbers of pods that come closest to a weight: together `replicas`, or one more where a surge is
 * allowed. Between 0 and all, neither is 0, except of a single pod that may not surge
 * (`approximateWeightedCanaryStableReplicaCounts`).
 */
export function weightedSizes(
  replicas: number,
  weight: number,
  maxWeight: number,
  maxSurge: number,
): CanarySizes {
  if (replicas === 0) return { canary: 0, stable: 0 };
  const exact = (replicas * weight) / maxWeight;
  const up = Math.ceil(exact);
  const down = Math.floor(exact);
  const isZeroAllowed = weight === maxWeight || weight === 0 || (replicas === 1 && maxSurge === 0);
  const isTied = (pods: number): boolean => {
    const share = pods * (weight / maxWeight);
    return share - Math.trunc(share) === 0.5;
  };
  const mayRoundDown = down !== 0 || isZeroAllowed;
  const options: Option[] = [];
  if (up < replicas || isZeroAllowed) options.push({ canary: up, total: replicas });
  if (!isTied(replicas) && mayRoundDown) options.push({ canary: down, total: replicas });
  if (maxSurge > 0) {
    options.push({ canary: up, total: replicas + 1 });
    if (!isTied(replicas + 1) && mayRoundDown) options.push({ canary: down, total: replicas + 1 });
  }
  const delta = ({ canary, total: pods }: Option): number => Math.abs((canary * maxWeight) / pods - weight);
  const [first, ...rest] = options;
  if (first === undefined) return { canary: 0, stable: replicas };
  const best = rest.reduce((chosen, option) => (delta(option) < delta(chosen) ? option : chosen), first);
  return { canary: best.canary, stable: best.total - best.canary };
}

/** `GetReplicasForScaleDown`. */
function countForScaleDown(replicaSet: ReplicaSet | undefined, ignoresAvailability: boolean): number {
  if (replicaSet === undefined) return 0;
  const { spec, status } = replicaSet;
  if (spec.replicas < status.availableReplicas || ignoresAvailability) return spec.replicas;
  return status.availableReplicas;
}

function drainedSize(
  replicaSet: ReplicaSet | undefined,
  desired: number,
  atMost: number,
  present: number,
): number {
  if (replicaSet === undefined || replicaSet.spec.replicas <= desired) return present;
  return Math.max(desired, replicaSet.spec.replicas - atMost);
}

type Sized = { readonly set: ReplicaSet | undefined; readonly size: number };

type Limits = { readonly allowed: number; readonly minAvailable: number };

/** The sizes of `drained` and `kept` within both limits (`adjustReplicaWithinLimits`). */
function withinLimits(
  drained: Sized,
  kept: Sized,
  { allowed, minAvailable }: Limits,
): readonly [number, number] {
  if (kept.set === undefined) return [drained.size, kept.size];
  const available = (sized: Sized, size: number): number =>
    sized.set === undefined ? 0 : Math.min(sized.set.status.availableReplicas, size);
  const lowered = kept.size - Math.max(0, kept.size + drained.size - allowed);
  const availableInAll = available(drained, drained.size) + available(kept, lowered);
  const lost = Math.max(0, kept.set.status.availableReplicas - lowered);
  const keptSize = lowered + Math.min(lost, Math.max(0, minAvailable - availableInAll));
  return [drained.size - Math.max(0, keptSize + drained.size - allowed), keptSize];
}

function sizeOf(replicaSet: ReplicaSet | undefined): number {
  return replicaSet?.spec.replicas ?? 0;
}

/** Replicas of all of them. */
export function total(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((sum, { spec }) => sum + spec.replicas, 0);
}

/** A number of canary pods where a step sets one, else the weight that they stand for. */
type CanaryScale = { readonly replicas: number | undefined; readonly weight: number };

/** `utils/replicaset/canary.go: GetCanaryReplicasOrWeight`. */
function desiredCanaryScale(rollout: Rollout, roles: ReplicaSetRoles): CanaryScale {
  const { promoteFull, stableRS, currentPodHash } = rollout.status;
  if (promoteFull || stableRS === '' || currentPodHash === stableRS) {
    return { replicas: undefined, weight: maxWeightOf(rollout) };
  }
  const scale = setCanaryScaleOf(rollout);
  if (scale?.replicas !== undefined) return { replicas: scale.replicas, weight: 0 };
  if (scale?.weight !== undefined) return { replicas: undefined, weight: scale.weight };
  return { replicas: undefined, weight: desiredCanaryWeight(rollout, roles) };
}

/**
 * The weight of the current step. After an abort with `dynamicStableScale`, the weights of the steps in
 * reverse order, so that the canary shrinks as the stable pods become available (`GetDesiredCanaryWeight`).
 */
export function desiredCanaryWeight(
  rollout: Rollout,
  { newReplicaSet, stableReplicaSet }: ReplicaSetRoles,
): number {
  const { canary } = rollout.spec.strategy;
  const isReversed = rollout.status.abort && canary?.dynamicStableScale === true;
  if (!isReversed || newReplicaSet === undefined || stableReplicaSet === undefined) {
    return currentSetWeight(rollout);
  }
  const { replicas } = rollout.spec;
  const present = Math.max(
    replicas - stableReplicaSet.status.availableReplicas,
    newReplicaSet.status.availableReplicas,
  );
  const lower = [...canary.steps]
    .reverse()
    .find(({ setWeight }) => setWeight !== undefined && podsForWeight(rollout, setWeight) < present);
  return lower?.setWeight ?? 0;
}

/** Rounded up (`trafficWeightToReplicas`). */
function podsForWeight(rollout: Rollout, weight: number): number {
  return Math.ceil((weight * rollout.spec.replicas) / maxWeightOf(rollout));
}

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
