import { pausesAgain, promotionOf } from '../../../../engine/workloads/argo-rollout/promotion.js';
import { isFullyPromoted } from '../../../../engine/workloads/argo-rollout/reconciliation.js';
import { type Considered, considered, impossible } from '../../considered.js';
import { refusalStatement } from '../../refusals.js';
import { forecastUpdate, type RolloutInput, updateEffects } from '../../rollout-update.js';
import type { PromoteRollout } from './plan.js';
import { state as say } from './text.js';

const kind = 'promote-rollout';

/**
 * The end of the pause and its forecast, however that ends; impossible where the update waits at no pause.
 */
export function considerPromoteRollout(input: RolloutInput): Considered<PromoteRollout> {
  const { state } = input;
  const { metadata, spec, status } = state.rollout;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (isFullyPromoted(state.rollout)) return impossible(say('no-update', { workload }));
  if (spec.paused) return impossible(refusalStatement('paused', { workload }));
  if (status.abort) return impossible(say('aborted', { workload }));
  if (pausesAgain(state.rollout)) return impossible(refusalStatement('pauses-again', { workload }));
  if (promotionOf(state.rollout) === undefined) {
    return impossible(refusalStatement('waits-at-no-pause', { workload }));
  }
  const forecast = forecastUpdate(input, { kind: 'promote' });
  return considered(kind, forecast, {
    title: say('title'),
    effects: [...updateEffects(forecast), say('skips-nothing'), say('no-undo')],
  });
}
