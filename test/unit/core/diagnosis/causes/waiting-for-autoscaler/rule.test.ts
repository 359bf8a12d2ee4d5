import { describe, expect, it } from 'vitest';
import type { Event } from '#src/core/cluster/event.js';
import { NodeClaim } from '#src/core/cluster/policy.js';
import { waitingForAutoscaler } from '#src/core/diagnosis/causes/waiting-for-autoscaler/rule.js';
import { text } from '#src/core/diagnosis/causes/waiting-for-autoscaler/text.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  buildReplicaSet,
  detected,
  event,
  type Fields,
  ownedPod,
  renderFinding,
  renderStatements,
} from '../../waiting/build.js';

const about = { kind: 'Pod', name: 'web-new', uid: 'web-new' };

function triggered(secondsAgo: number): Event {
  return event({
    about,
    reason: 'TriggeredScaleUp',
    message: 'pod triggered scale-up: [{gpu-pool 1->2 (max: 4)}]',
    component: 'cluster-autoscaler',
    secondsAgo,
  });
}

function declined(secondsAgo: number): Event {
  return event({
    about,
    reason: 'NotTriggerScaleUp',
    message: "pod didn't trigger scale-up: 1 max node group size reached",
    component: 'cluster-autoscaler',
    secondsAgo,
  });
}

function nominated(secondsAgo: number, component = 'karpenter'): Event {
  return event({
    about,
    reason: 'Nominated',
    message: 'Pod should schedule on: nodeclaim/gpu-x7k2p',
    component,
    secondsAgo,
  });
}

function claimed(secondsAgo: number, conditions: Readonly<Record<string, string>> = {}) {
  return NodeClaim.parse({
    metadata: { name: 'gpu-x7k2p', creationTimestamp: ago(secondsAgo) },
    status: {
      conditions: Object.entries(conditions).map(([type, status]) => ({
        type,
        status,
        lastTransitionTime: ago(secondsAgo - 30),
      })),
    },
  });
}

function waiting(fields: Fields): Fields {
  return {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
    Node: [node('n-a', { allocatable: { cpu: '1' } })],
    Pod: [ownedPod('web-new', 2, { requests: { cpu: '2' }, age: 120 })],
    ...fields,
  };
}

describe('a pending scale-out is reported while an ordered node may still arrive', () => {
  it('for cluster-autoscaler, with its message and the deadline', () => {
    const finding = detected(waitingForAutoscaler, waiting({ Event: [triggered(70)] }));
    const rendered = renderFinding(finding, text);

    expect(finding).toMatchObject({ confidence: 'likely', severity: 'warning' });
    expect(rendered).toContain('gpu-pool 1->2 (max: 4)');
    expect(rendered).toContain('ordered a node for this pod 1 min 10 s ago');
    expect(finding?.nextAttempt?.at).toBe('2026-11-20T09:43:50.000Z');
    expect(finding?.withheld.map(({ kind }) => kind)).toContain('patch-strategy');
  });

  it('for Karpenter, with the progress of its NodeClaim', () => {
    const finding = detected(
      waitingForAutoscaler,
      waiting({ Event: [nominated(90)], NodeClaim: [claimed(85, { Launched: 'True' })] }),
    );

    expect(renderFinding(finding, text)).toContain(
      'The NodeClaim gpu-x7k2p has completed: Launched. Remaining: Registered and Initialized.',
    );
    expect(finding?.advice[0]?.snippet).toBe('kubectl describe nodeclaim gpu-x7k2p\n');
  });

  it('for Karpenter without any event, as only possible', () => {
    const finding = detected(waitingForAutoscaler, waiting({ NodeClaim: [claimed(60)] }));

    expect(finding?.confidence).toBe('possible');
    expect(renderFinding(finding, text)).toContain('No event states whether it is for these pods');
  });

  it('with the warning of a later deadlock when only its old pod blocks', () => {
    const finding = detected(waitingForAutoscaler, {
      ReplicaSet: [
        buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
        buildReplicaSet({ revision: 2, replicas: 1 }),
      ],
      Node: [node('n-a')],
      Pod: [
        ownedPod('web-old', 1, { on: 'n-a', requests: { cpu: '3' } }),
        ownedPod('web-new', 2, { requests: { cpu: '3' }, age: 120 }),
      ],
      Event: [triggered(70)],
    });

    expect(renderFinding(finding, text)).toContain('Old pods are still running (web-old)');
  });

  it('in both languages', () => {
    for (const { en, ko } of renderStatements(
      detected(waitingForAutoscaler, waiting({ Event: [triggered(70)] })),
      text,
    )) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });
});

describe('a pending scale-out is no longer reported after its deadline', () => {
  it.each<readonly [string, Fields, boolean]>([
    ['a second before the 15 minutes are over it is still reported', { Event: [triggered(899)] }, true],
    ['after 15 minutes it is not', { Event: [triggered(900)] }, false],
    ['after a later refusal it is not', { Event: [triggered(120), declined(60)] }, false],
    ['after an earlier refusal it is', { Event: [declined(120), triggered(60)] }, true],
    [
      'a later refusal of Karpenter with the reason of kube-scheduler ends it',
      {
        Event: [
          nominated(120),
          event({
            about,
            reason: 'FailedScheduling',
            message: 'Failed to schedule pod, incompatible with nodepool "a"',
            component: 'karpenter',
            secondsAgo: 30,
          }),
        ],
      },
      false,
    ],
    [
      "kube-scheduler's own FailedScheduling does not end it",
      {
        Event: [
          nominated(120),
          event({
            about,
            reason: 'FailedScheduling',
            message: '0/1 nodes are available: 1 Insufficient cpu.',
            component: 'default-scheduler',
            secondsAgo: 30,
          }),
        ],
      },
      true,
    ],
    [
      'a Nominated event of another component does not count',
      { Event: [nominated(60, 'someone-else')] },
      false,
    ],
    [
      'a NodeClaim whose node joined minutes ago does not count',
      {
        Event: [nominated(500)],
        NodeClaim: [claimed(490, { Launched: 'True', Registered: 'True', Initialized: 'True' })],
      },
      false,
    ],
    [
      'a NodeClaim that could not be launched does not count',
      { NodeClaim: [claimed(60, { Launched: 'False' })] },
      false,
    ],
    ['without any event of an autoscaler it is not', {}, false],
  ])('%s', (_, fields, fires) => {
    expect(detected(waitingForAutoscaler, waiting(fields)) !== undefined).toBe(fires);
  });
});

describe('a pending scale-out is not reported', () => {
  it('when a node can run the pod already', () => {
    expect(
      detected(waitingForAutoscaler, waiting({ Node: [node('n-a')], Event: [triggered(60)] })),
    ).toBeUndefined();
  });

  it('when the pod is gated', () => {
    const gated = ownedPod('web-new', 2, { spec: { schedulingGates: [{ name: 'g' }] }, age: 120 });

    expect(detected(waitingForAutoscaler, waiting({ Pod: [gated], Event: [triggered(60)] }))).toBeUndefined();
  });
});
