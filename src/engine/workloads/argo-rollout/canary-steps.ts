import type { CanaryStep, Rollout } from '../../objects/argo-rollout.js';
import type { IntOrString } from '../../objects/wire.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { deadlineOf, isFullyPromoted } from './reconciliation.js';

/** The step that a canary is at: its index, and the step, which is absent after the last one. */
type CurrentStep = { readonly index: number; readonly step: CanaryStep | undefined };

/** `undefined` for a Rollout without steps (`utils/replicaset/canary.go: GetCurrentCanaryStep`). */
export function currentStepOf({ spec, status }: Rollout): CurrentStep | undefined {
  const steps = spec.strategy.canary?.steps ?? [];
  if (steps.length === 0) return undefined;
  const index = status.currentStepIndex ?? 0;
  return { index, step: steps[index] };
}

/** The weight of all traffic, 100 unless the router has another (`utils/weightutil`). */
export function maxWeightOf({ spec }: Rollout): number {
  return spec.strategy.canary?.trafficRouting?.maxTrafficWeight ?? 100;
}

/**
 * The last `setWeight` up to the current step; 0 before the first one and after an abort, all after the last
 * step.
 */
export function currentSetWeight(rollout: Rollout): number {
  if (rollout.status.abort) return 0;
  const current = currentStepOf(rollout);
  if (current?.step === undefined) return maxWeightOf(rollout);
  const steps = rollout.spec.strategy.canary?.steps ?? [];
  for (let index = current.index; index >= 0; index -= 1) {
    const weight = steps[index]?.setWeight;
    if (weight !== undefined) return weight;
  }
  return 0;
}

/**
 * The last `setCanaryScale` up to the current step, unless a later one returns to the weight of the traffic
 * (`UseSetCanaryScale`).
 */
export function setCanaryScaleOf(rollout: Rollout): CanaryStep['setCanaryScale'] {
  const { canary } = rollout.spec.strategy;
  if (canary?.trafficRouting === undefined) return undefined;
  if (rollout.status.abort && canary.abortScaleDownDelaySeconds !== 0) return undefined;
  const current = currentStepOf(rollout);
  if (current?.step === undefined) return undefined;
  for (let index = current.index; index >= 0; index -= 1) {
    const scale = canary.steps[index]?.setCanaryScale;
    if (scale !== undefined) return scale.matchTrafficWeight ? undefined : scale;
  }
  return undefined;
}

const unit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

/**
 * Seconds of a pause; `undefined` where a person has to end it (`types.go: RolloutPause.DurationSeconds`).
 */
export function pauseSeconds({ pause }: CanaryStep): number | undefined {
  const duration = pause?.duration;
  if (duration === undefined) return undefined;
  if (typeof duration === 'number') return duration;
  if (/^\d+$/.test(duration)) return Number(duration);
  const parts = [...duration.matchAll(/(\d{1,10}(?:\.\d{1,10})?)(h|ms|m|s)/g)];
  if (parts.map(([part]) => part).join('') !== duration) return -1;
  return Math.trunc(parts.reduce((sum, [, count, of = '']) => sum + Number(count) * (unit[of] ?? 0.001), 0));
}

/** Only another controller, or a plugin, ends this step. */
export function isOpaque(step: CanaryStep): boolean {
  return step.analysis !== undefined || step.experiment !== undefined || step.plugin !== undefined;
}

/** What an update may do to the pods of a Rollout, in pods. */
type RolloutBounds = { readonly maxSurge: number; readonly maxUnavailable: number };

/** `utils/defaults/defaults.go: DefaultMaxSurge, DefaultMaxUnavailable`. */
export const defaultBound = '25%';

/**
 * A count as it is, a text as a percentage of `total`, with or without its sign (apimachinery
 * `intstr.go: GetValueFromIntOrPercent`). A text that is no number counts as 0, because the controller
 * ignores that error.
 */
function scaled(value: IntOrString, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = /^\d+%?$/.test(value) ? Number.parseInt(value, 10) : 0;
  return round((percent * total) / 100);
}

/**
 * The bounds of a canary without a traffic router: maxSurge rounded up, maxUnavailable rounded down and at
 * most `replicas`; where both are 0, maxUnavailable is 1 (`utils/replicaset/replicaset.go: resolveFenceposts,
 * MaxSurge, MaxUnavailable`).
 */
export function canaryBounds({ spec }: Rollout): RolloutBounds {
  const { replicas } = spec;
  const { canary } = spec.strategy;
  if (canary === undefined) return { maxSurge: 0, maxUnavailable: blueGreenUnavailable(spec) };
  const maxSurge = scaled(canary.maxSurge ?? defaultBound, replicas, Math.ceil);
  const floor = scaled(canary.maxUnavailable ?? defaultBound, replicas, Math.floor);
  const maxUnavailable = maxSurge === 0 && floor === 0 ? 1 : floor;
  return { maxSurge, maxUnavailable: replicas === 0 ? 0 : Math.min(maxUnavailable, replicas) };
}

function blueGreenUnavailable({ replicas, strategy }: Rollout['spec']): number {
  const bound = strategy.blueGreen?.maxUnavailable ?? defaultBound;
  return Math.min(scaled(bound, replicas, Math.floor), replicas);
}

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
