import { describe, expect, it } from 'vitest';
import { allowsSurge, daemonSetBounds } from '#src/core/rollout/daemon-set-bounds.js';
import { daemonOnNode, daemonTolerations, targetNode } from '#src/core/rollout/daemon-set-nodes.js';
import { nodeViews, pairOn, scheduledThenOldest } from '#src/core/rollout/daemon-set-views.js';
import { buildPod } from '#support/rollout-builders.js';
import { buildDaemonSet, buildNode, buildStateOf, pending, type SetFields } from './daemon-set-builders.js';

const tainted = (key: string, effect: string) => buildNode('n-0', { taints: [{ key, effect }] });
const yes = { shouldRun: true, shouldContinue: true };
const stays = { shouldRun: false, shouldContinue: true };
const no = { shouldRun: false, shouldContinue: false };

describe('whether a node should run the daemon', () => {
  it.each<readonly [string, SetFields, ReturnType<typeof buildNode>, object]>([
    ['a node like any', {}, buildNode('n-0'), yes],
    [
      'one with a taint that keeps new pods out: who is there stays',
      {},
      tainted('team', 'NoSchedule'),
      stays,
    ],
    ['one with a taint that drives pods out', {}, tainted('team', 'NoExecute'), no],
    ['one with a taint that is only a wish', {}, tainted('team', 'PreferNoSchedule'), yes],
    ['one that is cordoned', {}, tainted('node.kubernetes.io/unschedulable', 'NoSchedule'), yes],
    ['one that is not ready', {}, tainted('node.kubernetes.io/not-ready', 'NoExecute'), yes],
    ['one that is out of reach', {}, tainted('node.kubernetes.io/unreachable', 'NoExecute'), yes],
    ['one that is short of disk', {}, tainted('node.kubernetes.io/disk-pressure', 'NoSchedule'), yes],
    ['one that is short of memory', {}, tainted('node.kubernetes.io/memory-pressure', 'NoSchedule'), yes],
    ['one that is short of process ids', {}, tainted('node.kubernetes.io/pid-pressure', 'NoSchedule'), yes],
    ['one without network', {}, tainted('node.kubernetes.io/network-unavailable', 'NoSchedule'), stays],
    [
      "one without network, for a daemon on the node's own",
      { spec: { hostNetwork: true } },
      tainted('node.kubernetes.io/network-unavailable', 'NoSchedule'),
      yes,
    ],
    [
      'one of which the template tolerates the taint',
      { spec: { tolerations: [{ key: 'team', operator: 'Exists' }] } },
      tainted('team', 'NoExecute'),
      yes,
    ],
    [
      'one that the selector names',
      { spec: { nodeSelector: { gpu: 'yes' } } },
      buildNode('n-0', { labels: { gpu: 'yes' } }),
      yes,
    ],
    [
      'one that the selector does not: who is there goes',
      { spec: { nodeSelector: { gpu: 'yes' } } },
      buildNode('n-0'),
      no,
    ],
    ['the one that the template names', { spec: { nodeName: 'n-0' } }, buildNode('n-0'), yes],
    ['one that the template does not name', { spec: { nodeName: 'n-9' } }, buildNode('n-0'), no],
    [
      'any, where the template names none by an empty name',
      { spec: { nodeName: '' } },
      buildNode('n-0'),
      yes,
    ],
  ])('%s', (_, fields, node, expected) => {
    expect(daemonOnNode(buildDaemonSet(fields), node)).toEqual(expected);
  });

  it('tolerates beside its own what every daemon does', () => {
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

describe('the node a daemon pod is meant for', () => {
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
    ['the one it has', { node: 'n-3' }, 'n-3'],
    ['the one that is written into it', pending('n-1'), 'n-1'],
    ['none, where its node is empty and nothing is written', { node: '' }, undefined],
    ['none of several', meant('metadata.name', 'In', ['n-1', 'n-2']), undefined],
    ['none that it is kept from', meant('metadata.name', 'NotIn', ['n-1']), undefined],
    ['none by another field', meant('metadata.uid', 'In', ['n-1']), undefined],
  ])('is %s', (_, fields, expected) => {
    expect(targetNode(buildPod({ name: 'agent-x', ...fields }))).toBe(expected);
  });
});

describe('how many pods an update may take or add', () => {
  const bounds = (fields: SetFields, nodes: number) =>
    daemonSetBounds(
      buildStateOf(
        fields,
        [],
        Array.from({ length: nodes }, (_, i) => buildNode(`n-${i}`)),
      ),
    );

  it.each<readonly [string, SetFields, number, object]>([
    ['one at a time unless said', {}, 3, { maxSurge: 0, maxUnavailable: 1, desired: 3 }],
    ['a share rounded up', { maxUnavailable: '34%' }, 3, { maxSurge: 0, maxUnavailable: 2, desired: 3 }],
    ['a surge rounded up', { maxSurge: '10%' }, 3, { maxSurge: 1, maxUnavailable: 0, desired: 3 }],
    [
      'one, where both come out as none',
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
      'one, where the figure cannot be read',
      { maxUnavailable: 'some' },
      3,
      { maxSurge: 0, maxUnavailable: 1, desired: 3 },
    ],
    [
      'no surge, where the figure cannot be read',
      { maxSurge: 'some', maxUnavailable: 2 },
      3,
      { maxSurge: 0, maxUnavailable: 2, desired: 3 },
    ],
  ])('%s', (_, fields, nodes, expected) => {
    expect(bounds(fields, nodes)).toEqual(expected);
  });

  it('counts only nodes that should run one', () => {
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
    ['what cannot be read', { maxSurge: 'some' }, false],
    ['updates by deletion', { onDelete: true }, false],
  ])('lets two pods share a node or not: %s', (_, fields, expected) => {
    expect(allowsSurge(buildDaemonSet(fields))).toBe(expected);
  });
});

describe('the nodes as the controller sees them', () => {
  it('come by name, also those that are gone and still have pods: nothing stays there', () => {
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

  it('have no pods that have ended and are being deleted, nor pods meant for none', () => {
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

  it('have one old and one new pod that stay, or nobody can tell', () => {
    const state = buildStateOf({}, [
      ['n-0', 1],
      ['n-0', 2],
      ['n-0', 1, { name: 'leaving', terminating: true }],
    ]);
    const pair = pairOn(state, state.pods);

    expect([pair?.oldPod?.metadata.name, pair?.newPod?.metadata.name]).toEqual(['n-0-v1', 'n-0-v2']);
    expect(pairOn(state, [])).toEqual({ newPod: undefined, oldPod: undefined });
    const twice = buildStateOf({}, [
      ['n-0', 1],
      ['n-0', 1, { name: 'again' }],
    ]);
    expect(pairOn(twice, twice.pods)).toBeUndefined();
    const fresh = buildStateOf({}, [
      ['n-0', 2],
      ['n-0', 2, { name: 'again' }],
    ]);
    expect(pairOn(fresh, fresh.pods)).toBeUndefined();
  });

  it('keep a pod that has its node, then the oldest', () => {
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
