import { describe, expect, it } from 'vitest';
import { isActive, isReady, type Pod } from '#src/core/cluster/pod.js';
import { type CountedForecast, countedForecast } from '#src/core/rollout/counted-forecast.js';
import { type Forecast, nextSteps, steppedForecast } from '#src/core/rollout/forecast.js';
import type { PodOracle } from '#src/core/rollout/pod-oracle.js';
import { changedState, type DeploymentChange } from '#src/core/rollout/rollout-change.js';
import type { DeploymentState } from '#src/core/rollout/rollout-state.js';
import { createWorkMeter, defaultSimulationBudget } from '#src/core/rollout/simulation-budget.js';
import { buildDeployment, buildPods, buildReplicaSet, buildState } from '#support/rollout-builders.js';
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
  const { state, change, oracle, startSeconds } = drawCase(seed, sizes);
  const start = changedState(state, change);
  if (start === undefined) return undefined;
  const readyBefore = state.pods.filter((pod) => isActive(pod) && isReady(pod)).length;
  const options = startSeconds === undefined ? {} : { startSeconds };
  const meter = createWorkMeter(defaultSimulationBudget);
  const counted = countedForecast(start, readyBefore, oracle, options, meter);
  if (counted === undefined) return undefined;
  return { counted, stepped: steppedForecast(state, start, oracle, { ...options, budget: endless }) };
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

const firstSeed = Number(process.env.COUNTED_SEED ?? 20_261_122);
const wantedCases = 2_000;

describe('a forecast that counts pods', () => {
  it(`ends like the one that simulates every pod, at the same cost (seeds from ${firstSeed})`, () => {
    const differences: object[] = [];
    const ends = new Map<string, number>();
    let cases = 0;
    for (let seed = firstSeed; cases < wantedCases; seed += 1) {
      const compared = compare(seed);
      if (compared === undefined) continue;
      cases += 1;
      const { ends: end, downtime } = compared.stepped;
      const kind = `${end}, ${downtime?.kind}`;
      ends.set(kind, (ends.get(kind) ?? 0) + 1);
      const found = difference(compared);
      if (found !== undefined) differences.push({ seed, ...found });
    }

    expect(differences.slice(0, 3)).toEqual([]);
    for (const kind of ['complete, none', 'complete, reduced', 'complete, gap', 'stuck, none']) {
      expect(ends.get(kind) ?? 0, kind).toBeGreaterThan(50);
    }
  }, 300_000);

  it('ends like it where a ReplicaSet creates and deletes more pods than one sync does', () => {
    const differences: object[] = [];
    let cases = 0;
    for (let seed = firstSeed; cases < 12; seed += 1) {
      const compared = compare(seed, [1_600]);
      if (compared === undefined || compared.stepped.steps.length > 200) continue;
      cases += 1;
      const found = difference(compared);
      if (found !== undefined) differences.push({ seed, ...found });
    }

    expect(differences.slice(0, 3)).toEqual([]);
  }, 300_000);
});

const sizes = [1_000, 10_000, 100_000, 2_000_000_000];

function deployed(
  replicas: number,
  maxSurge: number | string,
  maxUnavailable: number | string,
): DeploymentState {
  const annotations = { 'deployment.kubernetes.io/desired-replicas': String(replicas) };
  const old = buildReplicaSet({ revision: 1, replicas, available: replicas, annotations });
  // A snapshot holds no more pods than this; the controller creates the others again.
  const pods = buildPods(old, Math.min(replicas, 1_000));
  return buildState(buildDeployment({ replicas, maxSurge, maxUnavailable }), [old], pods);
}

function withPlaces(places: number): PodOracle {
  return {
    placementOf: (_pod, { gone, placed }) => (placed.length - gone.length < places ? 'n' : undefined),
    becomesReady: () => true,
    countPlaces: () => new Map([['n', places]]),
  };
}

function simulate(state: DeploymentState, change: DeploymentChange, oracle: PodOracle) {
  let work = 0;
  let steps = 0;
  const meter = createWorkMeter(defaultSimulationBudget);
  const counting = {
    ...meter,
    spend: (units: number) => {
      work += units;
      meter.spend(units);
    },
    noteStep: () => {
      steps += 1;
      meter.noteStep();
    },
  };
  const start = changedState(state, change) ?? state;
  const forecast = countedForecast(start, state.pods.length, oracle, { startSeconds: 20 }, counting);
  return { forecast, work, steps };
}

const oneByOne: DeploymentChange = {
  kind: 'strategy',
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
};

describe.each(sizes)('a Deployment of %d replicas', (replicas) => {
  it('completes one pod at a time where each pod fits, and takes the time of all its pods', () => {
    const { forecast, work, steps } = simulate(deployed(replicas, 1, 0), oneByOne, withPlaces(replicas));

    expect(forecast).toMatchObject({ ends: 'complete', waiting: 0 });
    if (replicas === 1_000) {
      expect(forecast?.seconds).toBe(replicas * 50);
      expect(forecast?.downtime).toMatchObject({ kind: 'reduced', readyMin: replicas - 1 });
    }
    expect(forecast?.seconds ?? 0).toBeGreaterThanOrEqual((replicas - 1) * 50);
    expect(forecast?.seconds ?? 0).toBeLessThanOrEqual((replicas + 2) * 50);
    expect(steps).toBeLessThan(1_000);
    expect(work).toBeLessThan(defaultSimulationBudget.maxWork / 1_000);
  });

  it('is stuck at once when a surge pod does not fit', () => {
    const { forecast, steps } = simulate(deployed(replicas, 1, 0), { kind: 'none' }, withPlaces(replicas));

    if (replicas === 1_000) expect(forecast).toMatchObject({ ends: 'stuck', waiting: 1 });
    expect(forecast?.ends).toBe('stuck');
    expect(steps).toBeLessThan(10);
  });

  it.each([
    [1, 0],
    [3, 2],
    ['25%', '25%'],
    ['1%', 0],
    ['100%', 0],
    [0, '10%'],
  ] as const)(
    'completes with maxSurge %s and maxUnavailable %s where one more pod fits',
    (surge, unavailable) => {
      const state = deployed(replicas, surge, unavailable);
      const { forecast, work, steps } = simulate(state, { kind: 'none' }, withPlaces(replicas + 1));

      expect(forecast).toMatchObject({ ends: 'complete', waiting: 0 });
      expect(steps).toBeLessThan(1_000);
      expect(work).toBeLessThan(defaultSimulationBudget.maxWork / 1_000);
    },
  );

  it('gets the same result as a small one from the engine that checks every rule', () => {
    const state = deployed(replicas, 1, 0);
    const forecast = nextSteps(state, oneByOne, withPlaces(replicas), { startSeconds: 20 });

    expect(forecast).toMatchObject({ ends: 'complete', isCounted: true, limit: undefined });
    expect(forecast.victims).toHaveLength(state.pods.length);
  });
});

describe('a rollout whose pods cannot be counted', () => {
  it('is reported as too large, with the limit', () => {
    const { countPlaces: _never, ...oracle } = withPlaces(100_000);
    const forecast = nextSteps(deployed(100_000, 1, 0), oneByOne, oracle);

    expect(forecast).toMatchObject({ ends: 'too-large', limit: 'pods' });
  });
});
