import type { Statement } from '../language/statement.js';
import { nextArgoRolloutSteps } from '../rollout/argo-rollout/forecast.js';
import { updateEndOf } from '../rollout/argo-rollout/promotion.js';
import type { ArgoRolloutChange } from '../rollout/argo-rollout/rollout-change.js';
import type { Forecast } from '../rollout/forecast.js';
import type { PodOracle } from '../rollout/pod-oracle.js';
import type { ArgoRolloutState } from '../rollout/rollout-state.js';
import { effect } from './effects-text.js';
import { withoutFailedStarts } from './forecast-change.js';
import type { ChangeRequest } from './plan.js';
import { longestGrace } from './price-of.js';

/** What a change of a Rollout is forecast by. */
export interface RolloutInput {
  readonly state: ArgoRolloutState;
  readonly oracle: PodOracle;
}

/** The update under a change. A new pod that had its time to become ready and is not, stays so. */
export function forecastUpdate({ state, oracle }: RolloutInput, change: ArgoRolloutChange): Forecast {
  return nextArgoRolloutSteps(state, change, withoutFailedStarts(state, oracle));
}

/** How an update of a Rollout continues from a step, counted from 0, and how many pods stop on the way. */
export function updateEffects(
  { rollout }: ArgoRolloutState,
  { ends, victims }: Pick<Forecast, 'ends' | 'victims'>,
  fromStep: number,
): readonly Statement[] {
  const end = updateEndOf(rollout, fromStep);
  const arrives = ends === 'complete' || ends === 'contested';
  return [
    ...(arrives ? [end.type === 'step' ? effect('goes-to-step', end) : effect(`goes-to-${end.type}`)] : []),
    ...(victims.length === 0
      ? []
      : [effect('stops-until-then', { pods: victims.length, graceSeconds: longestGrace(victims) })]),
  ];
}

/** Aborts the update, or starts an aborted one again. */
export function abortRequest(abort: boolean): ChangeRequest {
  return { verb: 'patch', patchType: 'merge', subresource: 'status', body: { status: { abort } } };
}
