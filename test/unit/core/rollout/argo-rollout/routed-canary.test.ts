import { describe, expect, it } from 'vitest';
import { syncArgoRollout } from '#src/core/rollout/argo-rollout/rollout-sync.js';
import { type Case, dynamic, routed, selecting, sizes, stateOf, weightsOf } from './routed-states.js';

describe('the sizes of a canary with a traffic router', () => {
  it.each<[string, Case, readonly number[]]>([
    ['keep all stable pods', { fresh: [0, 0], stable: [4, 4] }, [1, 4]],
    [
      'are double at the end',
      { canary: { ...routed, steps: [{ setWeight: 100 }, { pause: {} }] }, fresh: [0, 0], stable: [4, 4] },
      [4, 4],
    ],
    [
      'shrink the stable pods with their weight, where they follow it',
      {
        canary: dynamic,
        status: { currentStepIndex: 3, controllerPause: false, canary: { weights: weightsOf(50) } },
        fresh: [2, 2],
        stable: [4, 4],
      },
      [2, 2],
    ],
    [
      'keep the stable pods of the weight that the router still has',
      {
        canary: dynamic,
        status: { currentStepIndex: 2, canary: { weights: weightsOf(25) } },
        fresh: [1, 1],
        stable: [3, 3],
      },
      [2, 3],
    ],
    [
      'hold as many new pods as a step asks for',
      {
        canary: { ...routed, steps: [{ setCanaryScale: { replicas: 3 } }, { pause: {} }] },
        fresh: [0, 0],
        stable: [4, 4],
      },
      [3, 4],
    ],
    [
      'hold the share of new pods that a step asks for',
      {
        canary: { ...routed, steps: [{ setCanaryScale: { weight: 75 } }, { setWeight: 10 }, { pause: {} }] },
        fresh: [0, 0],
        stable: [4, 4],
      },
      [3, 4],
    ],
    [
      'follow the weight again after a step that matches it',
      {
        canary: {
          ...routed,
          steps: [
            { setCanaryScale: { replicas: 3 } },
            { setWeight: 25 },
            { setCanaryScale: { matchTrafficWeight: true } },
            { pause: {} },
          ],
        },
        status: { currentStepIndex: 2 },
        fresh: [3, 3],
        stable: [4, 4],
      },
      [1, 4],
    ],
    [
      'have a minimum for each revision',
      { canary: { ...routed, minPodsPerReplicaSet: 2 }, fresh: [0, 0], stable: [4, 4] },
      [2, 4],
    ],
    [
      'keep the new pods for a while after an abort',
      { status: { abort: true, currentStepIndex: 2 }, fresh: [2, 2], stable: [4, 4] },
      [2, 4],
    ],
    [
      'keep the new pods that a step asks for after an abort, where no delay ends it',
      {
        canary: {
          ...routed,
          abortScaleDownDelaySeconds: 0,
          steps: [{ setCanaryScale: { replicas: 2 } }, { pause: {} }],
        },
        status: { abort: true, currentStepIndex: 0 },
        fresh: [2, 2],
        stable: [4, 4],
      },
      [2, 4],
    ],
    [
      'stop the new pods of a weight after an abort without a delay',
      {
        canary: { ...routed, abortScaleDownDelaySeconds: 0 },
        status: { abort: true, currentStepIndex: 2 },
        fresh: [2, 2],
        stable: [4, 4],
      },
      [0, 4],
    ],
  ])('%s', (_, of, expected) => {
    expect(sizes(of)).toEqual(expected);
  });
});

describe('the Services of a canary with a traffic router', () => {
  const services = (of: Case): readonly (string | undefined)[] => {
    const { state } = syncArgoRollout(stateOf(of));
    return [state.services.canary?.hash, state.services.main?.hash];
  };

  it.each<[string, Case, readonly string[]]>([
    ['stay while no new pod is available', { fresh: [1, 0], stable: [4, 4] }, ['stable', 'stable']],
    ['select the new pods once one is available', { fresh: [2, 1], stable: [4, 4] }, ['new', 'stable']],
    [
      'wait for all new pods where the controller has not taken them over',
      {
        fresh: [2, 1],
        stable: [4, 4],
        services: { ...selecting('stable'), canary: { hash: 'stable', isManaged: false } },
      },
      ['stable', 'stable'],
    ],
    [
      'select all new pods of one that it takes over',
      {
        fresh: [2, 2],
        stable: [4, 4],
        services: { ...selecting('stable'), canary: { hash: 'stable', isManaged: false } },
      },
      ['new', 'stable'],
    ],
    [
      'select the stable pods after an abort',
      {
        status: { abort: true, currentStepIndex: 2 },
        fresh: [2, 2],
        stable: [4, 4],
        services: selecting('new'),
      },
      ['stable', 'stable'],
    ],
    [
      'select the new pods on both once they are stable',
      {
        status: { stableRS: 'new', currentStepIndex: 4 },
        fresh: [4, 4],
        stable: [0, 0],
        services: selecting('new'),
      },
      ['new', 'new'],
    ],
  ])('%s', (_, of, expected) => {
    expect(services(of)).toEqual(expected);
  });
});
