import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { syncDeployment } from '#src/engine/workloads/deployment-sync.js';
import { rollingBounds } from '#src/engine/workloads/fenceposts.js';
import { isFixedPoint } from '#src/engine/workloads/fixed-point.js';
import { nextSteps } from '#src/engine/workloads/forecast.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import {
  buildDeployment,
  buildPods,
  buildReplicaSet,
  buildState,
} from '../../../support/rollout-builders.js';

const bound = fc.oneof(
  fc.integer({ min: 0, max: 6 }),
  fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
);

interface Setup {
  readonly replicas: number;
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
  readonly places: number;
  readonly healthy: boolean;
  readonly minReadySeconds: number;
}

const setups: fc.Arbitrary<Setup> = fc.record({
  replicas: fc.integer({ min: 1, max: 9 }),
  maxSurge: bound,
  maxUnavailable: bound,
  places: fc.integer({ min: 0, max: 8 }),
  healthy: fc.boolean(),
  minReadySeconds: fc.constantFrom(0, 15),
});

/** All old pods available; the new template just applied. */
function updated({ replicas, maxSurge, maxUnavailable, minReadySeconds }: Setup): DeploymentState {
  const annotations = { 'deployment.kubernetes.io/desired-replicas': String(replicas) };
  const first = buildReplicaSet({ revision: 1, replicas, available: replicas, annotations, minReadySeconds });
  const deployment = buildDeployment({ replicas, maxSurge, maxUnavailable, minReadySeconds });
  return buildState(deployment, [first], buildPods(first, replicas));
}

/** So many places beside those of the old pods. */
function simulatorOf({ places, healthy }: Setup): PodSimulator {
  return {
    placementOf: (_pod, { gone, placed }) => (placed.length - gone.length < places ? 'n-x' : undefined),
    becomesReady: () => healthy,
  };
}

const run = (setup: Setup) =>
  nextSteps(updated(setup), { kind: 'none' }, simulatorOf(setup), { startSeconds: 5 });

describe('a simulated rolling update', () => {
  it('never leaves fewer available pods than minAvailable', () => {
    fc.assert(
      fc.property(setups, (setup) => {
        const { minAvailable } = rollingBounds(updated(setup).deployment);
        for (const { available } of run(setup).steps) expect(available).toBeGreaterThanOrEqual(minAvailable);
      }),
      { numRuns: 80 },
    );
  });

  it('never wants more pods than replicas and surge', () => {
    fc.assert(
      fc.property(setups, (setup) => {
        const state = updated(setup);
        const limit = setup.replicas + rollingBounds(state.deployment).maxSurge;
        const sizes = new Map([['web-1', setup.replicas]]);
        for (const step of run(setup).steps) {
          for (const action of step.actions) {
            if (action.kind === 'scale') sizes.set(action.replicaSet, action.to);
            if (action.kind === 'create-replica-set')
              sizes.set(`web-revision-${action.revision}`, action.replicas);
            expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit);
          }
        }
      }),
      { numRuns: 80 },
    );
  });

  it('ends, and completes when enough is free and the new pods work', () => {
    fc.assert(
      fc.property(setups, (setup) => {
        const { ends } = run(setup);
        expect(ends).not.toBe('too-large');
        if (!setup.healthy) expect(ends).toBe('stuck');
        else if (setup.places > 0 || rollingBounds(updated(setup).deployment).maxUnavailable > 0) {
          expect(ends).toBe('complete');
        }
      }),
      { numRuns: 80 },
    );
  });

  it('does not depend on the order of objects', () => {
    fc.assert(
      fc.property(setups, (setup) => {
        const state = updated(setup);
        const reversed = { ...state, pods: [...state.pods].reverse() };
        const again = nextSteps(reversed, { kind: 'none' }, simulatorOf(setup), { startSeconds: 5 });
        const first = run(setup);
        const names = (list: typeof first.victims) => list.map(({ metadata }) => metadata.name);
        expect(again.ends).toBe(first.ends);
        expect(names(again.victims)).toEqual(names(first.victims));
      }),
      { numRuns: 40 },
    );
  });
});

describe('a fixed point', () => {
  it('is unchanged by another sync of the same objects, at once and later', () => {
    const any = fc.record({
      replicas: fc.integer({ min: 1, max: 8 }),
      old: fc.integer({ min: 0, max: 8 }),
      oldReady: fc.integer({ min: 0, max: 8 }),
      waiting: fc.integer({ min: 0, max: 4 }),
      maxSurge: bound,
      maxUnavailable: bound,
    });
    const count = fc.integer({ min: 1, max: 8 });
    const deadlocked = fc.tuple(count, count).map(([replicas, maxSurge]) => ({
      replicas,
      old: replicas,
      oldReady: replicas,
      waiting: Math.min(maxSurge, replicas),
      maxSurge,
      maxUnavailable: 0,
    }));
    const sizes = fc.oneof(any, deadlocked);
    let met = 0;
    fc.assert(
      fc.property(sizes, ({ replicas, old, oldReady, waiting, maxSurge, maxUnavailable }) => {
        const ready = Math.min(old, oldReady);
        const first = buildReplicaSet({ revision: 1, replicas: old, available: ready });
        const second = buildReplicaSet({ revision: 2, replicas: waiting });
        const pods = [...buildPods(first, ready, old - ready), ...buildPods(second, 0, waiting)];
        const state = buildState(
          buildDeployment({ replicas, maxSurge, maxUnavailable }),
          [first, second],
          pods,
        );
        const fixed = isFixedPoint(state);
        expect(isFixedPoint({ ...state, now: state.now + 86_400_000 })).toBe(fixed);
        if (!fixed) return;
        met += 1;
        const { status } = syncDeployment(state);
        const settled = { ...state, deployment: { ...state.deployment, status } };
        expect(isFixedPoint(settled)).toBe(true);
        const stays = nextSteps(
          state,
          { kind: 'none' },
          { placementOf: () => undefined, becomesReady: () => false },
        );
        expect(stays.victims).toEqual([]);
        expect(stays.steps).toHaveLength(1);
      }),
      { numRuns: 120 },
    );
    expect(met).toBeGreaterThan(0);
  });
});
