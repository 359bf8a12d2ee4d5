import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecording } from '#src/edges/recordings/read-recording.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'descriptions-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const at = '2026-07-01T12:00:00.000Z';
async function read(text: string, more: string = '') {
  writeFileSync(join(folder, 'a.txt'), text);
  if (more !== '') writeFileSync(join(folder, 'b.txt'), more);
  return readRecording(folder, { at });
}

const pod = (...middle: readonly string[]) =>
  [
    'Name:             web-5d8f-abcde',
    'Namespace:        shop',
    'Priority:         1000',
    'Node:             node-a/10.0.0.1',
    'Start Time:       Wed, 01 Jul 2026 11:00:00 +0000',
    'Labels:           app=web',
    '                  tier=front',
    'Annotations:      note: a',
    '                  text:',
    '                    one',
    '                    two',
    'Status:           Running',
    'IP:               10.1.0.1',
    'Controlled By:    ReplicaSet/web-5d8f',
    'Containers:',
    '  app:',
    '    Container ID:   containerd://1',
    '    Image:          web:1',
    '    Port:           8080/TCP (http)',
    '    Host Port:      9090/TCP (http)',
    '    State:          Waiting',
    '      Reason:       CrashLoopBackOff',
    '    Last State:     Terminated',
    '      Reason:       Error',
    '      Message:      boom',
    'Containers: in a message',
    '    Image:          in-a-message:9',
    '      Exit Code:    3',
    '      Started:      Wed, 01 Jul 2026 11:58:00 +0000',
    '      Finished:     Wed, 01 Jul 2026 11:59:00 +0000',
    '    Ready:          False',
    '    Restart Count:  7',
    '    Limits:',
    '      memory:  1Gi',
    '    Liveness:     http-get http://:8080/live delay=5s timeout=1s period=10s #success=1 #failure=3',
    '    Environment:',
    "      KEY:  <set to the key 'k' in secret 's'>  Optional: true",
    '    Mounts:       <none>',
    'Conditions:',
    '  Type              Status',
    '  Initialized       True ',
    '  Ready             False ',
    'Volumes:',
    '  data:',
    '    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    '    ClaimName:  data-0',
    '    ReadOnly:   false',
    'Node-Selectors:  pool=a',
    'Tolerations:     dedicated=web:NoSchedule',
    '                 node.kubernetes.io/not-ready:NoExecute op=Exists for 300s',
    '                 op=Exists',
    ...middle,
  ].join('\n');

describe('the description of a pod', () => {
  it('is read field by field, and lines of a message are no fields', async () => {
    const { objects, malformed } = await read(pod('Events:           <none>'));
    expect(malformed).toEqual([]);
    const [one] = objects.Pod;
    expect(one).toMatchObject({
      metadata: {
        namespace: 'shop',
        labels: { app: 'web', tier: 'front' },
        annotations: { note: 'a', text: 'one\ntwo' },
        ownerReferences: [{ kind: 'ReplicaSet', name: 'web-5d8f', apiVersion: 'apps/v1' }],
      },
      spec: {
        priority: 1000,
        nodeName: 'node-a',
        nodeSelector: { pool: 'a' },
        tolerations: [
          { key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoSchedule' },
          {
            key: 'node.kubernetes.io/not-ready',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          },
          { key: '', operator: 'Exists', effect: '' },
        ],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-0', readOnly: false } }],
        containers: [
          {
            name: 'app',
            image: 'web:1',
            ports: [{ containerPort: 8080, hostPort: 9090, name: 'http' }],
            resources: { limits: { memory: '1Gi' } },
            livenessProbe: { httpGet: { port: 8080, path: '/live', scheme: 'HTTP' }, initialDelaySeconds: 5 },
            env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: true } } }],
          },
        ],
      },
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            restartCount: 7,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: {
              terminated: { exitCode: 3, reason: 'Error', finishedAt: '2026-07-01T11:59:00.000Z' },
            },
          },
        ],
      },
    });
  });

  it('takes why a container waits from the event, which has the words that are not printed', async () => {
    const waiting = (reason: string) =>
      [
        ...pod().replace('CrashLoopBackOff', reason).split('\n'),
        'Events:',
        '  Type     Reason  Age  From     Message',
        '  ----     ------  ---  ----     -------',
        '  Warning  Failed  9s   kubelet  spec.containers{app}: Error: failed to prepare subPath',
        '  Warning  Failed  5s   kubelet  spec.containers{app}: Error: ErrImagePull',
        '  Warning  Failed  1s   kubelet  spec.containers{other}: Error: of another container',
      ].join('\n');
    const wordsOf = async (reason: string) =>
      (await read(waiting(reason))).objects.Pod[0]?.status.containerStatuses[0]?.state.waiting?.message;
    expect(await wordsOf('CreateContainerConfigError')).toBe('failed to prepare subPath');
    expect(await wordsOf('CrashLoopBackOff')).toBe('');
  });

  it('states what it leaves out, and invents none of it', async () => {
    const { partly } = await read(pod());
    expect(partly).toEqual([
      expect.objectContaining({ what: 'Pod', namespace: 'shop', because: 'partly-recorded' }),
      expect.objectContaining({ what: 'Event', namespace: 'shop', because: 'not-recorded' }),
      // The pod has a claim and is not ready, and no description has what may explain that.
      expect.objectContaining({ what: 'VolumeAttachment', namespace: 'shop', because: 'not-recorded' }),
      expect.objectContaining({ what: 'Lease', namespace: 'shop', because: 'not-recorded' }),
      expect.objectContaining({ what: 'PodLog', namespace: 'shop', because: 'not-recorded' }),
    ]);
    expect(partly[0]?.fields).toEqual(expect.arrayContaining(['spec.affinity', 'spec.schedulerName']));
  });

  it.each([2, 4, 8])('is the same with tabs of %i columns in place of indents', async (width) => {
    const events = [
      'Events:',
      '  Type     Reason   Age  From     Message',
      '  ----     ------   ---- ----     -------',
      '  Normal   Pulled   5m   kubelet  Container image "web:1" present',
    ];
    const text = pod(...events);
    const withTabs = text.replaceAll(/^ +/gmu, ({ length }) => {
      const tabs = Math.floor(length / width);
      return `${'\t'.repeat(tabs)}${' '.repeat(length - tabs * width)}`;
    });
    const { objects } = await read(withTabs);
    expect(objects.Pod).toEqual((await read(text)).objects.Pod);
    expect(objects.Event).toHaveLength(1);
  });

  it('gives its events their times and containers', async () => {
    const { objects } = await read(
      pod(
        'Events:',
        '  Type     Reason   Age                 From     Message',
        '  ----     ------   ----                ----     -------',
        '  Warning  BackOff  10s (x14 over 30m)  kubelet  Back-off restarting failed container app',
        'in two lines',
        '  Normal   Pulled   5m                  kubelet  spec.containers{app}: Container image "web:1" present',
      ),
    );
    expect(objects.Event).toMatchObject([
      {
        reason: 'BackOff',
        count: 14,
        firstSeen: '2026-07-01T11:30:00.000Z',
        lastSeen: '2026-07-01T11:59:50.000Z',
        message: 'Back-off restarting failed container app\nin two lines',
        involvedObject: { kind: 'Pod', name: 'web-5d8f-abcde', fieldPath: 'spec.containers{app}' },
      },
      { reason: 'Pulled', message: 'Container image "web:1" present' },
    ]);
  });
});

describe('events as a table', () => {
  it.each<[string, string]>([
    [
      'without a namespace',
      'LAST SEEN   TYPE      REASON    OBJECT                MESSAGE\n5m          Warning   BackOff   pod/web-5d8f-abcde    Back-off restarting\n',
    ],
    [
      'of all namespaces',
      'NAMESPACE   LAST SEEN   TYPE      REASON    OBJECT                MESSAGE\nshop        5m          Warning   BackOff   pod/web-5d8f-abcde    Back-off restarting\n',
    ],
    [
      'with all columns',
      'LAST SEEN   TYPE      REASON    OBJECT                SUBOBJECT   SOURCE          MESSAGE               FIRST SEEN   COUNT   NAME\n5m          Warning   BackOff   pod/web-5d8f-abcde                kubelet, n-a    Back-off restarting   5m           1       x\n',
    ],
    [
      'of kubectl events',
      'LAST SEEN   TYPE      REASON    OBJECT                MESSAGE\n5m          Warning   BackOff   Pod/web-5d8f-abcde    Back-off restarting\n',
    ],
    [
      'of old versions',
      'LAST SEEN   FIRST SEEN   COUNT   NAME                KIND   SUBOBJECT   TYPE      REASON    SOURCE         MESSAGE\n5m          5m           1       web-5d8f-abcde      Pod                Warning   BackOff   kubelet, n-a   Back-off restarting\n',
    ],
  ])('%s belong to the described pod', async (_, table) => {
    const { objects } = await read(pod(), table);
    const [event] = objects.Event;
    expect(event).toMatchObject({
      reason: 'BackOff',
      message: 'Back-off restarting',
      lastSeen: '2026-07-01T11:55:00.000Z',
      involvedObject: { kind: 'Pod', namespace: 'shop', uid: objects.Pod[0]?.metadata.uid },
    });
  });
});

describe('an event that several texts print', () => {
  const rows: readonly (readonly [string, string])[] = [
    [
      'a description',
      pod(
        'Events:',
        '  Type     Reason   Age                 From     Message',
        '  ----     ------   ----                ----     -------',
        '  Warning  BackOff  20s (x14 over 30m)  kubelet  Back-off restarting',
      ),
    ],
    [
      'kubectl get events',
      'LAST SEEN   TYPE      REASON    OBJECT               MESSAGE\n10s         Warning   BackOff   pod/web-5d8f-abcde   Back-off restarting\n',
    ],
    [
      'kubectl events',
      'LAST SEEN             TYPE      REASON    OBJECT               MESSAGE\n20s (x9 over 30m)     Warning   BackOff   Pod/web-5d8f-abcde   Back-off restarting\n',
    ],
  ];
  const orders = rows.flatMap((first) =>
    rows.flatMap((second) =>
      first === second || ![first, second].includes(rows[0] as never) ? [] : [[first, second] as const],
    ),
  );

  it.each(orders.map(([first, second]) => [first[0], second[0], `${first[1]}\n\n${second[1]}`]))(
    'keeps what either states: %s before %s',
    async (_, __, text) => {
      const { objects } = await read(text);
      expect(objects.Event).toMatchObject([
        {
          firstSeen: '2026-07-01T11:30:00.000Z',
          count: 14,
          involvedObject: { fieldPath: 'spec.containers{app}' },
        },
      ]);
      expect(objects.Event[0]?.lastSeen).toBe(
        text.includes('\n10s ') ? '2026-07-01T11:59:50.000Z' : '2026-07-01T11:59:40.000Z',
      );
    },
  );
});

describe('descriptions together', () => {
  const deployment = [
    'Name:                   web',
    'Namespace:              shop',
    'CreationTimestamp:      Wed, 01 Jul 2026 10:00:00 +0000',
    'Labels:                 app=web',
    'Annotations:            deployment.kubernetes.io/revision: 2',
    'Selector:               app=web,tier in (a,b)',
    'Replicas:               1 desired | 1 updated | 2 total | 1 available | 1 unavailable',
    'StrategyType:           RollingUpdate',
    'MinReadySeconds:        0',
    'RollingUpdateStrategy:  25% max unavailable, 1 max surge',
    'Pod Template:',
    '  Labels:  app=web',
    '  Containers:',
    '   app:',
    '    Image:      web:1',
    'OldReplicaSets:  web-1111 (1/1 replicas created)',
    'NewReplicaSet:   web-5d8f (1/1 replicas created)',
    'Events:          <none>',
    '',
  ].join('\n');

  it('tie pods to ReplicaSets that only the Deployment names, and tell the new one', async () => {
    const { objects } = await read(`${deployment}\n\n${pod()}`);
    const [one] = objects.Deployment;
    const replicaSets = objects.ReplicaSet.map(({ metadata, spec }) => [
      metadata.name,
      metadata.ownerReferences[0]?.uid === one?.metadata.uid,
      spec.replicas,
    ]);
    expect(replicaSets).toEqual([
      ['web-1111', true, 1],
      ['web-5d8f', true, 1],
    ]);
    expect(one?.spec).toMatchObject({
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
      selector: {
        matchLabels: { app: 'web' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }],
      },
    });
    expect(objects.Pod[0]?.metadata.ownerReferences[0]?.uid).toBe(objects.ReplicaSet[1]?.metadata.uid);
  });

  it.each([
    ['before', (cut: string, whole: string) => `${cut}\n\n${whole}`],
    ['behind', (cut: string, whole: string) => `${whole}\n\n${cut}`],
  ])('keep the whole one of two of a pod, with one that was cut off %s it', async (_, join) => {
    const lines = pod('Events:           <none>').split('\n');
    const whole = await read(lines.join('\n'));
    for (const length of [9, 14, 24, 28, lines.indexOf('Volumes:')]) {
      const { objects } = await read(join(lines.slice(0, length).join('\n'), lines.join('\n')));
      expect(objects.Pod).toEqual(whole.objects.Pod);
    }
  });

  it('that were cut off before an exit code state no end of a run', async () => {
    const lines = pod().split('\n');
    const { objects } = await read(lines.slice(0, lines.indexOf('      Exit Code:    3')).join('\n'));
    expect(objects.Pod[0]?.status.containerStatuses[0]?.lastState).toEqual({});
  });

  it('stand back for the same object as JSON, whose uid the others take', async () => {
    const replicaSet = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web-5d8f', namespace: 'shop', uid: 'real' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [] } },
      },
    };
    const { objects } = await read(`${deployment}\n\n${pod()}`, JSON.stringify(replicaSet));
    expect(objects.ReplicaSet.find(({ metadata }) => metadata.name === 'web-5d8f')?.spec.replicas).toBe(3);
    expect(objects.Pod[0]?.metadata.ownerReferences[0]?.uid).toBe('real');
  });
});

describe('a pod that no node has taken', () => {
  const waiting = (labels: string, ...events: readonly string[]) =>
    [
      'Name:             web-5d8f-abcde',
      'Namespace:        shop',
      'Node:             <none>',
      `Labels:           ${labels}`,
      'Status:           Pending',
      'Containers:',
      '  app:',
      '    Image:          web:1',
      'Conditions:',
      '  Type           Status',
      '  PodScheduled   False ',
      ...events,
    ].join('\n');
  const scheduledOf = async (text: string) => {
    const { objects } = await read(text);
    return objects.Pod[0]?.status.conditions.find(({ type }) => type === 'PodScheduled');
  };
  const event = (age: string) => [
    'Events:',
    '  Type     Reason            Age    From               Message',
    '  ----     ------            ----   ----               -------',
    `  Warning  FailedScheduling  ${age}  default-scheduler  0/1 nodes are available: 1 Insufficient cpu.`,
  ];

  it.each([
    ['with an age', '5m (x3 over 9m)', '2026-07-01T11:51:00.000Z'],
    ['of a clock that is ahead', '<invalid>', at],
    ['without a time', '<unknown>', at],
  ])('has the words of an event %s', async (_, age, since) => {
    expect(await scheduledOf(waiting('app=web', ...event(age)))).toMatchObject({
      reason: 'Unschedulable',
      message: '0/1 nodes are available: 1 Insufficient cpu.',
      lastTransitionTime: since,
    });
  });

  it('was refused also where its events are gone', async () => {
    expect(await scheduledOf(waiting('app=web', 'Events:  <none>'))).toMatchObject({
      reason: 'Unschedulable',
      message: '',
    });
  });

  it('may wait at a gate where Kueue manages it', async () => {
    const pod = waiting('kueue.x-k8s.io/managed=true', 'Events:  <none>');
    expect(await scheduledOf(pod)).toMatchObject({ reason: '' });
  });
});

describe('the description of a Deployment without a new ReplicaSet', () => {
  it('makes no ReplicaSet the new one, whatever revision it has', async () => {
    const { objects } = await read(
      [
        'Name:                   web',
        'Namespace:              shop',
        'CreationTimestamp:      Wed, 01 Jul 2026 10:00:00 +0000',
        'Annotations:            deployment.kubernetes.io/revision: 1',
        'Selector:               app=web',
        'Replicas:               1 desired | 0 updated | 1 total | 1 available | 0 unavailable',
        'StrategyType:           RollingUpdate',
        'MinReadySeconds:        0',
        'Pod Template:',
        '  Containers:',
        '   app:',
        '    Image:         web:2',
        'OldReplicaSets:  web-5d8f (1/1 replicas created)',
        'NewReplicaSet:   <none>',
        'Events:          <none>',
        '',
        '',
        'Name:           web-5d8f',
        'Namespace:      shop',
        'Selector:       app=web,pod-template-hash=5d8f',
        'Annotations:    deployment.kubernetes.io/revision: 1',
        'Controlled By:  Deployment/web',
        'Replicas:       1 current / 1 desired',
        'Pods Status:    1 Running / 0 Waiting / 0 Succeeded / 0 Failed',
        'Pod Template:',
        '  Containers:',
        '   app:',
        '    Image:         web:1',
        'Events:          <none>',
      ].join('\n'),
    );
    expect(objects.Deployment[0]?.spec.template.spec.containers[0]?.image).toBe('web:2');
    expect(objects.ReplicaSet[0]?.spec.template.spec.containers[0]?.image).toBe('web:1');
  });
});

describe('the time when text was printed', () => {
  const node = (age: string) =>
    [
      'Name:               node-a',
      'Roles:              <none>',
      'Unschedulable:      false',
      'System Info:',
      '  Kubelet Version:  v1.36.3',
      'Non-terminated Pods:          (1 in total)',
      '  Namespace                   Name                    CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age',
      '  ---------                   ----                    ------------  ----------  ---------------  -------------  ---',
      `  shop                        web-5d8f-abcde          0 (0%)        0 (0%)      0 (0%)           0 (0%)         ${age}`,
      'Events:              <none>',
    ].join('\n');

  it('follows from the age of a pod that its node lists', async () => {
    writeFileSync(join(folder, 'a.txt'), `${pod('Events:  <none>')}\n\n\n${node('7h')}`);
    const { newest } = await readRecording(folder);
    // The pod started at 11:00, and its last run ended at 11:59.
    expect(newest).toBe('2026-07-01T18:00:00.000Z');
  });
});
