import type { Rollout } from '../../objects/argo-rollout.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { currentStepOf, isOpaque } from './canary-steps.js';
import { deadlineOf, isFullyPromoted } from './reconciliation.js';

/** Why a Rollout that stands may go on, or why its controller does not act although pods are missing. */
export type RolloutWait =
  /** Somebody set `spec.paused`. */
  | 'user-pause'
  /** A pause step, a pause before the promotion, or an analysis or experiment without a conclusion. */
  | 'pause'
  | 'aborted'
  /** An analysis, an experiment or a plugin decides. */
  | 'analysis'
  /** A former revision stays up until a moment that lies ahead. */
  | 'scale-down-delay'
  /** `progressDeadlineAbort`: the controller aborts the update by itself. */
  | 'deadline-abort'
  | 'restart';

/** What the Rollout waits for besides pods; `undefined` where nothing but pods decides. */
export function waitOf({ rollout, replicaSets, now }: ArgoRolloutState): RolloutWait | undefined {
  const { spec, status } = rollout;
  if (spec.paused) return 'user-pause';
  if (status.abort && !isFullyPromoted(rollout)) return 'aborted';
  if (status.pauseConditions.length > 0 || status.controllerPause) return 'pause';
  if (isAnalysed(rollout)) return 'analysis';
  if (replicaSets.some((replicaSet) => (deadlineOf(replicaSet) ?? 0) > now)) return 'scale-down-delay';
  if (spec.progressDeadlineAbort && !isFullyPromoted(rollout)) return 'deadline-abort';
  if (isRestartPending(rollout)) return 'restart';
  return undefined;
}

/** The controller still evicts pods that are older than `spec.restartAt`. */
export function isRestartPending({ spec, status }: Rollout): boolean {
  return spec.restartAt !== undefined && Date.parse(spec.restartAt) !== Date.parse(status.restartedAt ?? '');
}

/**
 * Whether the controller has acted on the last abort or retry: it keeps the time of an abort
 * (`rollout/pause.go: CalculateAbortStatus`).
 */
export function hasSeenAbort({ status }: Rollout): boolean {
  return status.abort === (status.abortedAt !== undefined);
}

const ended: ReadonlySet<string> = new Set(['Successful', 'Failed', 'Error', 'Inconclusive']);

/** An analysis or experiment of the present update runs, or the current step is one. */
function isAnalysed(rollout: Rollout): boolean {
  if (isFullyPromoted(rollout)) return false;
  const { canary, blueGreen } = rollout.status;
  const step = currentStepOf(rollout)?.step;
  if (step !== undefined && isOpaque(step)) return true;
  const runs = [
    canary.currentStepAnalysisRunStatus,
    canary.currentBackgroundAnalysisRunStatus,
    blueGreen.prePromotionAnalysisRunStatus,
    blueGreen.postPromotionAnalysisRunStatus,
  ];
  return runs.some((run) => run !== undefined && !ended.has(run.status));
}

/** A part of the update that the engine cannot foresee lies ahead: a forecast must not go beyond it. */
export function hasOpaquePart({ spec }: Rollout): boolean {
  const { canary, blueGreen } = spec.strategy;
  return (
    canary?.analysis !== undefined ||
    blueGreen?.prePromotionAnalysis !== undefined ||
    blueGreen?.postPromotionAnalysis !== undefined
  );
}

/** A person has to act before the update goes on. */
export function waitsForPeople({ spec, status }: Rollout): boolean {
  return spec.paused || status.pauseConditions.length > 0 || status.abort;
}

const failed: ReadonlySet<string> = new Set(['Failed', 'Error']);

/** The analysis of the present update that failed; `undefined` where none did. */
export function failedAnalysisOf({
  status: { canary, blueGreen },
}: Rollout): 'step' | 'background' | 'pre-promotion' | 'post-promotion' | undefined {
  const runs = [
    ['step', canary.currentStepAnalysisRunStatus],
    ['background', canary.currentBackgroundAnalysisRunStatus],
    ['pre-promotion', blueGreen.prePromotionAnalysisRunStatus],
    ['post-promotion', blueGreen.postPromotionAnalysisRunStatus],
  ] as const;
  return runs.find(([, run]) => run !== undefined && failed.has(run.status))?.[0];
}
