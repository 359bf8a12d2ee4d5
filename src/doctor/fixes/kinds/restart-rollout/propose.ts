import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import { isPaused, isRevisioned } from '../../../../engine/objects/workload.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import type { RolloutState } from '../../../../engine/workloads/rollout-state.js';
import { type Considered, considered, impossible } from '../../considered.js';
import { effect } from '../../effects-text.js';
import { forecastChange } from '../../forecast-change.js';
import { notRecommended, type Offer, offered } from '../../offer.js';
import { tooLarge } from '../../refusals.js';
import { replacesOnlyDeleted } from '../../replaces-only-deleted.js';
import type { RestartRollout } from './plan.js';
import { state as say } from './text.js';

export interface RestartRolloutInput {
  readonly snapshot: Snapshot;
  readonly state: RolloutState;
  readonly simulator: PodSimulator;
}

const kind = 'restart-rollout';

/**
 * What `kubectl rollout restart` does. Offered where the engines see the restarted rollout end; in a deadlock
 * it only swaps one waiting pod for another.
 */
export function proposeRestartRollout(input: RestartRolloutInput): Offer<RestartRollout> {
  const answer = considerRestartRollout(input);
  if (answer.type === 'impossible') return notRecommended(kind, answer.because);
  const { forecast, remediation } = answer;
  switch (forecast.ends) {
    case 'complete':
    case 'contested':
      return offered(remediation);
    case 'stuck':
      return notRecommended(
        kind,
        say('withheld-deadlock', { pods: forecast.waiting.map((pod) => pod.metadata.name) }),
      );
    case 'too-large':
      return notRecommended(kind, tooLarge(input.snapshot.workload.metadata, forecast));
    case 'unknown':
      return notRecommended(kind, effect('withheld-unknown'));
  }
}

/** The restart and its forecast, however that ends; impossible where no controller would act on it. */
export function considerRestartRollout({
  snapshot,
  state,
  simulator,
}: RestartRolloutInput): Considered<RestartRollout> {
  const { metadata } = snapshot.workload;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (isPaused(snapshot.workload)) {
    return impossible(say('withheld-paused', { workload }));
  }
  if (isRevisioned(snapshot.workload)) return impossible(effect('withheld-revisions', { workload }));
  if (replacesOnlyDeleted(snapshot.workload)) return impossible(say('withheld-on-delete', { workload }));
  const forecast = forecastChange(state, { kind: 'restart' }, simulator);
  return considered(kind, forecast, {
    title: say('title'),
    effects: [
      ...(state.kind === 'Rollout'
        ? [say('evicts', { pods: forecast.victims.length })]
        : [say('new-revision', { workload }), say('replaces', { pods: forecast.victims.length })]),
      say('same-otherwise'),
      say(state.kind === 'Rollout' ? 'no-undo-of-evictions' : 'no-undo'),
    ],
    drift: 'template',
  });
}
