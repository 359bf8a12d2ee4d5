import { describe, expect, it } from 'vitest';
import { countedForecast, nextSteps } from '#src/engine/workloads/forecast.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import { changedState, type DeploymentChange } from '#src/engine/workloads/rollout-change.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { createWorkMeter, defaultSimulationBudget } from '#src/engine/workloads/simulation.js';
import { compareForecasts } from '../../../support/compare-forecasts.js';
import {
  buildDeployment,
  buildPods,
  buildReplicaSet,
  buildState,
} from '../../../support/rollout-builders.js';

describe('a forecast that counts pods', () => {
  it('ends like the one that simulates every pod, at the same cost', () => {
    const { differences, ends } = compareForecasts(20_261_122, 200);

    expect(differences.slice(0, 3)).toEqual([]);
    expect(ends.size).toBeGreaterThan(3);
  });
});

/** Seconds in which one pod is replaced: its grace period, the kubelet's clean-up, and a start. */
const round = 30 + 3 + 20;
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

function withPlaces(places: number): PodSimulator {
  return {
    placementOf: (_pod, { gone, placed }) => (placed.length - gone.length < places ? 'n' : undefined),
    becomesReady: () => true,
    countPlaces: () => new Map([['n', places]]),
  };
}

function simulate(state: DeploymentState, change: DeploymentChange, simulator: PodSimulator) {
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
  const forecast = countedForecast(start, state.pods.length, simulator, { startSeconds: 20 }, counting);
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
      expect(forecast?.seconds).toBe(replicas * round);
      expect(forecast?.downtime).toMatchObject({ kind: 'reduced', readyMin: replicas - 1 });
    }
    expect(forecast?.seconds ?? 0).toBeGreaterThanOrEqual((replicas - 1) * round);
    expect(forecast?.seconds ?? 0).toBeLessThanOrEqual((replicas + 2) * round);
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
    const { countPlaces: _never, ...simulator } = withPlaces(100_000);
    const forecast = nextSteps(deployed(100_000, 1, 0), oneByOne, simulator);

    expect(forecast).toMatchObject({ ends: 'too-large', limit: 'pods' });
  });
});
