import type { Rollout } from '../../cluster/argo-rollout.js';
import { currentStepOf, isOpaque, pauseSeconds } from './canary-steps.js';
import { isFullyPromoted } from './reconciliation.js';

/**
 * Whether the controller would pause again right after a promotion: after an experiment without a conclusion, its step is
 * never done, and no other experiment is made (argo-rollouts `rollout/experiment.go: reconcileExperiments`).
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
 * `pkg/kubectl-argo-rollouts/cmd/promote/promote.go: getPatches`). `undefined` where it waits at none: there, the command
 * would skip a step.
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

/** Where an update comes to rest if all of its pods become available. */
export type UpdateEnd =
  /** Steps are counted from 1. */
  | { readonly type: 'step'; readonly step: number; readonly of: number }
  /** A person promotes a blue-green update. */
  | { readonly type: 'before-promotion' }
  | { readonly type: 'promoted' };

/** The first step from this index on that a person or an analysis ends. Pauses with a length end by themselves. */
export function updateEndOf({ spec }: Rollout, from: number): UpdateEnd {
  const { canary, blueGreen } = spec.strategy;
  if (blueGreen?.autoPromotionEnabled === false && from === 0) return { type: 'before-promotion' };
  const steps = canary?.steps ?? [];
  const held = steps.findIndex(
    (step, index) =>
      index >= from && (isOpaque(step) || (step.pause !== undefined && pauseSeconds(step) === undefined)),
  );
  return held < 0 ? { type: 'promoted' } : { type: 'step', step: held + 1, of: steps.length };
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
