import type { Deployment, ReplicaSet } from '../cluster/workload.js';
import { fencepostsOf, rollingBounds } from './fenceposts.js';
import { isActiveReplicaSet } from './revisions.js';

/** A new size for an old ReplicaSet; one sync may shrink the same one twice, for either reason. */
export interface ShrunkOld {
  readonly replicaSet: ReplicaSet;
  readonly from: number;
  readonly to: number;
  readonly because: 'unhealthy-old' | 'old-down';
}

/**
 * Size of the new ReplicaSet: up to `replicas` and to what maxSurge leaves beside the old ones, by spec, so
 * that terminating pods do not count. `undefined` stands for one still to be created (kubernetes
 * `deployment_util.go: NewRSNewReplicas`, `rolling.go: reconcileNewReplicaSet`).
 */
export function newReplicaSetSize(
  deployment: Deployment,
  oldReplicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
): number {
  const { replicas, strategy } = deployment.spec;
  const current = newReplicaSet?.spec.replicas ?? 0;
  if (strategy.type === 'Recreate' || current >= replicas) return replicas;
  const total = totalSpec(oldReplicaSets) + current;
  const room = replicas + surgeOf(deployment) - total;
  return room <= 0 ? current : current + Math.min(room, replicas - current);
}

/** maxSurge by itself: the rule "both 0" concerns maxUnavailable only. */
function surgeOf(deployment: Deployment): number {
  const fenceposts = fencepostsOf(deployment);
  return fenceposts.kind === 'resolved' ? fenceposts.maxSurge : 0;
}

/**
 * Which old ReplicaSets shrink, to what: first pods that are not available, then as many available ones as
 * minAvailable spares, oldest ReplicaSet first. New pods that are not available yet are not spent a second
 * time (kubernetes `rolling.go: reconcileOldReplicaSets`).
 */
export function oldReplicaSetSizes(
  deployment: Deployment,
  oldReplicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): readonly ShrunkOld[] {
  const active = oldReplicaSets.filter(isActiveReplicaSet);
  if (active.length === 0) return [];
  const { minAvailable } = rollingBounds(deployment);
  const newUnavailable = newReplicaSet.spec.replicas - newReplicaSet.status.availableReplicas;
  const budget = totalSpec(active) + newReplicaSet.spec.replicas - minAvailable - newUnavailable;
  if (budget <= 0) return [];
  const { shrunk, metStaleCount } = withoutUnhealthy(active, budget);
  if (metStaleCount) return shrunk;
  const sizes = new Map(shrunk.map(({ replicaSet, to }) => [replicaSet, to]));
  const available =
    active.reduce((sum, { status }) => sum + status.availableReplicas, 0) +
    newReplicaSet.status.availableReplicas;
  return [...shrunk, ...withoutSpare(active, sizes, available - minAvailable)];
}

/**
 * `cleanupUnhealthyReplicas`. A ReplicaSet with more available pods than it wants has a status behind its
 * spec: the controller takes that for an error and leaves the rest to the next sync.
 */
function withoutUnhealthy(
  active: readonly ReplicaSet[],
  budget: number,
): { readonly shrunk: readonly ShrunkOld[]; readonly metStaleCount: boolean } {
  let left = budget;
  const shrunk: ShrunkOld[] = [];
  for (const replicaSet of active) {
    if (left <= 0) break;
    const from = replicaSet.spec.replicas;
    const unhealthy = from - replicaSet.status.availableReplicas;
    if (unhealthy < 0) return { shrunk, metStaleCount: true };
    const count = Math.min(left, unhealthy);
    if (count === 0) continue;
    left -= count;
    shrunk.push({ replicaSet, from, to: from - count, because: 'unhealthy-old' });
  }
  return { shrunk, metStaleCount: false };
}

/** `scaleDownOldReplicaSetsForRollingUpdate`, on the sizes that the clean-up has left. */
function withoutSpare(
  active: readonly ReplicaSet[],
  sizes: ReadonlyMap<ReplicaSet, number>,
  spare: number,
): readonly ShrunkOld[] {
  let left = spare;
  const shrunk: ShrunkOld[] = [];
  for (const replicaSet of active) {
    if (left <= 0) break;
    const from = sizes.get(replicaSet) ?? replicaSet.spec.replicas;
    const count = Math.min(left, from);
    if (count === 0) continue;
    left -= count;
    shrunk.push({ replicaSet, from, to: from - count, because: 'old-down' });
  }
  return shrunk;
}

function totalSpec(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((total, { spec }) => total + spec.replicas, 0);
}
