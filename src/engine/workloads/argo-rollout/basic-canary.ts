import type { Rollout } from '../../objects/argo-rollout.js';
import type { ReplicaSet } from '../../objects/workload.js';
import { canaryBounds, currentSetWeight, maxWeightOf, setCanaryScaleOf } from './canary-steps.js';
import { hasOwnStable, type ReplicaSetRoles } from './replica-set-roles.js';

/** Sizes of the new and of the stable ReplicaSet. */
export interface CanarySizes {
  readonly canary: number;
  readonly stable: number;
}

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

interface Option {
  readonly canary: number;
  readonly total: number;
}

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

interface Sized {
  readonly set: ReplicaSet | undefined;
  readonly size: number;
}

interface Limits {
  readonly allowed: number;
  readonly minAvailable: number;
}

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
interface CanaryScale {
  readonly replicas: number | undefined;
  readonly weight: number;
}

/** `utils/replicaset/canary.go: GetCanaryReplicasOrWeight`. */
export function desiredCanaryScale(rollout: Rollout, roles: ReplicaSetRoles): CanaryScale {
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
export function podsForWeight(rollout: Rollout, weight: number): number {
  return Math.ceil((weight * rollout.spec.replicas) / maxWeightOf(rollout));
}
