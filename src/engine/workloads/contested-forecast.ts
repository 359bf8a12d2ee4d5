import type { ObjectRef } from '../objects/metadata.js';
import { hasNode, type Pod } from '../objects/pod.js';
import type { PodSimulator } from './pod-simulator.js';
import type { SimulatedStep } from './simulation.js';

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

/** What a change costs the users of the workload. */
export interface Downtime {
  /** `gap`: a time with no ready pod. `reduced`: fewer than before, and than wanted, but never none. */
  readonly kind: 'none' | 'reduced' | 'gap';
  readonly readyMin: number;
  readonly ofReplicas: number;
  /**
   * Seconds without any ready pod (`gap`) or with fewer than before (`reduced`): an upper bound, since every
   * pod is given its whole grace period. `undefined` when it does not end by itself or a length was never
   * seen.
   */
  readonly seconds: number | undefined;
  /** False: as far as simulated, it stays so. */
  readonly ends: boolean;
}

/** From the ready pods before the change, those wanted, and the steps that follow it. */
export function downtimeOf(
  readyBefore: number,
  replicas: number,
  steps: readonly SimulatedStep[],
  durationsKnown: boolean,
): Downtime {
  const baseline = Math.min(readyBefore, replicas);
  const readyMin = steps.reduce((least, { ready }) => Math.min(least, ready), readyBefore);
  if (readyMin >= baseline) {
    return { kind: 'none', readyMin, ofReplicas: replicas, seconds: undefined, ends: true };
  }
  const kind = readyMin === 0 ? 'gap' : 'reduced';
  const isDown = ({ ready }: SimulatedStep) => (kind === 'gap' ? ready === 0 : ready < baseline);
  const last = steps.at(-1);
  const ends = last !== undefined && !isDown(last);
  const seconds = steps.reduce((total, step, position) => {
    const next = steps[position + 1];
    return isDown(step) && next !== undefined ? total + next.at - step.at : total;
  }, 0);
  return {
    kind,
    readyMin,
    ofReplicas: replicas,
    seconds: ends && durationsKnown ? seconds : undefined,
    ends,
  };
}
