import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot, Unseen } from '#src/engine/objects/snapshot.js';
import { build } from '../../../support/kubernetes-objects.js';
import { node } from '../../../support/placement-builders.js';
import {
  ago,
  backingOff,
  type ContainerShape,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  readyFor,
} from '../findings/crashes/build.js';
import { lacks, told } from './run-rule.js';

/** Findings above informational, best first. */
function serious(snapshot: Snapshot): readonly Finding[] {
  const { findings, defects } = diagnose(snapshot, [...causes]);
  expect(defects).toEqual([]);
  return findings.filter(({ severity }) => severity !== 'info');
}
const seriousOf = (pods: readonly Pod[]) => serious(crashSnapshot({ pods }));
const ids = (pods: readonly Pod[]) => seriousOf(pods).map(({ cause }) => cause);

const down = (end: Parameters<typeof ended>[0], more: ContainerShape = {}): ContainerShape => ({
  state: backingOff,
  lastState: ended(end),
  ready: false,
  ...more,
});
const [exit1, exit3, segfault] = [1, 3, 139].map((exitCode) => down({ exitCode })) as [
  ContainerShape,
  ContainerShape,
  ContainerShape,
];
const killed = (name = 'app') =>
  down(
    { exitCode: 137, reason: 'OOMKilled' },
    { name, spec: { resources: { limits: { memory: '256Mi' } } } },
  );
const held = (reason: string, message: string): ContainerShape => ({
  state: { waiting: { reason, message } },
});
const unpulled = held('ImagePullBackOff', 'Back-off pulling image: not found');
const on = (place: string, container: ContainerShape, revision = '1', at = 0) =>
  failingPod({ name: `web-${revision}-${place}-${at}`, node: place, revision, containers: [container] });

/** So many pods on each node, made by the shape of that node. */
const spread = (nodes: Readonly<Record<string, FailingPodShape>>, each = 4, revision = '1'): readonly Pod[] =>
  Object.entries(nodes).flatMap(([name, shape]) =>
    Array.from({ length: each }, (_, at) =>
      failingPod({ name: `web-${revision}-${name}-${at}`, node: name, revision, ...shape }),
    ),
  );
const healthy: FailingPodShape = { status: readyFor(86_400) };
const onB = (shape: FailingPodShape) => spread({ 'n-a': healthy, 'n-b': shape, 'n-c': healthy });
const pendingWith = (container: ContainerShape): FailingPodShape => ({
  phase: 'Pending',
  containers: [container],
});
const over = (end: Parameters<typeof ended>[0]): FailingPodShape => ({
  ...healthy,
  containers: [{ lastState: ended({ before: 36_000, ...end }), restarts: 1, ready: true }],
});
const failed = (reason: string, seconds: number): FailingPodShape => ({
  phase: 'Failed',
  metadata: { creationTimestamp: ago(seconds) },
  status: { phase: 'Failed', reason, message: '', startTime: ago(seconds) },
});
const lacksSecret = (name: string): ContainerShape => ({
  name,
  spec: { envFrom: [{ secretRef: { name: 'db' } }] },
  ...held('CreateContainerConfigError', 'secret "db" not found'),
});

describe('serious findings of several failures', () => {
  it.each<[string, readonly Pod[], readonly string[]]>([
    [
      'are an OOM kill on one node and an exit on another',
      [on('n-a', killed()), on('n-b', exit1)],
      ['out-of-memory', 'application-crash'],
    ],
    [
      'are a pull failure on one node and a crash on another',
      [on('n-a', unpulled), on('n-b', exit1)],
      ['image-pull-failure', 'application-crash'],
    ],
    [
      'are a crash of the old revision and an image that is missing from the new one',
      [on('n-a', exit1), on('n-b', unpulled, '2')],
      ['image-pull-failure', 'application-crash'],
    ],
    [
      'are an OOM kill on one node and a pull failure on another',
      [on('n-a', killed()), on('n-b', unpulled)],
      ['image-pull-failure', 'out-of-memory'],
    ],
    [
      'are two of two containers',
      [failingPod({ containers: [exit1, killed('proxy')] })],
      ['out-of-memory', 'application-crash'],
    ],
    [
      'are one of one container, where it ends once by memory',
      [failingPod({ containers: [exit1] }), failingPod({ name: 'web-1-b', containers: [killed()] })],
      ['out-of-memory'],
    ],
    ['are one where it ends alike in all pods', [on('n-a', exit1), on('n-b', exit1)], ['application-crash']],
    [
      'are one where the runtime reports it once as OOMKilled and once as a plain SIGKILL',
      [on('n-a', killed()), on('n-b', down({ exitCode: 137 }))],
      ['out-of-memory'],
    ],
    [
      'are one of two containers that lack the same Secret',
      [failingPod({ phase: 'Pending', containers: [lacksSecret('app'), lacksSecret('proxy')] })],
      ['config-missing'],
    ],
    [
      'of two bad nodes are not hidden by the nodes',
      spread({
        'n-a': { containers: [segfault] },
        'n-b': { containers: [down({ exitCode: 0 })] },
        ...Object.fromEntries(['n-c', 'n-d', 'n-e', 'n-f'].map((name) => [name, healthy])),
      }),
      ['crash-loop-on-node', 'process-exits-zero', 'application-crash'],
    ],
    [
      'of other nodes are not hidden by a bad node',
      [
        ...onB({ containers: [segfault] }),
        failingPod({ name: 'web-2-x', node: 'n-d', revision: '2', ...pendingWith(unpulled) }),
      ],
      ['image-pull-failure', 'crash-loop-on-node'],
    ],
    [
      'of one node are a configuration that only pods started since would lack',
      onB(pendingWith(held('CreateContainerConfigError', 'configmap "web-config" not found'))),
      ['config-missing'],
    ],
    [
      'of one node are a deleted tag, which only new pods pull',
      onB(
        pendingWith(held('ImagePullBackOff', 'Back-off pulling image "registry.example/web:1.0": not found')),
      ),
      ['image-pull-failure'],
    ],
    ['of one node are none from pods evicted there last week', onB(failed('Evicted', 600_000)), []],
    ['of one node are none but the preemption of pods', onB(failed('Preempting', 3000)), []],
    ['of one node are none from a reboot ten hours ago', onB(over({ exitCode: 255, reason: 'Unknown' })), []],
  ])('%s', (_, pods, expected) => {
    expect(ids(pods)).toEqual(expected);
  });

  it('are none from pods that stopped together with their node', () => {
    const condition = {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      lastTransitionTime: ago(35_900),
    };
    const rebooted = build('Node', 'n-b', { status: { conditions: [condition] } });
    const nodes = [node('n-a'), rebooted, node('n-c')];

    expect(serious(crashSnapshot({ pods: onB(over({ exitCode: 143 })), nodes }))).toEqual([]);
  });

  it('of two containers with the same cause name the container', () => {
    const both = [exit1, down({ exitCode: 2 }, { name: 'proxy' })];
    const pods = ['n-a', 'n-b'].map((place) => failingPod({ name: place, node: place, containers: both }));

    expect(seriousOf(pods)).toMatchObject([{ container: 'app' }, { container: 'proxy' }]);
  });

  it.each<[string, readonly Pod[], readonly object[]]>([
    [
      'on two nodes',
      [on('n-a', exit1), on('n-b', segfault), on('n-b', segfault, '1', 1)],
      [{ pods: ['web-1-n-b-0', 'web-1-n-b-1'], nodes: ['n-b'], exitCode: 139 }],
    ],
    [
      'of two revisions',
      [on('n-a', exit1), on('n-b', exit3, '2'), on('n-c', exit3, '2')],
      [{ pods: ['web-1-n-a-0'], nodes: ['n-a'], exitCode: 1 }],
    ],
    ['that are alike, without a remark,', [on('n-a', exit1), on('n-b', exit1)], []],
  ])('of one container %s are all in one finding', (_, pods, otherwise) => {
    const [finding] = seriousOf(pods);
    const remarks = finding?.reasoning
      .filter(({ key }) => key === 'ends-otherwise')
      .map(({ values }) => values);

    expect(remarks).toEqual(otherwise.map((each) => ({ container: 'app', reason: 'Error', ...each })));
  });
});

describe('a rollback is not recommended', () => {
  it('while the new revision fixes the crash', () => {
    const young = { status: readyFor(120), metadata: { creationTimestamp: ago(150) } };
    const pods = [
      ...spread({ 'n-a': { containers: [down({ exitCode: 127 })] } }, 2),
      ...spread({ 'n-b': young }, 2, '2'),
    ];
    const [first] = seriousOf(pods);

    expect(first && told(first)).toMatchObject({ cause: 'bad-command', fixes: lacks('undo-rollout') });
  });

  it('to a revision that crashes too and happens to run', () => {
    const flapping = { lastState: ended({ before: 110 }), restarts: 9, ready: true };
    const found = seriousOf([
      ...spread({ 'n-b': { status: readyFor(100), containers: [flapping] } }, 2),
      ...spread({ 'n-a': { containers: [exit1] } }, 2, '2'),
    ]);

    expect(found.map(({ cause }) => cause)).not.toContain('crash-loop-after-rollout');
    expect(found.flatMap((each) => told(each).fixes)).not.toContain('undo-rollout');
  });
});

describe('a crash', () => {
  const unread = (what: Unseen['what'], namespace = ''): readonly Unseen[] => [
    { what, namespace, because: 'forbidden', message: '' },
  ];
  const crashing = crashSnapshot({ pods: [failingPod({ containers: [exit1] })] });
  const outOfMemory = crashSnapshot({ pods: [failingPod({ containers: [killed()] })], nodes: [] });

  it.each<[string, Snapshot, readonly Unseen[], object]>([
    [
      'is only possible, by the kubelet too, where events were not read',
      crashing,
      unread('Event', 'shop'),
      {
        cause: 'application-crash',
        confidence: 'possible',
        doubts: ['unread'],
        ruledOut: lacks('liveness-probe-kill'),
      },
    ],
    [
      'is not proven to meet the memory limit where nodes were not read',
      outOfMemory,
      unread('Node'),
      {
        cause: 'out-of-memory',
        confidence: 'likely',
        doubts: [expect.any(String)],
        ruledOut: lacks('node-out-of-memory'),
      },
    ],
    ...[unread('Event', 'other'), unread('Lease'), []].map(
      (unseen): [string, Snapshot, readonly Unseen[], object] => [
        `is not weakened where ${unseen[0]?.what ?? 'nothing'} ${unseen[0]?.namespace ?? ''} was not read`,
        crashing,
        unseen,
        { confidence: 'likely', doubts: [] },
      ],
    ),
  ])('%s', (_, snapshot, unseen, expected) => {
    const [finding] = serious({ ...snapshot, unseen });
    expect(finding && told(finding)).toMatchObject(expected);
  });
});
