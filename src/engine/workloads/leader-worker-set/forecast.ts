import type { IntOrString } from '../../objects/wire.js';
import { forecastBesideOthers, underWhicheverRule } from '../contested-forecast.js';
import { type Forecast, forecastOf, readyCount, unknownForecast } from '../forecast.js';
import type { PodSimulator } from '../pod-simulator.js';
import { restarted } from '../rollout-change.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import { type SimulationOptions, simulate } from '../simulation.js';
import { defaultSimulationBudget } from '../simulation-budget.js';
import { isReadWhole, isTooLarge } from './group-pods.js';
import { actLeaderWorkerSetOn, leaderWorkerSetIsComplete } from './model.js';
import { notSimulatedSettings } from './not-simulated.js';

/** A change somebody might make to a LeaderWorkerSet. */
export type LeaderWorkerSetChange =
  | { readonly kind: 'none' }
  /** An annotation of the workers' template, which makes a new revision for leaders and workers. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'bounds'; readonly maxSurge: IntOrString; readonly maxUnavailable: IntOrString };

/**
 * Plays a LeaderWorkerSet forward under a hypothetical change. `unknown` with a setting that is not
 * simulated. Where several rules for `maxUnavailable` of the leader StatefulSet may apply,
 * `underWhicheverRule` decides.
 */
export function nextLeaderWorkerSetSteps(
  state: LeaderWorkerSetState,
  change: LeaderWorkerSetChange,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const { maxRevisions } = options.budget ?? defaultSimulationBudget;
  if (state.controllerRevisions.length > maxRevisions) {
    return { ...unknownForecast, ends: 'too-large', limit: 'revisions' };
  }
  if (isTooLarge(state)) return { ...unknownForecast, ends: 'too-large', limit: 'pods' };
  const { spec } = state.leaderWorkerSet;
  if (notSimulatedSettings(state.leaderWorkerSet).length > 0 || !isReadWhole(state)) return unknownForecast;
  const start = changed(state, change);
  const { pods, maxUnavailable } = start;
  const wanted = spec.replicas * spec.leaderWorkerTemplate.size;
  const model = { act: actLeaderWorkerSetOn, isComplete: leaderWorkerSetIsComplete, minReadySeconds: 0 };
  const forecasts = [maxUnavailable.rule, ...maxUnavailable.instead].map((rule) =>
    forecastBesideOthers(pods, simulator, (beside) =>
      forecastOf(
        pods,
        readyCount(pods),
        wanted,
        simulate({ ...start, maxUnavailable: { ...maxUnavailable, rule } }, model, beside, options),
      ),
    ),
  );
  return underWhicheverRule(forecasts) ?? unknownForecast;
}

function changed(state: LeaderWorkerSetState, change: LeaderWorkerSetChange): LeaderWorkerSetState {
  if (change.kind === 'none') return state;
  const { leaderWorkerSet } = state;
  if (change.kind === 'restart') {
    const { leaderWorkerTemplate: former } = leaderWorkerSet.spec;
    const workerTemplate = restarted(former.workerTemplate, state.now);
    const raw = { ...former.raw, workerTemplate: workerTemplate.raw };
    const spec = {
      ...leaderWorkerSet.spec,
      leaderWorkerTemplate: { ...former, workerTemplate, raw },
      template: former.leaderTemplate ?? workerTemplate,
    };
    return { ...state, leaderWorkerSet: { ...leaderWorkerSet, spec } };
  }
  const { rolloutStrategy } = leaderWorkerSet.spec;
  const { partition } = rolloutStrategy.rollingUpdateConfiguration;
  const { maxSurge, maxUnavailable } = change;
  const rollingUpdateConfiguration = { partition, maxSurge, maxUnavailable };
  const spec = {
    ...leaderWorkerSet.spec,
    rolloutStrategy: { ...rolloutStrategy, rollingUpdateConfiguration },
  };
  return { ...state, leaderWorkerSet: { ...leaderWorkerSet, spec } };
}
