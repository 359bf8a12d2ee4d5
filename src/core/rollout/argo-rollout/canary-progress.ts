import type { Rollout, TrafficWeights } from '../../cluster/argo-rollout.js';
import { basicCanarySizes } from './basic-canary.js';
import { currentStepOf, pauseSeconds } from './canary-steps.js';
import { availableOf, isThresholdMet, type Reconciliation } from './reconciliation.js';
import type { ReplicaSetRoles } from './replica-set-roles.js';
import { routedCanarySizes } from './routed-canary.js';

/**
 * The pods of a step are there: enough of the new ones available, the stable ones created and, without a
 * router, none of another revision available (`utils/replicaset/canary.go: AtDesiredReplicaCountsForCanary`).
 */
export function isAtDesiredCounts(
  rollout: Rollout,
  roles: ReplicaSetRoles,
  weights: TrafficWeights | undefined,
): boolean {
  const { canary } = rollout.spec.strategy;
  const isRouted = canary?.trafficRouting !== undefined;
  const desired = isRouted ? routedCanarySizes(rollout, roles, weights) : basicCanarySizes(rollout, roles);
  if (!isThresholdMet(canary?.replicaProgressThreshold, roles.newReplicaSet, desired.canary)) return false;
  const { stableReplicaSet } = roles;
  const isCreated =
    stableReplicaSet !== undefined &&
    stableReplicaSet.spec.replicas === desired.stable &&
    stableReplicaSet.status.replicas === desired.stable;
  if (!(isRouted && canary.dynamicStableScale) && !isCreated) return false;
  return isRouted || availableOf(roles.others) === 0;
}

/**
 * The current step is done (`canary.go: completedCurrentCanaryStep`). Analyses, experiments and plugins are
 * never done here, because only their own controllers know.
 */
export function completesStep({ state, rollout, roles, weights }: Reconciliation): boolean {
  const step = currentStepOf(rollout)?.step;
  if (rollout.spec.paused || step === undefined) return false;
  if (step.pause !== undefined) return completesPause(rollout, pauseSeconds(step), state.now);
  if (step.setCanaryScale !== undefined || step.setWeight !== undefined) {
    return isAtDesiredCounts(rollout, roles, weights);
  }
  return step.setHeaderRoute !== undefined || step.setMirrorRoute !== undefined;
}

/** A person removed the pause, or its time is over (`pause.go: CompletedCanaryPauseStep`). */
function completesPause({ status }: Rollout, seconds: number | undefined, now: number): boolean {
  const pause = status.pauseConditions.find(({ reason }) => reason === 'CanaryPauseStep');
  if (pause === undefined) return status.controllerPause;
  if (seconds === undefined || pause.startTime === undefined) return false;
  return now > Date.parse(pause.startTime) + seconds * 1_000;
}
