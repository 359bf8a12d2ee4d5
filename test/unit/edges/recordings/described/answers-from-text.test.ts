import { describe, expect, it } from 'vitest';
import { answeringNoteOf, mainFindingOf } from '#src/doctor/findings/main-finding.js';
import { openSentence } from '#src/edges/terminal/report-text.js';
import { plain } from '#src/engine/language/prose.js';
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

describe('a container that fails without a word', () => {
  const failing = (state: readonly string[], limits: readonly string[] = []) =>
    rollout(
      '20m',
      describePod({
        name: 'web-2-bbbbb',
        owner: 'ReplicaSet/web-2',
        image: 'web:2',
        status: 'Pending',
        state,
        limits,
        conditions: ['Initialized True', 'Ready False', 'ContainersReady False', 'PodScheduled True'],
      }),
    );
  const ended = (exitCode: number, ...message: readonly string[]) => [
    'State:          Waiting',
    '  Reason:       CrashLoopBackOff',
    'Last State:     Terminated',
    '  Reason:       Error',
    ...message,
    `  Exit Code:    ${exitCode}`,
    '  Started:      Wed, 01 Jul 2026 11:55:00 +0000',
    '  Finished:     Wed, 01 Jul 2026 11:55:01 +0000',
    'Ready:          False',
    'Restart Count:  7',
  ];
  const notCreated = [
    'State:          Waiting',
    '  Reason:       CreateContainerError',
    'Ready:          False',
  ];
  const statementsOf = async (text: string) => {
    const { main } = mainFindingOf(await diagnoseText(text));
    return [...(main?.reasoning ?? []), ...(main?.weakenedBy ?? [])].map(({ key }) => key);
  };

  it.each([126, 127])('ends with code %i, and only the log shows what could not run', async (exitCode) => {
    const text = failing(ended(exitCode));
    expect(answerOf(await diagnoseText(text))).toMatchObject({
      cause: 'bad-command',
      open: expect.arrayContaining(['crash-loop-after-rollout', 'application-crash']),
    });
    expect(await statementsOf(text)).toContain('log-unread');
  });

  it('needs no log where the runtime states what could not run', async () => {
    const message = '  Message:      exec: "serve": executable file not found in $PATH';
    expect(await statementsOf(failing(ended(127, message)))).not.toContain('log-unread');
  });

  it('has no exit code where it was not created', async () => {
    const statements = await statementsOf(failing(notCreated));
    expect(statements).toContain('runtime-unread');
    expect(statements).not.toContain('start-error');
  });

  it('cannot start in less than a page of memory', async () => {
    const text = failing(notCreated, ['memory:  128m']);
    expect(answerOf(await diagnoseText(text)).cause).toBe('out-of-memory');
    expect(await statementsOf(text)).not.toContain('kubelet-says');
  });

  it('may start in some megabytes', async () => {
    expect(answerOf(await diagnoseText(failing(notCreated, ['memory:  128M']))).cause).toBe('bad-command');
  });
});

describe('a pod that waits for what others have', () => {
  const noRoom = '0/1 nodes are available: 1 Insufficient cpu.';
  const other = (priority: number, started: string, owner = 'Job/etl', namespace = 'batch') =>
    describePod({ name: 'etl-ccccc', namespace, owner, requests: ['cpu:  3'], priority, started });
  const beside = (...others: readonly string[]) =>
    describeAll(
      describeNode('node-a', { cpu: 4 }),
      describeDeployment({
        replicas: '1 desired | 1 updated | 1 total | 0 available | 1 unavailable',
        newReplicaSet: 'web-1 (1/1 replicas created)',
        progressing: 'True    NewReplicaSetAvailable',
        resources: ['Requests:', '  cpu:         2'],
      }),
      describeReplicaSet({
        name: 'web-1',
        revision: 2,
        replicas: '1 current / 1 desired',
        resources: ['Requests:', '  cpu:         2'],
        events: [['Normal', 'SuccessfulCreate', '9m', 'replicaset-controller', 'Created pod: web-1-aaaaa']],
      }),
      describePod({
        ...waitingPod,
        name: 'web-1-aaaaa',
        owner: 'ReplicaSet/web-1',
        image: 'web:1',
        requests: ['cpu:  2'],
        conditions: ['PodScheduled False'],
        events: [['Warning', 'FailedScheduling', '9m', 'default-scheduler', noRoom]],
      }),
      ...others,
    );

  it('may have been preempted where a pod of higher priority started after it was there', async () => {
    expect(answerOf(await diagnoseText(beside(other(1000, '11:52:00'))))).toMatchObject({
      cause: 'capacity-contention',
      open: ['preempted'],
    });
  });

  it.each([
    ['of the same priority', 0, '11:52:00'],
    ['that started an hour before', 1000, '10:52:00'],
  ])('was not preempted for a pod %s', async (_, priority, started) => {
    expect(answerOf(await diagnoseText(beside(other(priority, started))))).toMatchObject({
      cause: 'capacity-contention',
      open: [],
    });
  });

  const daemonSet = (updated: number) =>
    [
      'Name:           etl',
      'Selector:       app=etl',
      'Node-Selector:  <none>',
      'Labels:         app=etl',
      'Annotations:    deprecated.daemonset.template.generation: 2',
      'Desired Number of Nodes Scheduled: 1',
      'Current Number of Nodes Scheduled: 1',
      `Number of Nodes Scheduled with Up-to-date Pods: ${updated}`,
      'Number of Nodes Scheduled with Available Pods: 1',
      'Number of Nodes Misscheduled: 0',
      'Pods Status:  1 Running / 0 Waiting / 0 Succeeded / 0 Failed',
      'Pod Template:',
      '  Labels:  app=etl',
      '  Containers:',
      '   app:',
      '    Image:  etl:2',
      'Events:     <none>',
    ].join('\n');

  it.each([
    ['may wait until somebody deletes them, where they are not updated', 0, ['surge-deadlock']],
    ['has a DaemonSet before it that is updated', 1, []],
  ])('%s', async (_, updated, open) => {
    const pod = other(0, '10:00:00', 'DaemonSet/etl', 'shop');
    expect(answerOf(await diagnoseText(beside(daemonSet(updated), pod))).open).toEqual(open);
  });
});

describe('a pod that the scheduler refused long ago', () => {
  const refused = describePod({ ...waitingPod, conditions: ['PodScheduled False'] });

  it('may be kept apart from old pods by its affinity, which is not printed', async () => {
    const text = rollout('25m', refused)
      .replace('ReplicaSetUpdated', 'ProgressDeadlineExceeded')
      .replace('Progressing    True ', 'Progressing    False');
    expect(answerOf(await diagnoseText(text))).toMatchObject({
      cause: 'progress-deadline-exceeded',
      open: expect.arrayContaining(['surge-deadlock']),
    });
  });
});

describe('a pod that Kueue manages and that has no node', () => {
  const managed = (
    marks: { readonly labels?: readonly string[]; readonly conditions?: readonly string[] },
    ...events: readonly EventRow[]
  ) =>
    rollout(
      '5m',
      describePod({
        ...waitingPod,
        labels: ['app=web', 'kueue.x-k8s.io/managed=true', 'kueue.x-k8s.io/queue-name=gpus'],
        conditions: ['PodScheduled False'],
        events,
        ...marks,
      }),
    );

  it('waits at the gate of Kueue, which is assumed, and a queue may be deadlocked', async () => {
    const diagnosis = await diagnoseText(managed({}));
    expect(answerOf(diagnosis)).toEqual({
      cause: 'scheduling-gated',
      confidence: 'likely',
      open: ['queue-deadlock'],
    });
    const { main } = mainFindingOf(diagnosis);
    expect(main?.weakenedBy.map(({ key }) => key)).toContain('gate-assumed');
    expect(main?.facts?.gatesAdded).toEqual([]);
  });

  it('waits for the reason of Kueue where its objects are beside the text', async () => {
    const workload = {
      apiVersion: 'kueue.x-k8s.io/v1beta1',
      kind: 'Workload',
      metadata: { name: 'pod-web', namespace: 'shop', uid: 'w' },
      spec: { queueName: 'gpus', podSets: [] },
    };
    const diagnosis = await diagnoseText(describeAll(managed({}), JSON.stringify(workload)));
    expect(diagnosis.unseen.map(({ what }) => what)).not.toContain('Workload');
  });

  it.each<[string, string]>([
    [
      'that the scheduler refused',
      managed({}, [
        'Warning',
        'FailedScheduling',
        '4m',
        'default-scheduler',
        '0/1 nodes are available: 1 Insufficient cpu.',
      ]),
    ],
    ['without the labels of Kueue', managed({ labels: ['app=web'] })],
    ['without a condition', managed({ conditions: [] })],
  ])('has no gate: one %s', async (_, text) => {
    expect(answerOf(await diagnoseText(text)).cause).not.toBe('scheduling-gated');
  });
});

describe('what is stated where text shows no cause', () => {
  const openText = async (text: string) => plain(openSentence(await diagnoseText(text), 'en') ?? []);

  it('is that the rollout is not complete, where a new pod waits', async () => {
    const refused = describePod({ ...waitingPod, conditions: ['PodScheduled False'] });
    const sentence = await openText(rollout('40s', refused));
    expect(sentence).toContain('the rollout is not complete');
    expect(sentence).not.toContain('no problem');
  });

  it('is that there is no problem, where all pods are ready', async () => {
    const complete = describeAll(
      describeNode('node-a'),
      describeDeployment({
        replicas: '1 desired | 1 updated | 1 total | 1 available | 0 unavailable',
        newReplicaSet: 'web-1 (1/1 replicas created)',
        progressing: 'True    NewReplicaSetAvailable',
      }),
      describeReplicaSet({ name: 'web-1', revision: 2, replicas: '1 current / 1 desired' }),
      old,
    );
    expect(await openText(complete)).toContain('shows no problem');
  });

  it('is answered by the note that the workload wants no pod, and by no note where it wants one', async () => {
    const scaled = (desired: number) =>
      describeAll(
        describeNode('node-a'),
        describeDeployment({
          replicas: `${desired} desired | ${desired} updated | ${desired} total | ${desired} available | 0 unavailable`,
          newReplicaSet: 'web-1 (1/1 replicas created)',
          progressing: 'True    NewReplicaSetAvailable',
        }),
        describeReplicaSet({
          name: 'web-1',
          revision: 2,
          replicas: `${desired} current / ${desired} desired`,
        }),
        ...(desired === 0 ? [] : [old]),
      );
    expect(answeringNoteOf(await diagnoseText(scaled(0)))?.cause).toBe('scaled-to-zero');
    expect(answeringNoteOf(await diagnoseText(scaled(1)))).toBeUndefined();
  });
});

describe('a DaemonSet whose quota refuses a pod', () => {
  const quota = [
    'Name:         team',
    'Namespace:    shop',
    'Resource      Used  Hard',
    '--------      ----  ----',
    'requests.cpu  1     1',
  ].join('\n');
  const proxy = (current: number, since: string) =>
    describeAll(
      describeNode('node-a'),
      [
        'Name:           proxy',
        'Namespace:      shop',
        'Selector:       app=proxy',
        'Node-Selector:  <none>',
        'Desired Number of Nodes Scheduled: 1',
        `Current Number of Nodes Scheduled: ${current}`,
        'Number of Nodes Scheduled with Up-to-date Pods: 0',
        `Number of Nodes Scheduled with Available Pods: ${current}`,
        'Number of Nodes Misscheduled: 0',
        'Pod Template:',
        '  Labels:  app=proxy',
        '  Containers:',
        '   app:',
        '    Image:  proxy:2',
        '    Requests:',
        '      cpu:  1',
        'Events:',
        '  Type     Reason        Age                 From                  Message',
        '  ----     ------        ----                ----                  -------',
        `  Warning  FailedCreate  10s (x5 over ${since})  daemonset-controller  Error creating: pods "proxy-bbbbb" is forbidden: exceeded quota: team, requested: requests.cpu=1, used: requests.cpu=1, limited: requests.cpu=1`,
      ].join('\n'),
      ...(current === 0
        ? []
        : [
            describePod({
              name: 'proxy-aaaaa',
              owner: 'DaemonSet/proxy',
              image: 'proxy:1',
              labels: ['app=proxy', 'controller-revision-hash=old'],
              requests: ['cpu:  1'],
            }),
          ]),
      quota,
    );

  it('surges where the old pods of all nodes are there since before, which is assumed', async () => {
    const diagnosis = await diagnoseText(proxy(1, '23m'), 'proxy', 'DaemonSet');
    expect(answerOf(diagnosis)).toMatchObject({ cause: 'quota-deadlock', confidence: 'likely' });
    const { main } = mainFindingOf(diagnosis);
    expect(main?.weakenedBy.map(({ key }) => key)).toContain('assumed-surge');
  });

  it.each<[string, string]>([
    ['its node has no pod', proxy(0, '23m')],
    ['its pod was created after the refusal', proxy(1, '90m')],
  ])('has no wait cycle where %s', async (_, text) => {
    expect(answerOf(await diagnoseText(text, 'proxy', 'DaemonSet')).cause).not.toBe('quota-deadlock');
  });
});

describe('descriptions that were printed without events', () => {
  const refused = describePod({ ...waitingPod, conditions: ['PodScheduled False'] });
  const silent = rollout('5m', refused).replaceAll(/\nEvents:[^\n]*(?:\n {2}[^\n]*)*/gu, '');
  const unreadIn = async (text: string) =>
    (await diagnoseText(text)).unseen.filter(({ what }) => what === 'Event').map(({ because }) => because);

  it('hold no events, which is stated', async () => {
    expect(await unreadIn(silent)).toEqual(['not-recorded']);
  });

  it.each<[string, string]>([
    ['their descriptions say that there are none', rollout('5m', refused)],
    [
      'a table has them',
      describeAll(
        silent,
        [
          'LAST SEEN   TYPE     REASON    OBJECT            MESSAGE',
          '2m          Normal   Pulling   pod/web-1-aaaaa   Pulling image "web:1"',
        ].join('\n'),
      ),
    ],
  ])('are complete where %s', async (_, text) => {
    expect(await unreadIn(text)).toEqual([]);
  });
});
