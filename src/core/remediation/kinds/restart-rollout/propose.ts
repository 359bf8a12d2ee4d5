import type { Snapshot } from '../../../cluster/snapshot.js';
import type { PodOracle } from '../../../rollout/pod-oracle.js';
import type { RolloutState } from '../../../rollout/rollout-state.js';
import { forecastChange } from '../../forecast-change.js';
import { type Offer, offered, withheld } from '../../offer.js';
import { predictionOf, priceOf } from '../../price-of.js';
import { tooLarge } from '../../refusals.js';
import { replacesOnlyDeleted } from '../../replaces-only-deleted.js';
import { state as say } from './statements.js';

export interface RestartRolloutInput {
  readonly snapshot: Snapshot;
  readonly state: RolloutState;
  readonly oracle: PodOracle;
}

const kind = 'restart-rollout';

/**
 * What `kubectl rollout restart` does. Offered where the engines see the restarted rollout end; in a deadlock it only
 * swaps one waiting pod for another.
 */
export function proposeRestartRollout({ snapshot, state, oracle }: RestartRolloutInput): Offer<typeof kind> {
  const { metadata } = snapshot.workload;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (state.kind === 'Deployment' && state.deployment.spec.paused) {
    return withheld(kind, say('withheld-paused', { workload }));
  }
  if (replacesOnlyDeleted(snapshot.workload)) return withheld(kind, say('withheld-on-delete', { workload }));
  const forecast = forecastChange(state, { kind: 'restart' }, oracle);
  if (forecast.ends === 'too-large') return withheld(kind, tooLarge(metadata, forecast));
  if (forecast.ends === 'unknown') return withheld(kind, say('withheld-unknown', {}));
  if (forecast.ends === 'stuck') {
    return withheld(
      kind,
      say('withheld-deadlock', { pods: forecast.waiting.map((pod) => pod.metadata.name) }),
    );
  }
  return offered({
    kind,
    id: kind,
    title: say('title', {}),
    effects: [
      say('new-revision', { workload }),
      say('replaces', { pods: forecast.victims.length }),
      say('same-otherwise', {}),
      say('no-undo', {}),
    ],
    price: priceOf(forecast, 'template'),
    prediction: predictionOf(forecast, []),
  });
}
