import { describe, expect, it } from 'vitest';
import { mainFindingOf } from '#src/doctor/findings/main-finding.js';
import {
  answerOf,
  describeAll,
  describeDeployment,
  describeNode,
  describePod,
  describeReplicaSet,
  diagnoseText,
  type EventRow,
} from '#support/descriptions.js';

const old = describePod({ name: 'web-1-aaaaa', owner: 'ReplicaSet/web-1' });
const rollout = (created: string, ...pods: readonly string[]) =>
  describeAll(
    describeNode('node-a'),
    describeDeployment({
      replicas: '1 desired | 1 updated | 2 total | 1 available | 1 unavailable',
      image: 'web:2',
      oldReplicaSets: 'web-1 (1/1 replicas created)',
      newReplicaSet: 'web-2 (1/1 replicas created)',
    }),
    describeReplicaSet({
      name: 'web-2',
      revision: 2,
      replicas: '1 current / 1 desired',
      image: 'web:2',
      events: [['Normal', 'SuccessfulCreate', created, 'replicaset-controller', 'Created pod: web-2-bbbbb']],
    }),
    describeReplicaSet({ name: 'web-1', revision: 1, replicas: '1 current / 1 desired' }),
    old,
    ...pods,
  );
const waitingPod = {
  name: 'web-2-bbbbb',
  owner: 'ReplicaSet/web-2',
  image: 'web:2',
  node: '<none>',
  status: 'Pending',
  state: [],
};

describe('a pod without a node, a condition and an event', () => {
  const untried = describePod({ ...waitingPod, conditions: [] });

  it('was tried by no scheduler, and the scheduler is not named', async () => {
    const diagnosis = await diagnoseText(rollout('5m', untried));
    expect(answerOf(diagnosis)).toEqual({
      cause: 'control-plane-not-acting',
      confidence: 'likely',
      open: ['gang-deadlock'],
    });
    expect(mainFindingOf(diagnosis).main?.summary.key).toBe('summary-untried');
  });

  it('may be too young', async () => {
    expect(answerOf(await diagnoseText(rollout('40s', untried))).cause).toBeUndefined();
  });

  it('may have had a condition where the text was cut off', async () => {
    const text = rollout('5m', untried);
    const cut = text.slice(0, text.lastIndexOf('Volumes:'));
    expect(answerOf(await diagnoseText(cut)).cause).toBeUndefined();
  });

  it('was tried where the scheduler set the condition', async () => {
    const refused = describePod({ ...waitingPod, conditions: ['PodScheduled False'] });
    expect(answerOf(await diagnoseText(rollout('5m', refused))).cause).not.toBe('control-plane-not-acting');
  });
});

describe('a pod that is to run with other requests', () => {
  const change =
    '{"containers":[{"name":"app"}],"generation":2,"error":"Node did not have enough resource: cpu"}';
  const resizing = (condition: string, ...events: readonly EventRow[]) =>
    describeAll(
      describeNode('node-a'),
      describeDeployment({
        replicas: '1 desired | 1 updated | 1 total | 1 available | 0 unavailable',
        newReplicaSet: 'web-1 (1/1 replicas created)',
        progressing: 'True    NewReplicaSetAvailable',
      }),
      describeReplicaSet({ name: 'web-1', revision: 2, replicas: '1 current / 1 desired' }),
      describePod({
        name: 'web-1-aaaaa',
        owner: 'ReplicaSet/web-1',
        requests: ['cpu:  1'],
        conditions: [
          condition,
          'Initialized True',
          'Ready True',
          'ContainersReady True',
          'PodScheduled True',
        ],
        events,
      }),
    );
  const event = (type: string, reason: string, age: string): EventRow => [
    type,
    reason,
    age,
    'kubelet',
    `Pod resize: ${change}`,
  ];

  it.each([
    ['PodResizePending True', 'ResizeDeferred', 'deferred'],
    ['PodResizePending True', 'ResizeInfeasible', 'infeasible'],
    ['PodResizeInProgress True', 'ResizeError', 'failed'],
  ])('has the verdict of the event: %s, %s', async (condition, reason, verdict) => {
    const { main } = mainFindingOf(await diagnoseText(resizing(condition, event('Warning', reason, '5m'))));
    expect(main?.cause).toBe('resize-pending');
    expect(main?.facts?.resizes).toMatchObject([
      { verdict, message: 'Node did not have enough resource: cpu' },
    ]);
  });

  it.each([
    ['without the condition', 'Other True', [event('Warning', 'ResizeDeferred', '5m')]],
    [
      'after a new start of the resize',
      'PodResizeInProgress True',
      [event('Warning', 'ResizeError', '9m'), event('Normal', 'ResizeStarted', '5m')],
    ],
  ] as const)('has no problem %s', async (_, condition, events) => {
    expect(answerOf(await diagnoseText(resizing(condition, ...events))).cause).toBeUndefined();
  });
});
