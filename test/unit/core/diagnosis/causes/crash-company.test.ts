import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/core/cluster/pod.js';
import type { Snapshot, Unseen } from '#src/core/cluster/snapshot.js';
import type { CauseId } from '#src/core/diagnosis/cause-id.js';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import { diagnose } from '#src/core/diagnosis/diagnose.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  backingOff,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  readyFor,
} from '../crashes/build.js';

const oom = { exitCode: 137, reason: 'OOMKilled' };
const down = (end: Parameters<typeof ended>[0], more: object = {}) => ({
  state: backingOff,
  lastState: ended(end),
  ready: false,
  ...more,
});
const limited = (name: string) => ({ name, spec: { resources: { limits: { memory: '256Mi' } } } });

function serious(snapshot: Snapshot): readonly Finding[] {
  const { findings, defects } = diagnose(snapshot, [...causes]);
  expect(defects).toEqual([]);
  return findings.filter(({ severity }) => severity !== 'info');
}

function ids(snapshot: Snapshot): readonly CauseId[] {
  return serious(snapshot).map(({ cause }) => cause);
}

/** So many pods on each node, made by the shape of that node. */
function spread(nodes: Readonly<Record<string, FailingPodShape>>, each = 3, revision = '1'): readonly Pod[] {
  return Object.entries(nodes).flatMap(([name, shape]) =>
    Array.from({ length: each }, (_, at) =>
      failingPod({ name: `web-${revision}-${name}-${at}`, node: name, revision, ...shape }),
    ),
  );
}

const healthy: FailingPodShape = { status: readyFor(86_400) };
const held = (reason: string, message: string): FailingPodShape => ({
  phase: 'Pending',
  containers: [{ state: { waiting: { reason, message } } }],
});
const failed = (reason: string, seconds: number): FailingPodShape => ({
  phase: 'Failed',
  metadata: { creationTimestamp: ago(seconds) },
  status: { phase: 'Failed', reason, message: '', startTime: ago(seconds) },
});

describe('two causes at once', () => {
  it('of two containers are both reported', () => {
    const pods = [failingPod({ containers: [down({ exitCode: 1 }), down(oom, limited('proxy'))] })];

    expect([...ids(crashSnapshot({ pods }))].sort()).toEqual(['application-crash', 'out-of-memory']);
  });

  it('of one container are one finding', () => {
    const pods = [
      failingPod({ name: 'web-1-a', containers: [down({ exitCode: 1 })] }),
      failingPod({ name: 'web-1-b', containers: [down(oom, limited('app'))] }),
    ];

    expect(ids(crashSnapshot({ pods }))).toEqual(['out-of-memory']);
  });

  it('include a failure on other nodes that a bad node does not hide', () => {
    const bad = spread(
      { 'n-a': healthy, 'n-b': { containers: [down({ exitCode: 139 })] }, 'n-c': healthy },
      4,
    );
    const unpulled = failingPod({
      name: 'web-2-x',
      node: 'n-d',
      revision: '2',
      ...held('ImagePullBackOff', 'Back-off pulling image "web:2": not found'),
    });
    const found = ids(crashSnapshot({ pods: [...bad, unpulled] }));

    expect(found).toContain('crash-loop-on-node');
    expect(found).toContain('image-pull-failure');
  });
});

describe('a failure on one node only that is not caused by the node', () => {
  it.each<[string, FailingPodShape, readonly CauseId[]]>([
    [
      'comes from a configuration that only pods started since would lack',
      held('CreateContainerConfigError', 'configmap "web-config" not found'),
      ['config-missing'],
    ],
    [
      'comes from a deleted tag, which only new pods pull',
      held('ImagePullBackOff', 'Back-off pulling image "registry.example/web:1.0": not found'),
      ['image-pull-failure'],
    ],
    ['comes from pods evicted there last week', failed('Evicted', 600_000), []],
    ['comes from pods preempted for others', failed('Preempting', 3000), ['preempted']],
    [
      'comes from a reboot ten hours ago',
      {
        ...healthy,
        containers: [
          {
            lastState: ended({ exitCode: 255, reason: 'Unknown', before: 36_000 }),
            restarts: 1,
            ready: true,
          },
        ],
      },
      [],
    ],
  ])('%s', (_, shape, expected) => {
    const pods = spread({ 'n-a': healthy, 'n-b': shape, 'n-c': healthy }, 4);
    const found = ids(crashSnapshot({ pods })).filter((cause) => cause !== 'preempted');

    expect(found).toEqual(expected.filter((cause) => cause !== 'preempted'));
  });

  it('comes from pods that stopped together with their node', () => {
    const shape: FailingPodShape = {
      ...healthy,
      containers: [{ lastState: ended({ exitCode: 143, before: 36_000 }), restarts: 1, ready: true }],
    };
    const rebooted = node('n-b');
    const nodes = [
      node('n-a'),
      {
        ...rebooted,
        status: {
          ...rebooted.status,
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'KubeletReady',
              message: '',
              lastTransitionTime: ago(35_900),
              lastUpdateTime: undefined,
              lastHeartbeatTime: undefined,
            },
          ],
        },
      },
      node('n-c'),
    ];

    expect(
      ids(crashSnapshot({ pods: spread({ 'n-a': healthy, 'n-b': shape, 'n-c': healthy }, 4), nodes })),
    ).toEqual([]);
  });
});

describe('a rollback', () => {
  const brokenOld = spread({ 'n-a': { containers: [down({ exitCode: 127 })] } }, 2, '1');
  const goodNew = spread(
    { 'n-b': { status: readyFor(120), metadata: { creationTimestamp: ago(150) } } },
    2,
    '2',
  );

  it('is not recommended while the new revision fixes the crash', () => {
    const [first] = serious(crashSnapshot({ pods: [...brokenOld, ...goodNew] }));

    expect(first?.cause).toBe('bad-command');
    expect(first?.remediations.map(({ kind }) => kind)).not.toContain('undo-rollout');
  });

  it('is not recommended to a revision that crashes too and happens to run', () => {
    const flapping = spread(
      {
        'n-b': {
          status: readyFor(100),
          containers: [{ lastState: ended({ exitCode: 1, before: 110 }), restarts: 9, ready: true }],
        },
      },
      2,
      '1',
    );
    const broken = spread({ 'n-a': { containers: [down({ exitCode: 1 })] } }, 2, '2');
    const found = serious(crashSnapshot({ pods: [...flapping, ...broken] }));

    expect(found.map(({ cause }) => cause)).not.toContain('crash-loop-after-rollout');
    expect(found.flatMap(({ remediations }) => remediations.map(({ kind }) => kind))).not.toContain(
      'undo-rollout',
    );
  });
});

describe('a missing kind', () => {
  const unread = (what: Unseen['what'], namespace = ''): readonly Unseen[] => [
    { what, namespace, because: 'forbidden', message: '' },
  ];
  const crashing = crashSnapshot({ pods: [failingPod({ containers: [down({ exitCode: 1 })] })] });
  const killed = crashSnapshot({
    pods: [failingPod({ containers: [down(oom, limited('app'))] })],
    nodes: [],
  });

  it('of events makes a crash only possible, and does not rule out the kubelet', () => {
    const [finding] = serious({ ...crashing, unseen: unread('Event', 'shop') });

    expect(finding).toMatchObject({ cause: 'application-crash', confidence: 'possible' });
    expect(finding?.weakenedBy.map(({ key }) => key)).toEqual(['unread']);
    expect(finding?.ruledOut.map(({ cause }) => cause)).not.toContain('liveness-probe-kill');
  });

  it('of nodes makes the memory limit unproven', () => {
    const [finding] = serious({ ...killed, unseen: unread('Node') });

    expect(finding).toMatchObject({ cause: 'out-of-memory', confidence: 'likely' });
    expect(finding?.weakenedBy).not.toEqual([]);
    expect(finding?.ruledOut.map(({ cause }) => cause)).not.toContain('node-out-of-memory');
  });

  it.each<[string, readonly Unseen[]]>([
    ['another namespace', unread('Event', 'other')],
    ['a kind that no crash needs', unread('Lease')],
    ['nothing', []],
  ])('%s does not weaken the finding', (_, unseen) => {
    const [finding] = serious({ ...crashing, unseen });

    expect(finding).toMatchObject({ confidence: 'likely', weakenedBy: [] });
  });
});
