import { describe, expect, it } from 'vitest';
import { syncArgoRollout } from '#src/engine/workloads/argo-rollout/rollout-sync.js';
import {
  afterStep,
  type Case,
  dynamic,
  type Rest,
  routed,
  selecting,
  sizes,
  stateOf,
  weightsOf,
} from './routed-states.js';

describe('the sizes of a canary with a traffic router', () => {
  it.each<[string, string, Rest?]>([
    ['keep all stable pods', '0/0 4/4 ⇒ 1 4'],
    [
      'are double at the end',
      '0/0 4/4 ⇒ 4 4',
      { canary: { ...routed, steps: [{ setWeight: 100 }, { pause: {} }] } },
    ],
    [
      'shrink the stable pods with their weight, where they follow it',
      '2/2 4/4 ⇒ 2 2',
      {
        canary: dynamic,
        status: { currentStepIndex: 3, controllerPause: false, canary: { weights: weightsOf(50) } },
      },
    ],
    [
      'keep the stable pods of the weight that the router still has',
      '1/1 3/3 ⇒ 2 3',
      { canary: dynamic, status: { currentStepIndex: 2, canary: { weights: weightsOf(25) } } },
    ],
    [
      'hold as many new pods as a step asks for',
      '0/0 4/4 ⇒ 3 4',
      { canary: { ...routed, steps: [{ setCanaryScale: { replicas: 3 } }, { pause: {} }] } },
    ],
    [
      'hold the share of new pods that a step asks for',
      '0/0 4/4 ⇒ 3 4',
      {
        canary: { ...routed, steps: [{ setCanaryScale: { weight: 75 } }, { setWeight: 10 }, { pause: {} }] },
      },
    ],
    [
      'follow the weight again after a step that matches it',
      '3/3 4/4 ⇒ 1 4',
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
      },
    ],
    ['have a minimum for each revision', '0/0 4/4 ⇒ 2 4', { canary: { ...routed, minPodsPerReplicaSet: 2 } }],
    [
      'keep the new pods for a while after an abort',
      '2/2 4/4 ⇒ 2 4',
      { status: { abort: true, currentStepIndex: 2 } },
    ],
    [
      'keep the new pods that a step asks for after an abort, where no delay ends it',
      '2/2 4/4 ⇒ 2 4',
      {
        canary: {
          ...routed,
          abortScaleDownDelaySeconds: 0,
          steps: [{ setCanaryScale: { replicas: 2 } }, { pause: {} }],
        },
        status: { abort: true, currentStepIndex: 0 },
      },
    ],
    [
      'stop the new pods of a weight after an abort without a delay',
      '2/2 4/4 ⇒ 0 4',
      { canary: { ...routed, abortScaleDownDelaySeconds: 0 }, status: { abort: true, currentStepIndex: 2 } },
    ],
  ])('%s', (_, step, more) => {
    expect(afterStep(step, more, sizes)).toBe(step);
  });
});

describe('the Services of a canary with a traffic router', () => {
  const services = (of: Case): readonly (string | undefined)[] => {
    const { state } = syncArgoRollout(stateOf(of));
    return [state.services.canary?.hash, state.services.main?.hash];
  };

  it.each<[string, string, Rest?]>([
    ['stay while no new pod is available', '1/0 4/4 ⇒ stable stable'],
    ['select the new pods once one is available', '2/1 4/4 ⇒ new stable'],
    [
      'wait for all new pods where the controller has not taken them over',
      '2/1 4/4 ⇒ stable stable',
      { services: { ...selecting('stable'), canary: { hash: 'stable', isManaged: false } } },
    ],
    [
      'select all new pods of one that it takes over',
      '2/2 4/4 ⇒ new stable',
      { services: { ...selecting('stable'), canary: { hash: 'stable', isManaged: false } } },
    ],
    [
      'select the stable pods after an abort',
      '2/2 4/4 ⇒ stable stable',
      { status: { abort: true, currentStepIndex: 2 }, services: selecting('new') },
    ],
    [
      'select the new pods on both once they are stable',
      '4/4 0/0 ⇒ new new',
      { status: { stableRS: 'new', currentStepIndex: 4 }, services: selecting('new') },
    ],
  ])('%s', (_, step, more) => {
    expect(afterStep(step, more, services)).toBe(step);
  });
});
