import type { Rollout } from '../../objects/argo-rollout.js';
import type { PodTemplate } from '../../objects/pod-spec.js';
import type { IntOrString } from '../../objects/wire.js';
import { apiTime } from '../creation-order.js';
import { podsWithout } from '../rollout-change.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { currentStepOf, pauseSeconds } from './canary-steps.js';
import { isFullyPromoted } from './reconciliation.js';
import { declaredTemplate } from './replica-set-roles.js';

/** A change somebody might make to a Rollout or to one of its pods. */
export type ArgoRolloutChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'template'; readonly template: PodTemplate }
  /** Back to the template of that ReplicaSet. */
  | { readonly kind: 'undo'; readonly replicaSet: string }
  /** Every pod that is older than now is evicted (`spec.restartAt`). */
  | { readonly kind: 'restart' }
  | { readonly kind: 'delete-pod'; readonly pod: string }
  /** Bounds of a canary without a traffic router. */
  | { readonly kind: 'bounds'; readonly maxSurge: IntOrString; readonly maxUnavailable: IntOrString }
  | { readonly kind: 'abort' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'promote-full' }
  /** The pause that the update waits at ends, as if a person promoted it. */
  | { readonly kind: 'promote' }
  /** `spec.paused` is set. */
  | { readonly kind: 'pause' }
  /** `spec.paused` ends. */
  | { readonly kind: 'resume' };

/** The state right after the change; `undefined` when it names something that is not there. */
export function changedArgoRollout(
  state: ArgoRolloutState,
  change: ArgoRolloutChange,
): ArgoRolloutState | undefined {
  const { rollout, now } = state;
  switch (change.kind) {
    case 'none':
      return state;
    case 'template':
      return withSpec(state, { template: change.template });
    case 'undo': {
      const target = state.replicaSets.find(({ metadata }) => metadata.name === change.replicaSet);
      return target && withSpec(state, { template: declaredTemplate(target) });
    }
    case 'restart':
      return withSpec({ ...state, now: now + 1_000 }, { restartAt: apiTime(now) });
    case 'delete-pod':
      if (!state.pods.some(({ metadata }) => metadata.name === change.pod)) return undefined;
      return { ...state, pods: podsWithout(state.pods, change.pod, now) };
    case 'bounds': {
      const { canary } = rollout.spec.strategy;
      if (canary === undefined || canary.trafficRouting !== undefined) return undefined;
      const { maxSurge, maxUnavailable } = change;
      const strategy = { ...rollout.spec.strategy, canary: { ...canary, maxSurge, maxUnavailable } };
      return withSpec(state, { strategy });
    }
    case 'abort':
      return withStatus(state, { abort: true });
    case 'retry':
      return withStatus(state, { abort: false });
    case 'promote-full':
      return withStatus(withSpec(state, { paused: false }), { promoteFull: true });
    case 'promote': {
      const promotion = promotionOf(rollout);
      return promotion && withStatus(state, { ...promotion, pauseConditions: [] });
    }
    case 'pause':
      return withSpec(state, { paused: true });
    case 'resume':
      return withSpec(state, { paused: false });
  }
}

function withSpec(state: ArgoRolloutState, fields: Partial<Rollout['spec']>): ArgoRolloutState {
  const { rollout } = state;
  const isSame = Object.entries(fields).every(
    ([name, value]) => rollout.spec[name as keyof Rollout['spec']] === value,
  );
  if (isSame) return state;
  const generation = (rollout.metadata.generation ?? 0) + 1;
  return {
    ...state,
    rollout: {
      ...rollout,
      metadata: { ...rollout.metadata, generation },
      spec: { ...rollout.spec, ...fields },
    },
  };
}

function withStatus(state: ArgoRolloutState, fields: Partial<Rollout['status']>): ArgoRolloutState {
  const { rollout } = state;
  return { ...state, rollout: { ...rollout, status: { ...rollout.status, ...fields } } };
}

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
