import type { Rollout } from '../../objects/argo-rollout.js';
import type { PodTemplate } from '../../objects/pod-spec.js';
import type { IntOrString } from '../../objects/wire.js';
import { apiTime } from '../creation-order.js';
import { podsWithout } from '../rollout-change.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { promotionOf } from './promotion.js';
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
