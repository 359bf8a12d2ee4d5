import type { Rollout, TrafficWeights } from '../../cluster/argo-rollout.js';
import type { CanarySizes } from './basic-canary.js';
import { maxWeightOf } from './canary-steps.js';
import { desiredCanaryScale, podsForWeight } from './canary-weight.js';
import type { ReplicaSetRoles } from './replica-set-roles.js';

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
