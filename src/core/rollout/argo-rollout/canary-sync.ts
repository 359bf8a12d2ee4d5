import { completesStep } from './canary-progress.js';
import { currentStepOf } from './canary-steps.js';
import { scaleForCanary } from './main-replica-sets.js';
import {
  baseStatus,
  hasNewSteps,
  hasNewTemplate,
  type PauseDecisions,
  persisted,
  type RolloutStatus,
  resetStatus,
} from './next-status.js';
import { removeExpired } from './old-replica-sets.js';
import {
  availableOf,
  isRollbackWithinWindow,
  isThresholdMet,
  type Reconciliation,
} from './reconciliation.js';
import { hashOf } from './replica-set-roles.js';
import { restartPods } from './restart-pods.js';
import { switchCanaryServices } from './services.js';
import { stepHashOf } from './step-hash.js';
import type { Synced } from './synced.js';
import { routeTraffic } from './traffic-weights.js';

/** One reconciliation of a canary (`rollout/canary.go: rolloutCanary`). */
export function syncCanary(seen: Reconciliation): Synced {
  const { state, rollout, roles } = seen;
  if (hasNewSteps(rollout) || hasNewTemplate(rollout, roles))
    return { status: statusAfterChange(seen), evicted: [] };
  const restart = restartPods(state);
  if (restart.evicted.length > 0) return { status: rollout.status, evicted: restart.evicted };
  removeExpired(seen);
  switchCanaryServices(seen);
  const routed: Reconciliation = { ...seen, weights: routeTraffic(seen) };
  const hasScaled = scaleForCanary(routed);
  const pauses = hasScaled ? {} : pauseDecisions(routed);
  const status = statusOf(routed, pauses);
  const restartedAt = restart.isDone ? rollout.spec.restartAt : status.restartedAt;
  return { status: { ...status, restartedAt }, evicted: [] };
}

/** The status right after the template or the steps changed; nothing is scaled in this reconciliation. */
function statusAfterChange({ state, rollout, roles }: Reconciliation): RolloutStatus {
  const { status } = rollout;
  const { newReplicaSet } = roles;
  const steps = rollout.spec.strategy.canary?.steps.length ?? 0;
  const reset = resetStatus(baseStatus(state, roles), rollout);
  const isBack = newReplicaSet !== undefined && status.stableRS === hashOf(newReplicaSet);
  const isBackWithinWindow =
    (newReplicaSet?.spec.replicas ?? 0) > 0 && isRollbackWithinWindow(rollout, roles, state.replicaSets);
  const currentStepIndex = steps > 0 && (isBack || isBackWithinWindow) ? steps : reset.currentStepIndex;
  const currentStepHash = stepHashOf(rollout) ?? status.currentStepHash;
  return persisted(state, { ...reset, currentStepIndex, currentStepHash }, { clears: true, endsAbort: true });
}

/** `canary.go: reconcileCanaryPause`. */
function pauseDecisions({ rollout }: Reconciliation): PauseDecisions {
  const { spec, status } = rollout;
  const step = currentStepOf(rollout)?.step;
  if (spec.paused || status.promoteFull || step?.pause === undefined) return {};
  const isPaused = status.pauseConditions.some(({ reason }) => reason === 'CanaryPauseStep');
  return isPaused || status.controllerPause ? {} : { adds: 'CanaryPauseStep' };
}

/** `canary.go: syncRolloutStatusCanary`. */
function statusOf(seen: Reconciliation, pauses: PauseDecisions): RolloutStatus {
  const { state, rollout, roles } = seen;
  const steps = rollout.spec.strategy.canary?.steps.length ?? 0;
  const base: RolloutStatus = {
    ...baseStatus(state, roles),
    currentStepHash: stepHashOf(rollout) ?? rollout.status.currentStepHash,
    canary: { ...rollout.status.canary, weights: seen.weights },
  };
  const isFast = rollout.status.promoteFull || isRollbackWithinWindow(rollout, roles, state.replicaSets);
  const decided: PauseDecisions = {
    ...pauses,
    ...(isFast ? { clears: true, endsAbort: true } : {}),
    ...(rollout.status.abort && !seen.isAborted ? { endsAbort: true } : {}),
  };
  const isAborted = seen.isAborted && !isFast;
  const index = isFast && steps > 0 ? steps : currentStepOf(rollout)?.index;
  if (isPromoted(seen, isAborted)) {
    return persisted(
      state,
      {
        ...base,
        promoteFull: false,
        stableRS: base.currentPodHash,
        currentStepIndex: steps > 0 ? steps : undefined,
        blueGreen: { ...base.blueGreen, scaleUpPreviewCheckPoint: false },
      },
      { clears: true, endsAbort: true },
    );
  }
  if (isAborted) {
    const atEnd = base.stableRS === base.currentPodHash ? steps : 0;
    return persisted(state, { ...base, currentStepIndex: steps > 0 ? atEnd : undefined }, decided);
  }
  if (completesStep(seen)) {
    return persisted(
      state,
      { ...base, currentStepIndex: (index ?? 0) + 1 },
      { ...decided, removes: 'CanaryPauseStep' },
    );
  }
  return persisted(state, { ...base, currentStepIndex: index }, decided);
}

/** The new revision becomes the stable one (`sync.go: shouldFullPromote`). */
function isPromoted({ state, rollout, roles }: Reconciliation, isAborted: boolean): boolean {
  const { newReplicaSet, stableReplicaSet } = roles;
  if (stableReplicaSet === undefined) return true;
  const { replicas, strategy } = rollout.spec;
  if (isAborted || newReplicaSet === undefined) return false;
  const isEnough =
    availableOf([newReplicaSet]) >= replicas ||
    isThresholdMet(strategy.canary?.replicaProgressThreshold, newReplicaSet, replicas);
  if (!isEnough) return false;
  if (rollout.status.promoteFull || isRollbackWithinWindow(rollout, roles, state.replicaSets)) return true;
  const steps = strategy.canary?.steps.length ?? 0;
  return steps === 0 || currentStepOf(rollout)?.index === steps;
}
