import type { Rollout, TrafficWeights } from '../../cluster/argo-rollout.js';
import type { ReplicaSet } from '../../cluster/workload.js';
import { isAtDesiredCounts } from './canary-progress.js';
import { currentSetWeight, currentStepOf, maxWeightOf } from './canary-steps.js';
import { desiredCanaryWeight } from './canary-weight.js';
import {
  isFullyPromoted,
  isThresholdMet,
  type Reconciliation,
  rollsBackDynamically,
} from './reconciliation.js';
import { hashOf } from './replica-set-roles.js';
import { switchServiceTo } from './services.js';

type Seen = Pick<Reconciliation, 'state' | 'rollout' | 'roles' | 'writes' | 'isAborted'>;

/**
 * The weights that the controller gives its router; `undefined` without one (`trafficrouting.go:
 * reconcileTrafficRouting`). The router is taken to follow the controller. Experiments get no weight here.
 */
export function routeTraffic(seen: Seen): TrafficWeights | undefined {
  const { rollout, roles } = seen;
  const present = rollout.status.canary.weights;
  if (rollout.spec.strategy.canary?.trafficRouting === undefined) return undefined;
  const canaryWeight = desiredWeight(seen);
  const stableWeight = maxWeightOf(rollout) - canaryWeight;
  if (!isEnoughAvailable(rollout, roles.stableReplicaSet, stableWeight)) return present;
  return {
    canary: {
      weight: canaryWeight,
      podTemplateHash: rollsBackDynamically(rollout, roles.newReplicaSet) ?? hashOf(roles.newReplicaSet),
    },
    stable: { weight: stableWeight, podTemplateHash: hashOf(roles.stableReplicaSet) },
  };
}

function desiredWeight(seen: Seen): number {
  const { rollout, roles, isAborted } = seen;
  const { spec, status } = rollout;
  const canary = spec.strategy.canary;
  const available = roles.newReplicaSet?.status.availableReplicas ?? 0;
  if (rollsBackDynamically(rollout, roles.newReplicaSet) !== undefined) return weightOnTheWayBack(seen);
  if (isFullyPromoted(rollout)) return 0;
  if (isAborted) {
    const weight = weightOnTheWayBack(seen);
    if (canary?.dynamicStableScale !== true || weight === 0) {
      switchServiceTo(seen, canary?.canaryService ?? '', roles.stableReplicaSet, false);
    }
    return weight;
  }
  if (available === 0) return 0;
  if (status.promoteFull) {
    if (canary?.dynamicStableScale !== true) return status.canary.weights?.canary.weight ?? 0;
    return Math.trunc((maxWeightOf(rollout) * available) / spec.replicas);
  }
  const current = currentStepOf(rollout);
  if (current === undefined) return 0;
  const steps = canary?.steps ?? [];
  if (!isAtDesiredCounts(rollout, roles, undefined)) {
    const former = steps.slice(0, current.index).filter(({ setWeight }) => setWeight !== undefined);
    return former.at(-1)?.setWeight ?? 0;
  }
  return current.index === steps.length ? maxWeightOf(rollout) : currentSetWeight(rollout);
}

/** After an abort, or back to the stable revision (`calculateDesiredWeightOnAbortOrStableRollback`). */
function weightOnTheWayBack({ rollout, roles }: Seen): number {
  const { newReplicaSet, stableReplicaSet } = roles;
  const { replicas, strategy } = rollout.spec;
  if (strategy.canary?.dynamicStableScale !== true || replicas === 0) return 0;
  if (newReplicaSet === undefined || stableReplicaSet === undefined) return 0;
  const all = maxWeightOf(rollout);
  const desired = desiredCanaryWeight(rollout, roles);
  const stable = Math.trunc((all * stableReplicaSet.status.availableReplicas) / replicas);
  const expected = Math.max(0, all - stable);
  const { weights } = rollout.status.canary;
  if (weights === undefined) return Math.max(expected, desired);
  const present = weights.canary.weight;
  if (desired <= 0) return Math.min(expected, present);
  return stable < all - desired ? present : Math.min(desired, present);
}

/** The stable ReplicaSet can take its part of the traffic (`checkReplicasAvailable`). */
function isEnoughAvailable(rollout: Rollout, replicaSet: ReplicaSet | undefined, weight: number): boolean {
  if (replicaSet === undefined) return false;
  const wanted = Math.trunc((weight * rollout.spec.replicas) / maxWeightOf(rollout));
  const { replicaProgressThreshold } = rollout.spec.strategy.canary ?? {};
  return (
    replicaSet.status.availableReplicas >= wanted ||
    isThresholdMet(replicaProgressThreshold, replicaSet, wanted)
  );
}
