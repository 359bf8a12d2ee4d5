import { describe, expect, it } from 'vitest';
import { downtimeOf } from '#src/engine/workloads/contested-forecast.js';
import type { SimulatedStep } from '#src/engine/workloads/simulation.js';

/** Seconds since the start and how many pods are ready then. */
function steps(...moments: readonly (readonly [at: number, ready: number])[]): readonly SimulatedStep[] {
  return moments.map(([at, ready]) => ({
    at,
    ready,
    available: ready,
    gone: [],
    becameReady: [],
    actions: [],
    deleted: [],
    orElse: [],
    created: [],
    refused: [],
    placed: [],
  }));
}

describe('the downtime of a change', () => {
  it.each<readonly [string, number, number, readonly SimulatedStep[], object]>([
    [
      'none, where as many pods stay ready',
      2,
      2,
      steps([0, 2], [10, 3], [20, 2]),
      { kind: 'none', readyMin: 2, seconds: undefined, ends: true },
    ],
    ['none, where more pods were ready than wanted', 4, 2, steps([0, 2]), { kind: 'none', readyMin: 2 }],
    ['none, where no pod was ready before', 0, 2, steps([0, 0], [30, 2]), { kind: 'none', readyMin: 0 }],
    [
      'an outage, where no pod is ready for a time',
      1,
      1,
      steps([0, 0], [30, 0], [45, 1]),
      { kind: 'gap', readyMin: 0, seconds: 45, ends: true },
    ],
    [
      'an outage of only the time without ready pods',
      3,
      3,
      steps([0, 1], [10, 0], [25, 2], [40, 3]),
      { kind: 'gap', seconds: 15, ends: true },
    ],
    [
      'an outage that ends with the first ready pod, though fewer than before',
      3,
      3,
      steps([0, 0], [20, 1]),
      { kind: 'gap', seconds: 20, ends: true },
    ],
    [
      'reduced, as long as there are fewer than before',
      3,
      3,
      steps([0, 2], [10, 1], [25, 3], [30, 2], [32, 3]),
      { kind: 'reduced', readyMin: 1, seconds: 27, ends: true },
    ],
    [
      'reduced, as long as there are fewer than wanted',
      5,
      3,
      steps([0, 2], [10, 3]),
      { kind: 'reduced', seconds: 10, ends: true },
    ],
    [
      'without end, where the state is final',
      1,
      1,
      steps([0, 1], [10, 0]),
      { kind: 'gap', seconds: undefined, ends: false },
    ],
    ['none, without a step', 1, 1, steps(), { kind: 'none', readyMin: 1 }],
  ])('is %s', (_, before, replicas, all, expected) => {
    expect(downtimeOf(before, replicas, all, true)).toMatchObject({ ofReplicas: replicas, ...expected });
  });

  it('has no duration where no start was observed', () => {
    expect(downtimeOf(1, 1, steps([0, 0], [45, 1]), false)).toMatchObject({
      kind: 'gap',
      seconds: undefined,
      ends: true,
    });
  });
});
