import { describe, expect, it } from 'vitest';
import { type Case, dynamic, routed, routedWeights, selecting, sizes, weightsOf } from './routed-states.js';

describe('the weights of a traffic router', () => {
  it.each<[string, Case, readonly (number | string | undefined)[]]>([
    ['nothing while no new pod is available', { fresh: [1, 0], stable: [4, 4] }, [0, 'new', 100]],
    [
      'the weight of the step once its pods are available',
      { fresh: [1, 1], stable: [4, 4] },
      [25, 'new', 75],
    ],
    [
      'the weight of the last step before a pause',
      { status: { currentStepIndex: 1 }, fresh: [1, 1], stable: [4, 4] },
      [25, 'new', 75],
    ],
    [
      'the weight of the former step until the pods of the next one are available',
      { status: { currentStepIndex: 2 }, fresh: [2, 1], stable: [4, 4] },
      [25, 'new', 75],
    ],
    [
      'nothing while the pods of the first step are not all available',
      { canary: { ...routed, steps: [{ setWeight: 50 }] }, fresh: [2, 1], stable: [4, 4] },
      [0, 'new', 100],
    ],
    [
      'everything after the last step',
      { status: { currentStepIndex: 4 }, fresh: [4, 4], stable: [4, 4] },
      [100, 'new', 0],
    ],
    [
      'nothing after an abort',
      { status: { abort: true, currentStepIndex: 2 }, fresh: [2, 2], stable: [4, 4] },
      [0, 'new', 100],
    ],
    [
      'nothing once the new revision is the stable one',
      { status: { stableRS: 'new', currentStepIndex: 4 }, fresh: [4, 4], stable: [0, 0] },
      [0, 'new', 100],
    ],
    [
      'what it had under a full promotion, until the new revision is stable',
      {
        status: { promoteFull: true, currentStepIndex: 2, canary: { weights: weightsOf(25) } },
        fresh: [4, 3],
        stable: [4, 4],
      },
      [25, 'new', 75],
    ],
    [
      'the share of the pods that are available under a full promotion, where the stable pods follow',
      {
        canary: dynamic,
        status: { promoteFull: true, currentStepIndex: 2, canary: { weights: weightsOf(25) } },
        fresh: [4, 3],
        stable: [4, 4],
      },
      [75, 'new', 25],
    ],
    [
      'its own scale, where the router has one',
      {
        canary: { ...routed, trafficRouting: { maxTrafficWeight: 1000 }, steps: [{ setWeight: 250 }] },
        fresh: [1, 1],
        stable: [4, 4],
      },
      [250, 'new', 750],
    ],
    [
      'what it had, where too few stable pods are available for their part',
      { status: { canary: { weights: weightsOf(10) } }, fresh: [1, 1], stable: [4, 2] },
      [10, 'new', 90],
    ],
    [
      'the weight of the step, where just enough stable pods are available',
      { status: { canary: { weights: weightsOf(10) } }, fresh: [1, 1], stable: [4, 3] },
      [25, 'new', 75],
    ],
  ])('give the new pods %s', (_, of, expected) => {
    expect(routedWeights(of)).toEqual(expected);
  });

  it('are absent without a router', () => {
    expect(routedWeights({ canary: { steps: routed.steps }, fresh: [1, 1], stable: [3, 3] })).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    { available: 0, weight: 50 },
    { available: 2, weight: 50 },
    { available: 3, weight: 25 },
    { available: 4, weight: 25 },
  ])(
    'fall after an abort as stable pods become available: $weight with $available of 4',
    ({ available, weight }) => {
      const status = { abort: true, currentStepIndex: 2, canary: { weights: weightsOf(50) } };
      expect(routedWeights({ canary: dynamic, status, fresh: [2, 2], stable: [4, available] })[0]).toBe(
        weight,
      );
    },
  );
});

describe('a Rollout that goes back to its stable revision', () => {
  /** The template is that of the stable revision again; its pods are not all back yet. */
  const back = (available: number, status: object = {}): Case => ({
    canary: dynamic,
    image: 'web:stable',
    status: {
      currentPodHash: 'stable',
      stableRS: 'stable',
      currentStepIndex: 4,
      canary: { weights: weightsOf(50) },
      ...status,
    },
    fresh: [2, 2],
    stable: [2, available],
    services: selecting('new'),
  });

  it('keeps the traffic of the other revision until all stable pods are available', () => {
    expect(routedWeights(back(2))).toEqual([50, 'new', 50]);
    expect(routedWeights({ ...back(3), stable: [4, 3] })).toEqual([50, 'new', 50]);
    expect(routedWeights({ ...back(4), stable: [4, 4] })).toEqual([0, 'stable', 100]);
  });

  it('starts all stable pods, and keeps the others meanwhile', () => {
    expect(sizes(back(2))).toEqual([2, 4]);
  });
});
