import { isFullyPromoted } from '../../../../engine/workloads/argo-rollout/reconciliation.js';
import { failedAnalysisOf } from '../../../../engine/workloads/argo-rollout/waits.js';
import { type Considered, considered, impossible } from '../../considered.js';
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
    ...considered(kind, forecast, {
      title: say('title'),
      effects: [say('starts-again'), ...updateEffects(forecast)],
    }),
    ...(failedAnalysisOf(state.rollout) === undefined ? {} : { against: say('withheld-analysis') }),
  };
}
