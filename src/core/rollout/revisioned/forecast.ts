import { forecastBesideOthers } from '../contested-forecast.js';
import { type Forecast, forecastOf, readyCount, unknownForecast } from '../forecast.js';
import type { PodSimulator } from '../pod-oracle.js';
import type { RevisionedState } from '../rollout-state.js';
import { type SimulationOptions, simulate } from '../simulation.js';
import { defaultSimulationBudget } from '../simulation-budget.js';
import { actRevisionedOn, revisionedServiceIsComplete } from './model.js';

/** Plays the switch to the next revision forward. */
export function nextRevisionedSteps(
  state: RevisionedState,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const { service, pods } = state;
  const wanted = service.spec.replicas;
  if (wanted + pods.length > defaultSimulationBudget.maxPods) {
    return { ...unknownForecast, ends: 'too-large', limit: 'pods' };
  }
  const model = { act: actRevisionedOn, isComplete: revisionedServiceIsComplete, minReadySeconds: 0 };
  return forecastBesideOthers(pods, simulator, (beside) =>
    forecastOf(pods, readyCount(pods), wanted, simulate(state, model, beside, options)),
  );
}
