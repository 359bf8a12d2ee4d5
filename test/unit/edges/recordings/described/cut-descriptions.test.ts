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

/** A chat cuts a long message, and people copy a part of what kubectl printed. */
const refusal = (pod: string, limit: string): EventRow => [
  'Warning',
  'FailedCreate',
  '10s',
  'replicaset-controller',
  `Error creating: pods "${pod}" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: ${limit}`,
];
const whole = 'requests.cpu=1, limited: requests.cpu=1';
const other = describePod({ name: 'other-1-aaaaa', owner: 'ReplicaSet/other-1', labels: ['app=other'] });

describe('text that ends before the pods of a workload', () => {
  const complete = (...events: readonly EventRow[]): readonly string[] => [
    describeNode('node-a'),
    describeDeployment({
      replicas: '1 desired | 1 updated | 1 total | 1 available | 0 unavailable',
      newReplicaSet: 'web-1 (1/1 replicas created)',
      progressing: 'True    NewReplicaSetAvailable',
    }),
    describeReplicaSet({ name: 'web-1', revision: 2, replicas: '1 current / 1 desired', events }),
  ];

  it('states no missing pod where the ReplicaSet counts all, although other pods were read', async () => {
    const text = describeAll(other, ...complete(refusal('web-1-bbbbb', whole)));
    expect(answerOf(await diagnoseText(text)).cause).toBeUndefined();
  });

  it('lacks these pods, which is stated', async () => {
    const { unseen } = await diagnoseText(describeAll(other, ...complete()));
    expect(unseen).toContainEqual(expect.objectContaining({ what: 'Pod', because: 'not-recorded' }));
  });

  it('lacks nothing where the pods were read', async () => {
    const pod = describePod({ name: 'web-1-aaaaa', owner: 'ReplicaSet/web-1' });
    const { unseen } = await diagnoseText(describeAll(other, ...complete(), pod));
    expect(unseen.filter(({ what, because }) => what === 'Pod' && because === 'not-recorded')).toEqual([]);
  });
});

const rollout = (pod: string): string =>
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
      events: [['Normal', 'SuccessfulCreate', '20m', 'replicaset-controller', 'Created pod: web-2-bbbbb']],
    }),
    describeReplicaSet({ name: 'web-1', revision: 1, replicas: '1 current / 1 desired' }),
    describePod({ name: 'web-1-aaaaa', owner: 'ReplicaSet/web-1' }),
    pod,
  );
const newPod = { name: 'web-2-bbbbb', owner: 'ReplicaSet/web-2', image: 'web:2', started: '11:40:00' };

describe('a pod whose description ends before its events', () => {
  const waiting = describePod({
    ...newPod,
    status: 'Pending',
    state: ['State:          Waiting', '  Reason:       ContainerCreating', 'Ready:          False'],
    conditions: ['Initialized True', 'Ready False', 'ContainersReady False', 'PodScheduled True'],
  });
  const cut = rollout(waiting.slice(0, waiting.lastIndexOf('Events:')));

  it('has events that were not read, although those of its ReplicaSet were', async () => {
    const { unseen } = await diagnoseText(cut);
    expect(unseen).toContainEqual(expect.objectContaining({ what: 'Event', because: 'not-recorded' }));
  });

  it('is not said to have no event', async () => {
    const { main } = mainFindingOf(await diagnoseText(cut));
    expect(main).toMatchObject({ cause: 'pod-start-stalled', summary: { key: 'summary-unread' } });
    expect(main?.reasoning.map(({ key }) => key)).not.toContain('no-events');
  });

  it('has none where the description states so', async () => {
    const { main } = mainFindingOf(await diagnoseText(rollout(waiting)));
    expect(main).toMatchObject({ cause: 'pod-start-stalled', summary: { key: 'summary' } });
  });
});

describe('a pod whose description ends within its containers', () => {
  const init = (reason?: string): string => {
    const state = reason === undefined ? [] : ['State:          Waiting', `  Reason:       ${reason}`];
    const text = describePod({ ...newPod, status: 'Pending', state });
    const proxy = [
      'Init Containers:',
      '  proxy:',
      '    Image:          proxy:1',
      '    State:          Running',
      '      Started:      Wed, 01 Jul 2026 11:41:00 +0000',
      '    Ready:          True',
      'Containers:',
    ].join('\n');
    return text.slice(0, text.indexOf('    Environment:')).replace('Containers:', proxy);
  };

  it('does not show whether an init container that runs is a sidecar', async () => {
    expect(answerOf(await diagnoseText(rollout(init()))).cause).not.toBe('init-container-stuck');
  });

  it('shows that it is none where a container waits for it', async () => {
    const { cause } = answerOf(await diagnoseText(rollout(init('PodInitializing'))));
    expect(cause).toBe('init-container-stuck');
  });
});

describe('text that ends within an event', () => {
  const refused = (last: string): string =>
    describeAll(
      describeDeployment({
        replicas: '1 desired | 0 updated | 0 total | 0 available | 1 unavailable',
        newReplicaSet: 'web-2 (0/1 replicas created)',
      }),
      describeReplicaSet({
        name: 'web-2',
        revision: 2,
        replicas: '0 current / 1 desired',
        events: [refusal('web-2-aaaaa', whole), refusal('web-2-bbbbb', last)],
      }),
    ).trimEnd();

  it('has the whole words of the same event of another pod', async () => {
    expect(answerOf(await diagnoseText(refused('requests'))).cause).toBe('quota-exceeded');
    expect(answerOf(await diagnoseText(refused(whole))).cause).toBe('quota-exceeded');
  });
});
