import { describe, expect, it } from 'vitest';
import {
  allowsSurge,
  daemonOnNode,
  daemonSetBounds,
  daemonTolerations,
  nodeViews,
  pairOn,
  scheduledThenOldest,
  targetNode,
} from '#src/engine/workloads/daemon-set-model.js';
import { buildPod } from '../../../support/rollout-builders.js';
import { buildDaemonSet, buildNode, buildStateOf, pending, type SetFields } from './daemon-set-builders.js';

const tainted = (key: string, effect: string) => buildNode('n-0', { taints: [{ key, effect }] });
const yes = { shouldRun: true, shouldContinue: true };
const stays = { shouldRun: false, shouldContinue: true };
const no = { shouldRun: false, shouldContinue: false };

describe('a daemon pod runs on', () => {
  it.each<readonly [string, SetFields, ReturnType<typeof buildNode>, object]>([
    ['an ordinary node', {}, buildNode('n-0'), yes],
    ['a node with a NoSchedule taint: existing pods stay', {}, tainted('team', 'NoSchedule'), stays],
    ['no node with a NoExecute taint', {}, tainted('team', 'NoExecute'), no],
    ['a node with a PreferNoSchedule taint', {}, tainted('team', 'PreferNoSchedule'), yes],
    ['a cordoned node', {}, tainted('node.kubernetes.io/unschedulable', 'NoSchedule'), yes],
    ['a node that is not ready', {}, tainted('node.kubernetes.io/not-ready', 'NoExecute'), yes],
    ['a node that is unreachable', {}, tainted('node.kubernetes.io/unreachable', 'NoExecute'), yes],
    ['a node with disk pressure', {}, tainted('node.kubernetes.io/disk-pressure', 'NoSchedule'), yes],
    ['a node with memory pressure', {}, tainted('node.kubernetes.io/memory-pressure', 'NoSchedule'), yes],
    ['a node with PID pressure', {}, tainted('node.kubernetes.io/pid-pressure', 'NoSchedule'), yes],
    [
      'no node without network: existing pods stay',
      {},
      tainted('node.kubernetes.io/network-unavailable', 'NoSchedule'),
      stays,
    ],
    [
      'a node without network, for a daemon on the host network',
      { spec: { hostNetwork: true } },
      tainted('node.kubernetes.io/network-unavailable', 'NoSchedule'),
      yes,
    ],
    [
      'a node whose taint the template tolerates',
      { spec: { tolerations: [{ key: 'team', operator: 'Exists' }] } },
      tainted('team', 'NoExecute'),
      yes,
    ],
    [
      'a node that the selector matches',
      { spec: { nodeSelector: { gpu: 'yes' } } },
      buildNode('n-0', { labels: { gpu: 'yes' } }),
      yes,
    ],
    [
      'no node that the selector does not match: existing pods are deleted',
      { spec: { nodeSelector: { gpu: 'yes' } } },
      buildNode('n-0'),
      no,
    ],
    ['the node that the template names', { spec: { nodeName: 'n-0' } }, buildNode('n-0'), yes],
    ['no node that the template does not name', { spec: { nodeName: 'n-9' } }, buildNode('n-0'), no],
    [
      'any, where the template names none by an empty name',
      { spec: { nodeName: '' } },
      buildNode('n-0'),
      yes,
    ],
  ])('%s', (_, fields, node, expected) => {
    expect(daemonOnNode(buildDaemonSet(fields), node)).toEqual(expected);
  });

  it('the pod tolerates the taints of every daemon beside its own', () => {
    const own = { tolerations: [{ key: 'team', operator: 'Exists' }] };

    expect(daemonTolerations(buildDaemonSet({ spec: own })).map(({ key }) => key)).toEqual([
      'team',
      ...[
        'not-ready',
        'unreachable',
        'disk-pressure',
        'memory-pressure',
        'pid-pressure',
        'unschedulable',
      ].map((name) => `node.kubernetes.io/${name}`),
    ]);
  });
});

describe('the target node of a daemon pod', () => {
  const meant = (key: string, operator: string, values: readonly string[]) => ({
    node: undefined,
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key, operator, values }] }],
          },
        },
      },
    },
  });

  it.each<readonly [string, object, string | undefined]>([
    ['the node it runs on', { node: 'n-3' }, 'n-3'],
    ['the node in its affinity', pending('n-1'), 'n-1'],
    ['none, where it has neither node nor affinity', { node: '' }, undefined],
    ['none of several', meant('metadata.name', 'In', ['n-1', 'n-2']), undefined],
    ['none that its affinity excludes', meant('metadata.name', 'NotIn', ['n-1']), undefined],
    ['none by another field', meant('metadata.uid', 'In', ['n-1']), undefined],
  ])('is %s', (_, fields, expected) => {
    expect(targetNode(buildPod({ name: 'agent-x', ...fields }))).toBe(expected);
  });
});

describe('the number of pods that an update may delete or add', () => {
  const bounds = (fields: SetFields, nodes: number) =>
    daemonSetBounds(
      buildStateOf(
        fields,
        [],
        Array.from({ length: nodes }, (_, i) => buildNode(`n-${i}`)),
      ),
    );

  it.each<readonly [string, SetFields, number, object]>([
    ['one at a time by default', {}, 3, { maxSurge: 0, maxUnavailable: 1, desired: 3 }],
    ['a share rounded up', { maxUnavailable: '34%' }, 3, { maxSurge: 0, maxUnavailable: 2, desired: 3 }],
    ['a surge rounded up', { maxSurge: '10%' }, 3, { maxSurge: 1, maxUnavailable: 0, desired: 3 }],
    [
      'one, where both bounds are zero',
      { maxSurge: 0, maxUnavailable: 0 },
      3,
      { maxSurge: 0, maxUnavailable: 1, desired: 3 },
    ],
    [
      'none, where no node is wanted',
      { maxSurge: 0, maxUnavailable: 0 },
      0,
      { maxSurge: 0, maxUnavailable: 0, desired: 0 },
    ],
    [
      'none, where only deletion updates',
      { onDelete: true },
      3,
      { maxSurge: 0, maxUnavailable: 0, desired: 3 },
    ],
    [
      'one, where the value is invalid',
      { maxUnavailable: 'some' },
      3,
      { maxSurge: 0, maxUnavailable: 1, desired: 3 },
    ],
    [
      'no surge, where the value is invalid',
      { maxSurge: 'some', maxUnavailable: 2 },
      3,
      { maxSurge: 0, maxUnavailable: 2, desired: 3 },
    ],
  ])('%s', (_, fields, nodes, expected) => {
    expect(bounds(fields, nodes)).toEqual(expected);
  });

  it('counts only nodes that should run a pod', () => {
    const nodes = [buildNode('n-0'), tainted('team', 'NoSchedule')];

    expect(daemonSetBounds(buildStateOf({ maxUnavailable: '100%' }, [], nodes))).toMatchObject({
      maxUnavailable: 1,
      desired: 1,
    });
  });

  it.each<readonly [string, SetFields, boolean]>([
    ['a number', { maxSurge: 1 }, true],
    ['the smallest share', { maxSurge: '1%' }, true],
    ['none', { maxSurge: 0 }, false],
    ['a share of none', { maxSurge: '0%' }, false],
    ['an invalid value', { maxSurge: 'some' }, false],
    ['updates by deletion', { onDelete: true }, false],
  ])('allows two pods on one node: %s', (_, fields, expected) => {
    expect(allowsSurge(buildDaemonSet(fields))).toBe(expected);
  });
});

describe('the nodes in the view of the controller', () => {
  it('are sorted by name, including deleted nodes with pods, where no pod stays', () => {
    const views = nodeViews(
      buildStateOf(
        {},
        [
          ['n-gone', 1],
          ['n-0', 1],
        ],
        [buildNode('n-1'), buildNode('n-0')],
      ),
    );

    expect(
      views.map(({ name, exists, shouldRun, shouldContinue, pods }) => [
        name,
        exists,
        shouldRun,
        shouldContinue,
        pods.length,
      ]),
    ).toEqual([
      ['n-0', true, true, true, 1],
      ['n-1', true, true, true, 0],
      ['n-gone', false, false, false, 1],
    ]);
  });

  it('have neither finished pods that are being deleted, nor pods without a target node', () => {
    const state = buildStateOf({}, [
      ['n-0', 1, { phase: 'Failed', terminating: true }],
      ['n-1', 1, { phase: 'Failed' }],
      ['n-2', 1, { terminating: true }],
      ['n-3', 1, { node: undefined }],
    ]);

    expect(nodeViews(state).map(({ name, pods }) => [name, pods.length])).toEqual([
      ['n-0', 0],
      ['n-1', 1],
      ['n-2', 1],
    ]);
  });

  it('have one old and one new pod that stay, or an unknown choice', () => {
    const state = buildStateOf({}, [
      ['n-0', 1],
      ['n-0', 2],
      ['n-0', 1, { name: 'leaving', terminating: true }],
    ]);
    const pair = pairOn(state, state.pods);

    expect([pair?.oldPod?.metadata.name, pair?.newPod?.metadata.name]).toEqual(['n-0-v1', 'n-0-v2']);
    expect(pairOn(state, [])).toEqual({ newPod: undefined, oldPod: undefined });
    const doubled = buildStateOf({}, [
      ['n-0', 1],
      ['n-0', 1, { name: 'again' }],
    ]);
    expect(pairOn(doubled, doubled.pods)).toBeUndefined();
    const fresh = buildStateOf({}, [
      ['n-0', 2],
      ['n-0', 2, { name: 'again' }],
    ]);
    expect(pairOn(fresh, fresh.pods)).toBeUndefined();
  });

  it('keep a pod that runs there first, then the oldest', () => {
    const pods = [
      buildPod({ name: 'unplaced', node: undefined, age: 900 }),
      buildPod({ name: 'young', age: 10 }),
      buildPod({ name: 'old', age: 100 }),
      buildPod({ name: 'empty', node: '', age: 800 }),
    ];

    expect([...pods].sort(scheduledThenOldest).map(({ metadata }) => metadata.name)).toEqual([
      'old',
      'young',
      'unplaced',
      'empty',
    ]);
  });
});
