import type { Statement } from '../../../../engine/language/statement.js';
import { namesOf } from '../../../../engine/objects/metadata.js';
import { hasNode } from '../../../../engine/objects/pod.js';
import { nextArgoRolloutSteps } from '../../../../engine/workloads/argo-rollout/forecast.js';
import type { ArgoRolloutChange } from '../../../../engine/workloads/argo-rollout/rollout-change.js';
import type { Forecast } from '../../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import type { ArgoRolloutState } from '../../../../engine/workloads/rollout-state.js';
import { effect, placedEffect } from '../../effects-text.js';
import { impactOf, longestGrace, predictionOf } from '../../forecast-change.js';
import { nothingOffered, notRecommended, type Offer, offered } from '../../offered-fields.js';
import { tooLarge } from '../../refusals.js';
import type { PatchStrategy } from './forms.js';
import { patchStrategyForms } from './forms.js';
import { state as say } from './text.js';

export interface ProposeCanaryInput {
  readonly state: ArgoRolloutState;
  readonly simulator: PodSimulator;
}

const strategy = patchStrategyForms.inPlace;

const inPlace: ArgoRolloutChange = {
  kind: 'bounds',
  maxSurge: strategy.maxSurge,
  maxUnavailable: strategy.maxUnavailable,
};

/**
 * The old pod first, then the new one, offered where the engine sees the update complete or reach the next
 * step that a person ends. At a low weight of a single replica the controller removes the waiting canary
 * instead, takes the step as done, and replaces the old pod at a later step.
 */
export function proposePatchCanary({ state, simulator }: ProposeCanaryInput): Offer<PatchStrategy> {
  const { canary } = state.rollout.spec.strategy;
  if (canary === undefined || canary.trafficRouting !== undefined) return nothingOffered;
  const forecast = nextArgoRolloutSteps(state, inPlace, simulator);
  if (forecast.ends === 'too-large') {
    return notRecommended('patch-strategy', tooLarge(state.rollout.metadata, forecast));
  }
  if (forecast.ends === 'unknown') return notRecommended('patch-strategy', effect('withheld-unknown'));
  if (forecast.ends === 'stuck') return nothingOffered;
  // A forecast that replaces no old pod would only put the deadlock off.
  if (forecast.victims.filter(hasNode).length === 0) return nothingOffered;
  return offered({
    kind: 'patch-strategy',
    id: 'patch-strategy-in-place',
    title: say('title-in-place'),
    effects: effectsOf(state, forecast),
    price: impactOf(forecast, 'strategy'),
    prediction: predictionOf(forecast),
    strategy,
  });
}

function effectsOf(
  { rollout }: ArgoRolloutState,
  { steps, placements, victims, winners = [] }: Forecast,
): readonly Statement[] {
  const placed = victims.filter(hasNode);
  const first = steps.flatMap(({ deleted }) => deleted.filter(hasNode)).slice(0, 1);
  const [placement] = winners.length > 0 ? [] : placements;
  return [
    say('stops-first', { pods: namesOf(first), graceSeconds: longestGrace(first) }),
    ...(placement === undefined ? [] : [placedEffect(placement)]),
    ...(placed.length > first.length ? [say('then-one-by-one', { replicas: rollout.spec.replicas })] : []),
    winners.length > 0
      ? effect('competitors', { pods: winners.map(({ namespace, name }) => `${namespace}/${name}`) })
      : effect('no-competitors'),
    say('stays', {
      maxSurge: String(strategy.maxSurge),
      maxUnavailable: String(strategy.maxUnavailable),
    }),
  ];
}
