import type { ObjectRef } from '../objects/metadata.js';
import { hasNode, type Pod } from '../objects/pod.js';
import type { Downtime } from './downtime.js';
import type { PodSimulator } from './pod-simulator.js';

/** What a forecast says of the end, as far as it bears on a competition. */
interface Outcome {
  readonly ends: 'complete' | 'contested' | 'stuck' | 'too-large' | 'unknown';
  readonly placements: readonly unknown[];
  readonly downtime: Downtime | undefined;
  readonly seconds: number | undefined;
  readonly winners?: readonly ObjectRef[];
  readonly dependsOnRule?: true;
  readonly victims: readonly Pod[];
  readonly waiting: readonly Pod[];
}

/**
 * The forecast, played a second time where other workloads could use what becomes free. The scheduler tries
 * the pod of the highest priority first, then the one whose last attempt is the oldest. Neither that attempt
 * nor the back-off after it is visible in the objects, so the order of pods of one priority is not known, nor
 * is that of controllers whose pods a quota refuses: the second run gives them everything they could take.
 * Where that run ends worse, the forecast is `contested` instead of `complete`.
 *
 * @param own the pods of the workload
 * @param run one simulation of the change with this simulator
 */
export function forecastBesideOthers<Forecast extends Outcome>(
  own: readonly Pod[],
  simulator: PodSimulator,
  run: (simulator: PodSimulator) => Forecast,
): Forecast {
  const alone = unlessPlaced(run(simulator), simulator);
  if (alone.ends !== 'complete' && alone.ends !== 'stuck') return alone;
  const contest = simulator.contest?.(own);
  if (contest === undefined) return alone;
  // Places that a competitor may take cannot be counted.
  const { countPlaces: _uncountable, ...rest } = simulator;
  const contested = run({ ...rest, ...contest.simulator });
  if (!isWorse(contested, alone)) return alone;
  const winners = contest.winners();
  return {
    ...alone,
    ends: alone.ends === 'complete' ? 'contested' : alone.ends,
    winners: winners.length > 0 ? winners : contest.competitors,
    downtime: contested.downtime ?? alone.downtime,
    seconds: undefined,
  };
}

/**
 * One forecast of several rules of which one applies, and nobody knows which: one that does not complete.
 * `unknown` in place of `stuck` where it completes under another of them.
 */
export function underWhicheverRule<Forecast extends Outcome>(
  forecasts: readonly Forecast[],
): Forecast | undefined {
  const [first] = forecasts;
  const worst = forecasts.find(({ ends }) => ends !== 'complete') ?? first;
  const isOpen = forecasts.some(({ ends }) => ends === 'complete' || ends === 'contested');
  return worst?.ends === 'stuck' && isOpen ? { ...worst, ends: 'unknown', dependsOnRule: true } : worst;
}

/**
 * The forecast; `unknown` in place of `stuck` where a pod that still waits may find a node that nobody saw.
 */
export function unlessPlaced<Forecast extends Outcome>(
  forecast: Forecast,
  { mayBePlaced, likenessOf }: PodSimulator,
): Forecast {
  if (forecast.ends !== 'stuck' || mayBePlaced === undefined) return forecast;
  const waiting = forecast.waiting.filter((pod) => !hasNode(pod));
  // One of each likeness stands for all.
  const asked = new Map(waiting.map((pod) => [likenessOf?.(pod) ?? pod.metadata.uid, pod]));
  const isOpen = [...asked.values()].some((pod) => mayBePlaced(pod, forecast.victims));
  return isOpen ? { ...forecast, ends: 'unknown' } : forecast;
}

/** Whether the rollout fares worse in the second run. */
export function isWorse(contested: Outcome, alone: Outcome): boolean {
  return (
    contested.ends !== alone.ends ||
    contested.placements.length < alone.placements.length ||
    isLonger(contested.downtime, alone.downtime)
  );
}

/** Fewer ready pods on the way, or a loss that does not end although it would end otherwise. */
function isLonger(one: Downtime | undefined, other: Downtime | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.readyMin < other.readyMin || (other.ends && !one.ends);
}
