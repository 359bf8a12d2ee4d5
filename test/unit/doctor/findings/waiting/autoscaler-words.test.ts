import { describe, expect, it } from 'vitest';
import { autoscalerAnswer, isAnswerPending, scaleUpUnderWay } from '#src/doctor/findings/waiting/scale-up.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { buildSnapshot } from '../../../../support/remediation-builders.js';
import { ago, buildDeployment, buildPod } from '../../../../support/rollout-builders.js';

const pod: Pod = buildPod({ name: 'web-1' });
const other: Pod = buildPod({ name: 'web-2' });

interface Said {
  readonly of?: Pod;
  readonly reason: string;
  readonly age: number;
  readonly component?: string;
  readonly message?: string;
}

const event = ({ of = pod, reason, age, component = 'cluster-autoscaler', message = '' }: Said) =>
  schemas.Event.parse({
    metadata: { name: `${reason}-${age}`, namespace: 'shop' },
    involvedObject: { uid: of.metadata.uid },
    reason,
    message,
    lastTimestamp: ago(age),
    source: { component },
  });

interface Claimed {
  readonly age?: number;
  readonly deleted?: boolean;
  readonly conditions?: readonly (readonly [type: string, status: string, since: number])[];
}

const nodeClaim = ({ age = 60, deleted = false, conditions = [] }: Claimed = {}) =>
  schemas.NodeClaim.parse({
    metadata: {
      name: 'pool-x1',
      creationTimestamp: ago(age),
      ...(deleted ? { deletionTimestamp: ago(1) } : {}),
    },
    status: {
      conditions: conditions.map(([type, status, since]) => ({
        type,
        status,
        lastTransitionTime: ago(since),
      })),
    },
  });

const snapshotOf = (found: readonly Said[], claims: readonly Claimed[] = []) =>
  buildSnapshot(buildDeployment(), {
    Pod: [pod, other],
    Event: found.map(event),
    NodeClaim: claims.map(nodeClaim),
  });

const ordered = { reason: 'TriggeredScaleUp', age: 60 };
const nominated = {
  reason: 'Nominated',
  component: 'karpenter',
  message: 'Pod should schedule on: nodeclaim/pool-x1',
  age: 60,
};

describe('a new node is expected', () => {
  it.each<[string, readonly Said[], readonly Claimed[], string | undefined]>([
    ['not without an event', [], [], undefined],
    ['when the cluster-autoscaler has ordered it', [ordered], [], 'cluster-autoscaler'],
    ['when Karpenter has nominated one', [nominated], [], 'Karpenter'],
    ['not when another component nominates', [{ ...nominated, component: 'batch' }], [], undefined],
    ['for a little less than 15 minutes', [{ ...ordered, age: 899 }], [], 'cluster-autoscaler'],
    ['not after 15 minutes', [{ ...ordered, age: 900 }], [], undefined],
    ['when clocks differ by a minute', [{ ...ordered, age: -60 }], [], 'cluster-autoscaler'],
    ['not when they differ by more', [{ ...ordered, age: -61 }], [], undefined],
    ['not after it was declined', [ordered, { reason: 'NotTriggerScaleUp', age: 30 }], [], undefined],
    [
      'when it was ordered after it was declined',
      [ordered, { reason: 'NotTriggerScaleUp', age: 90 }],
      [],
      'cluster-autoscaler',
    ],
    [
      'not after Karpenter reports that it cannot',
      [nominated, { reason: 'FailedScheduling', component: 'karpenter', age: 30 }],
      [],
      undefined,
    ],
    [
      'whatever kube-scheduler reports',
      [nominated, { reason: 'FailedScheduling', component: 'default-scheduler', age: 30 }],
      [],
      'Karpenter',
    ],
    [
      'not after the nominated one arrived over two minutes ago',
      [nominated],
      [{ conditions: [['Initialized', 'True', 121]] }],
      undefined,
    ],
    [
      'while the nominated one has only just arrived',
      [nominated],
      [{ conditions: [['Initialized', 'True', 120]] }],
      'Karpenter',
    ],
    [
      'while the nominated one has not arrived',
      [nominated],
      [{ conditions: [['Initialized', 'False', 500]] }],
      'Karpenter',
    ],
    ['when a claim for one is open', [], [{}], 'Karpenter'],
    ['not when that claim is old', [], [{ age: 900 }], undefined],
    ['not when that claim is being deleted', [], [{ deleted: true }], undefined],
    [
      'not when that claim could not be launched',
      [],
      [{ conditions: [['Launched', 'False', 10]] }],
      undefined,
    ],
    ['not when that claim has its node', [], [{ conditions: [['Initialized', 'True', 10]] }], undefined],
    ['not when the pods were declined after it', [{ reason: 'NotTriggerScaleUp', age: 30 }], [{}], undefined],
  ])('%s', (_, found, claims, by) => {
    expect(scaleUpUnderWay(snapshotOf(found, claims), [pod])?.by).toBe(by);
  });

  it('for 15 minutes from the order, with the name of its claim', () => {
    expect(scaleUpUnderWay(snapshotOf([nominated]), [pod])).toMatchObject({
      nodeClaim: 'pool-x1',
      since: ago(60),
      until: new Date(Date.parse(ago(60 - 900))).toISOString(),
    });
    expect(scaleUpUnderWay(snapshotOf([], [{}]), [pod])).toMatchObject({
      nodeClaim: 'pool-x1',
      since: ago(60),
    });
    expect(scaleUpUnderWay(snapshotOf([ordered]), [pod])?.nodeClaim).toBeUndefined();
  });

  it('for the next pod when the first one was declined', () => {
    const found = [
      { reason: 'NotTriggerScaleUp', age: 30 },
      { ...ordered, of: other },
    ];
    expect(scaleUpUnderWay(snapshotOf(found), [pod, other])?.by).toBe('cluster-autoscaler');
  });
});

describe('the last event of an autoscaler', () => {
  const declined = { reason: 'NotTriggerScaleUp', age: 30 };

  it.each<[string, readonly Said[], string]>([
    ['is undefined without events', [], 'silent'],
    ['is undefined while an order is pending', [ordered], 'silent'],
    ['is a declined scale-up', [declined], 'declined'],
    ['is a failed order', [{ ...ordered, age: 900 }], 'expired'],
    ['is a declined scale-up after a failed order', [{ ...ordered, age: 1000 }, declined], 'declined'],
    [
      'is its order where that is later',
      [
        { ...ordered, age: 950 },
        { ...declined, age: 1000 },
      ],
      'expired',
    ],
    ['is a declined scale-up while an earlier order is pending', [ordered, declined], 'declined'],
  ])('%s', (_, found, kind) => {
    expect(autoscalerAnswer(snapshotOf(found), [pod]).kind).toBe(kind);
  });

  it('is the newest one about any of the pods', () => {
    const answer = autoscalerAnswer(
      snapshotOf([declined, { ...declined, of: other, age: 10, message: 'newest' }]),
      [pod, other],
    );
    expect(answer).toMatchObject({ kind: 'declined', event: { message: 'newest' } });
    const orders = [
      { ...ordered, age: 1000 },
      { ...ordered, of: other, age: 950 },
    ];
    for (const pods of [
      [pod, other],
      [other, pod],
    ]) {
      expect(autoscalerAnswer(snapshotOf(orders), pods)).toMatchObject({
        kind: 'expired',
        order: { since: ago(950) },
      });
    }
  });
});

describe('an autoscaler that has not responded yet', () => {
  const waiting = (age: number) => buildPod({ name: 'web-1', node: undefined, age });
  const labelled = (label: string) =>
    schemas.Node.parse({ metadata: { name: 'n-a', labels: { [label]: 'general' } } });
  const pending = (age: number, objects: Parameters<typeof buildSnapshot>[1]) => {
    const refused = waiting(age);
    return isAnswerPending(buildSnapshot(buildDeployment(), { Pod: [refused], ...objects }), [refused]);
  };

  it.each<readonly [string, number, Parameters<typeof buildSnapshot>[1], boolean]>([
    ['nodes of Karpenter, refused seconds ago', 5, { Node: [labelled('karpenter.sh/nodepool')] }, true],
    ['nodes of an old Karpenter', 5, { Node: [labelled('karpenter.sh/provisioner-name')] }, true],
    ['a NodeClaim', 5, { NodeClaim: [nodeClaim()] }, true],
    [
      'events of the cluster autoscaler about another pod',
      5,
      { Event: [event({ of: other, reason: 'TriggeredScaleUp', age: 900 })] },
      true,
    ],
    ['refused a minute ago', 60, { Node: [labelled('karpenter.sh/nodepool')] }, false],
    [
      'an event exists already',
      5,
      {
        Node: [labelled('karpenter.sh/nodepool')],
        Event: [event({ reason: 'FailedScheduling', component: 'karpenter', age: 1 })],
      },
      false,
    ],
    ['no autoscaler', 5, { Node: [labelled('pool')] }, false],
  ])('%s', (_, age, objects, expected) => {
    expect(pending(age, objects)).toBe(expected);
  });
});
