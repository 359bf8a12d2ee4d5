import { forecastBesideOthers, underWhicheverRule } from './contested-forecast.js';
import { daemonSetHash } from './controller-revisions.js';
import { actDaemonSetOn, daemonSetBounds, daemonSetIsComplete } from './daemon-set-model.js';
import {
  type Forecast,
  forecastOf,
  readyCount,
  tooLargeForecast,
  tooManyRevisions,
  unknownForecast,
  willExceed,
} from './forecast.js';
import type { PodSimulator } from './pod-simulator.js';
import type { DaemonSetChange, StatefulSetChange } from './rollout-change.js';
import { changedDaemonSet, changedStatefulSet } from './rollout-change.js';
import { type DaemonSetState, type StatefulSetState, underEachRule } from './rollout-state.js';
import { type ControllerModel, type SimulationOptions, simulate } from './simulation.js';
import { actStatefulSetOn, statefulSetIsComplete } from './stateful-set-model.js';

/** As `nextSteps`, for a DaemonSet. */
export function nextDaemonSetSteps(
  state: DaemonSetState,
  change: DaemonSetChange,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const revisions = tooManyRevisions(state.controllerRevisions, options);
  if (revisions !== undefined) return revisions;
  const start = changedDaemonSet(state, change);
  // Without the hash of its template no pod counts as updated, and the update would never end.
  if (start === undefined || daemonSetHash(start) === undefined) return unknownForecast;
  const model = daemonSetModel(start);
  const { desired } = daemonSetBounds(start);
  const { pods } = state;
  return forecastBesideOthers(pods, simulator, (each) =>
    forecastOf(pods, readyCount(pods), desired, simulate(start, model, each, options)),
  );
}

/**
 * As `nextSteps`, for a StatefulSet. Claims are not simulated: a new pod keeps its ordinal's claims, whatever
 * they hold. Where several rules for `maxUnavailable` may apply, `underWhicheverRule` decides.
 */
export function nextStatefulSetSteps(
  state: StatefulSetState,
  change: StatefulSetChange,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const revisions = tooManyRevisions(state.controllerRevisions, options);
  if (revisions !== undefined) return revisions;
  const start = changedStatefulSet(state, change);
  if (start === undefined) return unknownForecast;
  const model = statefulSetModel(start);
  const { replicas, podManagementPolicy } = start.statefulSet.spec;
  if (podManagementPolicy === 'Parallel' && willExceed(replicas, simulator, options)) {
    return tooLargeForecast('pods');
  }
  const { pods } = state;
  const forecasts = underEachRule(start).map((each) =>
    forecastBesideOthers(pods, simulator, (beside) =>
      forecastOf(pods, readyCount(pods), replicas, simulate(each, model, beside, options)),
    ),
  );
  return underWhicheverRule(forecasts) ?? unknownForecast;
}

/** The DaemonSet controller, as a simulation drives it. */
export function daemonSetModel({ daemonSet }: DaemonSetState): ControllerModel<DaemonSetState> {
  const { minReadySeconds } = daemonSet.spec;
  return { act: actDaemonSetOn, isComplete: daemonSetIsComplete, minReadySeconds };
}

/** The StatefulSet controller, as a simulation drives it. */
export function statefulSetModel({ statefulSet }: StatefulSetState): ControllerModel<StatefulSetState> {
  return {
    act: actStatefulSetOn,
    isComplete: statefulSetIsComplete,
    minReadySeconds: statefulSet.spec.minReadySeconds,
  };
}
