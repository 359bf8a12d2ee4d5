import type { Rollout } from '../../objects/argo-rollout.js';
import { currentStepOf, pauseSeconds } from './canary-steps.js';
import { isFullyPromoted } from './reconciliation.js';

/**
 * Whether the controller would pause again right after a promotion: after an experiment without a conclusion,
 * its step is never done, and no other experiment is made (argo-rollouts
 * `rollout/experiment.go: reconcileExperiments`).
 */
export function pausesAgain({ status }: Rollout): boolean {
  return status.pauseConditions.some(({ reason }) => reason === 'InconclusiveExperiment');
}

/** What a promotion sets in the status besides the removal of the pauses. */
export interface Promotion {
  /** Only after an analysis step without a conclusion: the controller would pause there again. */
  readonly controllerPause?: false;
  readonly currentStepIndex?: number;
}

/**
 * How `kubectl argo rollouts promote` ends the pause that an update waits at (argo-rollouts
 * `pkg/kubectl-argo-rollouts/cmd/promote/promote.go: getPatches`). `undefined` where it waits at none: there,
 * the command would skip a step.
 */
export function promotionOf(rollout: Rollout): Promotion | undefined {
  const { pauseConditions, controllerPause, canary } = rollout.status;
  if (pauseConditions.length === 0 || isFullyPromoted(rollout)) return undefined;
  const current = currentStepOf(rollout);
  const isInconclusive = canary.currentStepAnalysisRunStatus?.status === 'Inconclusive';
  return isInconclusive && controllerPause && current?.step !== undefined
    ? { controllerPause: false, currentStepIndex: current.index + 1 }
    : {};
}

/** Where an update has come to rest with all of its pods. */
export type UpdateEnd =
  /** Steps are counted from 1. */
  | { readonly type: 'step'; readonly step: number; readonly of: number }
  /** A person promotes a blue-green update. */
  | { readonly type: 'before-promotion' }
  | { readonly type: 'promoted' }
  | { readonly type: 'aborted' };

/** Of a Rollout that nothing but a person or an analysis takes further. */
export function updateEndOf(rollout: Rollout): UpdateEnd {
  if (isFullyPromoted(rollout)) return { type: 'promoted' };
  if (rollout.status.abort) return { type: 'aborted' };
  const current = currentStepOf(rollout);
  const of = rollout.spec.strategy.canary?.steps.length ?? 0;
  return current === undefined ? { type: 'before-promotion' } : { type: 'step', step: current.index + 1, of };
}

/** Whether a pause with this reason has a length. Otherwise a person ends it. */
export function pauseEndsByTime(rollout: Rollout, reason: string): boolean {
  const { blueGreen } = rollout.spec.strategy;
  if (reason === 'BlueGreenPause') {
    return blueGreen?.autoPromotionEnabled === true && blueGreen.autoPromotionSeconds > 0;
  }
  const step = currentStepOf(rollout)?.step;
  return reason === 'CanaryPauseStep' && step !== undefined && pauseSeconds(step) !== undefined;
}
