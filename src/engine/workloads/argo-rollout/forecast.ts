import { forecastBesideOthers } from '../contested-forecast.js';
import { type Forecast, forecastOf, podsAreUnseen, readyCount, unknownForecast } from '../forecast.js';
import type { PodSimulator } from '../pod-simulator.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { type SimulationOptions, simulate } from '../simulation.js';
import { defaultSimulationBudget } from '../simulation-budget.js';
import { argoRolloutModel } from './forecast-model.js';
import { updateEndOf } from './promotion.js';
import { type ArgoRolloutChange, changedArgoRollout } from './rollout-change.js';
import { hasOpaquePart } from './waits.js';

/**
 * Plays a Rollout forward under a hypothetical change, up to its promotion or to a step that a person or an
 * analysis ends. `unknown` where an analysis runs beside the steps, because it may abort the update at any
 * time. Its length is not known, because steps may wait.
 */
export function nextArgoRolloutSteps(
  state: ArgoRolloutState,
  change: ArgoRolloutChange,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const { maxRevisions } = options.budget ?? defaultSimulationBudget;
  if (state.replicaSets.length > maxRevisions) {
    return { ...unknownForecast, ends: 'too-large', limit: 'revisions' };
  }
  const start = changedArgoRollout(state, change);
  if (start === undefined || podsAreUnseen(state)) return unknownForecast;
  const endsUpdate = change.kind === 'abort' || change.kind === 'promote-full';
  if (!endsUpdate && hasOpaquePart(start.rollout)) return unknownForecast;
  const { pods } = state;
  const { replicas } = start.rollout.spec;
  return forecastBesideOthers(pods, simulator, (each) => {
    const result = simulate(start, argoRolloutModel(start), each, options);
    const forecast = forecastOf(pods, readyCount(pods), replicas, result);
    return forecast.ends === 'complete'
      ? { ...forecast, updateEnd: updateEndOf(result.end.rollout) }
      : forecast;
  });
}
