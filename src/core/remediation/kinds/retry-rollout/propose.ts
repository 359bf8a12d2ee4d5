import { isFullyPromoted } from '../../../rollout/argo-rollout/reconciliation.js';
import { failedAnalysisOf } from '../../../rollout/argo-rollout/waits.js';
import { type Considered, impossible } from '../../considered.js';
import { predictionOf, priceOf } from '../../price-of.js';
import { refusalStatement } from '../../refusals.js';
import { forecastUpdate, type RolloutInput, updateEffects } from '../../rollout-update.js';
import type { RetryRollout } from './plan.js';
import { state as say } from './text.js';

const kind = 'retry-rollout';

/** The retry and its forecast, however that ends; impossible where no update was aborted. */
export function considerRetryRollout(input: RolloutInput): Considered<RetryRollout> {
  const { state } = input;
  const { metadata, spec, status } = state.rollout;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (!status.abort || isFullyPromoted(state.rollout)) return impossible(say('not-aborted', { workload }));
  if (spec.paused) return impossible(refusalStatement('paused', { workload }));
  const forecast = forecastUpdate(input, { kind: 'retry' });
  return {
    type: 'considered',
    forecast,
    remediation: {
      kind,
      id: kind,
      title: say('title'),
      effects: [say('starts-again'), ...updateEffects(forecast)],
      price: priceOf(forecast, 'none'),
      prediction: predictionOf(forecast),
    },
    ...(failedAnalysisOf(state.rollout) === undefined ? {} : { against: say('withheld-analysis') }),
  };
}
