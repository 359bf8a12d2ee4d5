import { describe, expect, it } from 'vitest';
import {
  afterStep,
  type Case,
  dynamic,
  type Rest,
  routed,
  routedWeights,
  selecting,
  sizes,
  weightsOf,
} from './routed-states.js';

describe('the weights of a traffic router', () => {
  it.each<[string, string, Rest?]>([
    ['nothing while no new pod is available', '1/0 4/4 ⇒ 0 new 100'],
    ['the weight of the step once its pods are available', '1/1 4/4 ⇒ 25 new 75'],
    [
      'the weight of the last step before a pause',
      '1/1 4/4 ⇒ 25 new 75',
      { status: { currentStepIndex: 1 } },
    ],
    [
      'the weight of the former step until the pods of the next one are available',
      '2/1 4/4 ⇒ 25 new 75',
      { status: { currentStepIndex: 2 } },
    ],
    [
      'nothing while the pods of the first step are not all available',
      '2/1 4/4 ⇒ 0 new 100',
      { canary: { ...routed, steps: [{ setWeight: 50 }] } },
    ],
    ['everything after the last step', '4/4 4/4 ⇒ 100 new 0', { status: { currentStepIndex: 4 } }],
    ['nothing after an abort', '2/2 4/4 ⇒ 0 new 100', { status: { abort: true, currentStepIndex: 2 } }],
    [
      'nothing once the new revision is the stable one',
      '4/4 0/0 ⇒ 0 new 100',
      { status: { stableRS: 'new', currentStepIndex: 4 } },
    ],
    [
      'what it had under a full promotion, until the new revision is stable',
      '4/3 4/4 ⇒ 25 new 75',
      { status: { promoteFull: true, currentStepIndex: 2, canary: { weights: weightsOf(25) } } },
    ],
    [
      'the share of the pods that are available under a full promotion, where the stable pods follow',
      '4/3 4/4 ⇒ 75 new 25',
      {
        canary: dynamic,
        status: { promoteFull: true, currentStepIndex: 2, canary: { weights: weightsOf(25) } },
      },
    ],
    [
      'its own scale, where the router has one',
      '1/1 4/4 ⇒ 250 new 750',
      { canary: { ...routed, trafficRouting: { maxTrafficWeight: 1000 }, steps: [{ setWeight: 250 }] } },
    ],
    [
      'what it had, where too few stable pods are available for their part',
      '1/1 4/2 ⇒ 10 new 90',
      { status: { canary: { weights: weightsOf(10) } } },
    ],
    [
      'the weight of the step, where just enough stable pods are available',
      '1/1 4/3 ⇒ 25 new 75',
      { status: { canary: { weights: weightsOf(10) } } },
    ],
  ])('give the new pods %s', (_, step, more) => {
    expect(afterStep(step, more, routedWeights)).toBe(step);
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
