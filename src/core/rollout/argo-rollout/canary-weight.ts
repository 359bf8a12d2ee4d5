import type { Rollout } from '../../cluster/argo-rollout.js';
import { currentSetWeight, maxWeightOf, setCanaryScaleOf } from './canary-steps.js';
import type { ReplicaSetRoles } from './replica-set-roles.js';

/** A number of canary pods where a step sets one, else the weight that they stand for. */
export interface CanaryScale {
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
