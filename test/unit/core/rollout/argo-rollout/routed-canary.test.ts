import { describe, expect, it } from 'vitest';
import { actArgoRollout } from '#src/core/rollout/argo-rollout/argo-rollout-model.js';
import { syncArgoRollout } from '#src/core/rollout/argo-rollout/rollout-sync.js';
import type { ArgoRolloutState } from '#src/core/rollout/rollout-state.js';
import {
  buildArgoReplicaSet,
  buildArgoRollout,
  buildArgoState,
  type SetFields,
} from '#support/argo-rollout-builders.js';
import { buildPods } from '#support/rollout-builders.js';

const routed = {
  canaryService: 'canary',
  stableService: 'main',
  trafficRouting: { nginx: {} },
  steps: [{ setWeight: 25 }, { pause: {} }, { setWeight: 50 }, { pause: {} }],
};
const dynamic = { ...routed, dynamicStableScale: true };

interface Case {
  readonly canary?: object;
  readonly status?: object;
  readonly spec?: object;
  readonly image?: string;
  /** Size and available pods. */
  readonly fresh: readonly [size: number, available: number];
  readonly stable: readonly [size: number, available: number];
  readonly services?: ArgoRolloutState['services'];
}

const weightsOf = (canary: number, stable = 100 - canary, hash = 'new') => ({
  canary: { weight: canary, podTemplateHash: hash },
  stable: { weight: stable, podTemplateHash: 'stable' },
});
const selecting = (canary: string, main = 'stable') => ({
  canary: { hash: canary, isManaged: true },
  main: { hash: main, isManaged: true },
});

/** A Rollout of four replicas. */
function stateOf({
  canary = routed,
  status,
  spec,
  image,
  fresh,
  stable,
  services = selecting('stable'),
}: Case) {
  const setOf = (hash: string, [replicas, available]: readonly [number, number]): SetFields => ({
    hash,
    replicas,
    available,
    desired: 4,
  });
  const sets = [setOf('new', fresh), setOf('stable', stable)].map(buildArgoReplicaSet);
  const pods = sets.flatMap((set) => {
    const { availableReplicas, replicas } = set.status;
    return buildPods(set, availableReplicas, replicas - availableReplicas);
  });
  const fields = {
    replicas: 4,
    canary,
    ...(status && { status }),
    ...(spec && { spec }),
    ...(image && { image }),
  };
  return buildArgoState(buildArgoRollout(fields), sets, pods, services);
}
/** The weights that the router has after one reconciliation. */
function routedWeights(of: Case): readonly (number | string | undefined)[] {
  const { weights } = syncArgoRollout(stateOf(of)).state.rollout.status.canary;
  return [weights?.canary.weight, weights?.canary.podTemplateHash, weights?.stable.weight];
}
function sizes(of: Case): readonly (number | undefined)[] {
  const { state } = actArgoRollout(stateOf(of), () => true);
  return ['web-new', 'web-stable'].map(
    (name) => state.replicaSets.find(({ metadata }) => metadata.name === name)?.spec.replicas,
  );
}

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

describe('the sizes of a canary with a traffic router', () => {
  it.each<[string, Case, readonly number[]]>([
    ['keep all stable pods', { fresh: [0, 0], stable: [4, 4] }, [1, 4]],
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
