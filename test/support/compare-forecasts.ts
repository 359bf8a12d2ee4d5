import { isActive, isReady, type Pod } from '#src/engine/objects/pod.js';
import {
  type CountedForecast,
  countedForecast,
  type Forecast,
  steppedForecast,
} from '#src/engine/workloads/forecast.js';
import { changedState } from '#src/engine/workloads/rollout-change.js';
import { createWorkMeter, defaultSimulationBudget } from '#src/engine/workloads/simulation.js';
import { drawCase } from './counted-cases.js';

const endless = { ...defaultSimulationBudget, maxPods: 1e9, maxSteps: 1e9, maxWork: 1e12 };
const nodeless = ({ spec }: Pod): boolean => (spec.nodeName ?? '') === '';
const namesOf = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata.name).sort();

interface Compared {
  readonly counted: CountedForecast;
  readonly stepped: Forecast;
}

/** The same rollout, counted and with each pod simulated; `undefined` where it cannot be counted. */
function compare(seed: number, sizes?: readonly number[]): Compared | undefined {
  const { state, change, simulator, startSeconds } = drawCase(seed, sizes);
  const start = changedState(state, change);
  if (start === undefined) return undefined;
  const readyBefore = state.pods.filter((pod) => isActive(pod) && isReady(pod)).length;
  const options = startSeconds === undefined ? {} : { startSeconds };
  const meter = createWorkMeter(defaultSimulationBudget);
  const counted = countedForecast(start, readyBefore, simulator, options, meter);
  if (counted === undefined) return undefined;
  return { counted, stepped: steppedForecast(state, start, simulator, { ...options, budget: endless }) };
}

function difference({ counted, stepped }: Compared): object | undefined {
  const outcome = {
    ends: counted.ends,
    seconds: counted.seconds,
    downtime: counted.downtime,
    waiting: counted.waiting,
    victims: namesOf(counted.victims ?? stepped.victims),
  };
  const real = {
    ends: stepped.ends,
    seconds: stepped.seconds,
    downtime: stepped.downtime,
    waiting: stepped.waiting.filter(nodeless).length,
    victims: namesOf(stepped.victims),
  };
  return JSON.stringify(outcome) === JSON.stringify(real) ? undefined : { said: outcome, real };
}

export interface ForecastComparison {
  /** Cases that the two forecasts answer differently, with their seeds. */
  readonly differences: readonly object[];
  /** How many cases end in which way, by end and downtime. */
  readonly ends: ReadonlyMap<string, number>;
}

/**
 * Compares the forecast that counts pods with the one that simulates each pod, on random rollouts.
 *
 * @param wanted the number of rollouts that can be counted
 * @param sizes numbers of replicas to draw from; rollouts of more than `maxSteps` steps are left out
 */
export function compareForecasts(
  firstSeed: number,
  wanted: number,
  {
    sizes,
    maxSteps = Number.POSITIVE_INFINITY,
  }: { readonly sizes?: readonly number[]; readonly maxSteps?: number } = {},
): ForecastComparison {
  const differences: object[] = [];
  const ends = new Map<string, number>();
  let cases = 0;
  for (let seed = firstSeed; cases < wanted; seed += 1) {
    const compared = compare(seed, sizes);
    if (compared === undefined || compared.stepped.steps.length > maxSteps) continue;
    cases += 1;
    const { ends: end, downtime } = compared.stepped;
    const kind = `${end}, ${downtime?.kind}`;
    ends.set(kind, (ends.get(kind) ?? 0) + 1);
    const found = difference(compared);
    if (found !== undefined) differences.push({ seed, ...found });
  }
  return { differences, ends };
}
