import type { Deployment, ReplicaSet } from '../cluster/workload.js';
import { byCreation } from './creation-order.js';
import {
  countAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
} from './deployment-annotations.js';
import { rollingBounds } from './fenceposts.js';
import { isActiveReplicaSet, type Revisions } from './revisions.js';

/** A ReplicaSet's size after a change of `spec.replicas`. */
export interface Resized {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
  readonly because: 'only-active' | 'new-is-saturated' | 'proportion';
}

/**
 * Sizes of the active ReplicaSets when the Deployment was scaled, or is paused; unchanged ones included,
 * since their annotations are brought up to date (kubernetes `sync.go: scale`).
 */
export function scaledSizes(deployment: Deployment, revisions: Revisions): readonly Resized[] {
  const { replicas } = deployment.spec;
  const all = allReplicaSets(revisions);
  const active = all.filter(isActiveReplicaSet);
  if (active.length <= 1) {
    const target = active[0] ?? revisions.newReplicaSet ?? [...all].sort(byCreation).at(-1);
    if (target === undefined || target.spec.replicas === replicas) return [];
    return [{ replicaSet: target, replicas, because: 'only-active' }];
  }
  if (isSaturated(deployment, revisions.newReplicaSet)) {
    return revisions.oldReplicaSets
      .filter(isActiveReplicaSet)
      .map((replicaSet) => ({ replicaSet, replicas: 0, because: 'new-is-saturated' }));
  }
  return deployment.spec.strategy.type === 'RollingUpdate' ? inProportion(deployment, active) : [];
}

/** It has all wanted replicas, knows that they are all, and all are available (`IsSaturated`). */
function isSaturated(deployment: Deployment, replicaSet: ReplicaSet | undefined): boolean {
  if (replicaSet === undefined) return false;
  const { replicas } = deployment.spec;
  return (
    replicaSet.spec.replicas === replicas &&
    countAnnotation(replicaSet, desiredReplicasAnnotation) === replicas &&
    replicaSet.status.availableReplicas === replicas
  );
}

/** Largest first; what rounding leaves over goes to the largest. */
function inProportion(deployment: Deployment, active: readonly ReplicaSet[]): readonly Resized[] {
  const total = active.reduce((sum, { spec }) => sum + spec.replicas, 0);
  const toAdd = allowedTotal(deployment) - total;
  const ordered = [...active].sort(
    (a, b) => b.spec.replicas - a.spec.replicas || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)),
  );
  let added = 0;
  const sizes = ordered.map((replicaSet) => {
    const share = proportion(deployment, replicaSet, toAdd, added);
    added += share;
    return replicaSet.spec.replicas + share;
  });
  const resized = ordered.map((replicaSet, position): Resized => {
    const size = sizes[position] ?? replicaSet.spec.replicas;
    const replicas = position === 0 && toAdd !== 0 ? Math.max(0, size + toAdd - added) : size;
    return { replicaSet, replicas, because: 'proportion' };
  });
  // The API server refuses a negative size, and the controller stops there until its next sync.
  const refused = resized.findIndex(({ replicas }) => replicas < 0);
  return refused < 0 ? resized : resized.slice(0, refused);
}

function allowedTotal(deployment: Deployment): number {
  const { replicas } = deployment.spec;
  return replicas === 0 ? 0 : replicas + rollingBounds(deployment).maxSurge;
}

/** Never beyond what is still to be added or removed (`GetReplicaSetProportion`). */
function proportion(deployment: Deployment, replicaSet: ReplicaSet, toAdd: number, added: number): number {
  if (replicaSet.spec.replicas === 0 || toAdd === 0 || toAdd === added) return 0;
  const share = fraction(deployment, replicaSet);
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
}

/**
 * `getReplicaSetFraction`: its size scaled by the allowed total over the total it was last sized for. The
 * controller multiplies in 32 bits, so from 46,341 pods on the product can wrap round, and one ReplicaSet may
 * get the whole difference.
 */
function fraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  const size = replicaSet.spec.replicas;
  if (deployment.spec.replicas === 0) return -size;
  const before = countAnnotation(replicaSet, maxReplicasAnnotation) || deployment.status.replicas;
  if (before === 0) return 0;
  return rounded(Math.imul(size, allowedTotal(deployment)) / before) - size;
}

/** To the nearest integer, halves away from zero (k8s.io/utils `integer.go: RoundToInt32`). */
function rounded(value: number): number {
  return Math.trunc(value < 0 ? value - 0.5 : value + 0.5);
}

function allReplicaSets({ oldReplicaSets, newReplicaSet }: Revisions): readonly ReplicaSet[] {
  return newReplicaSet === undefined ? oldReplicaSets : [...oldReplicaSets, newReplicaSet];
}
