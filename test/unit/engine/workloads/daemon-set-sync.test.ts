import { describe, expect, it } from 'vitest';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import {
  daemonOnNode,
  daemonSetBounds,
  syncDaemonSet,
  targetNode,
} from '#src/engine/workloads/daemon-set-model.js';
import type { DaemonSetState } from '#src/engine/workloads/rollout-state.js';
import { buildPod, type PodFields } from '../../../support/rollout-builders.js';
import {
  buildDaemonSet,
  buildNode,
  buildStateOf,
  type Daemon,
  pending,
  type SetFields,
} from './daemon-set-builders.js';

function decided(state: DaemonSetState): readonly string[] {
  const reversed = { ...state, pods: [...state.pods].reverse(), nodes: [...state.nodes].reverse() };
  const { actions } = syncDaemonSet(state);
  expect(syncDaemonSet(reversed).actions).toEqual(actions);
  return actions.map((action) =>
    action.kind === 'create'
      ? `create on ${action.node}: ${action.because}`
      : `delete ${action.pod.metadata.name}: ${action.because}`,
  );
}

/**
 * What follows from these pods, each of the next node with its revision and what is special about it, or of a
 * named node: `1 2/broken 1 n-0:2/pending ⇒ delete n-0-v1: update`.
 */
function stepOf(fields: SetFields, step: string, nodes?: readonly Node[]): string {
  const [given = ''] = step.split(' ⇒');
  let next = 0;
  const daemons = given.split(' ').map((pod): Daemon => {
    const [, node, revision, words = ''] = /^(?:(n-\d):)?(\d)\/?(.*)$/.exec(pod) ?? [];
    const name = node ?? `n-${next++}`;
    const special = words.split('/').map((word) => (word === 'pending' ? pending(name) : specials[word]));
    return [name, Number(revision), Object.assign({}, ...special)];
  });
  return `${given} ⇒ ${decided(buildStateOf(fields, daemons, nodes)).join(', ')}`.trim();
}

const specials: Readonly<Record<string, Partial<PodFields>>> = {
  broken: { ready: false },
  terminating: { terminating: true },
  failed: { phase: 'Failed' },
  'ready-5': { readyFor: 5 },
  'age-10': { age: 10 },
  'age-30': { age: 30 },
  'age-60': { age: 60 },
  'age-900': { age: 900 },
  'named-n-0-extra': { name: 'n-0-extra' },
};
/** A plain node, and one with that taint. */
const beside = (key: string, effect: string) => [
  buildNode('n-0'),
  buildNode('n-1', { taints: [{ key, effect }] }),
];
const old: readonly Daemon[] = [
  ['n-0', 1],
  ['n-1', 1],
  ['n-2', 1],
];

describe('syncDaemonSet: the pods of each node', () => {
  it.each<[string, string]>([
    ['a pod is created where it is missing', '2 n-2:2 ⇒ create on n-1: missing'],
    ['a failed pod is deleted', '1 1 1/failed ⇒ delete n-2-v1: terminal'],
    ['all but the oldest of several pods are deleted', '1 1 1 n-2:2/age-10 ⇒ delete n-2-v2: excess'],
    [
      'a scheduled pod is kept before an older one that is not',
      '1 1 1/age-10 n-2:2/pending/age-900 ⇒ delete n-2-v2: excess',
    ],
    ['no pod is created beside a terminating one', '1 1 1/terminating ⇒'],
    ['a pod waiting for a deleted node is deleted', '1 1 1 n-9:1/pending ⇒ delete n-9-v1: no-such-node'],
  ])('%s', (_sentence, step) => {
    expect(stepOf({ onDelete: true }, step)).toBe(step);
  });

  it('deletes pods from nodes that must not run them', () => {
    const nodes = beside('gone', 'NoExecute');
    const step = '2 2 ⇒ delete n-1-v2: should-not-run';
    expect(stepOf({}, step, nodes)).toBe(step);
  });

  it('keeps a pod on a node that would accept no new one', () => {
    const nodes = beside('full', 'NoSchedule');
    expect(stepOf({}, '2 2 ⇒', nodes)).toBe('2 2 ⇒');
  });
});

describe('syncDaemonSet: update in place', () => {
  it.each<[string, SetFields, string]>([
    ['one old pod is deleted by default', {}, '1 1 1 ⇒ delete n-0-v1: update'],
    [
      'a percentage is rounded up',
      { maxUnavailable: '34%' },
      '1 1 1 ⇒ delete n-0-v1: update, delete n-1-v1: update',
    ],
    ['the next pod is deleted when the new one is available', {}, '2 1 1 ⇒ delete n-1-v1: update'],
    ['no pod is deleted while a new one is unavailable', {}, '2/broken 1 1 ⇒'],
    [
      'old pods that are not available are always deleted, beyond the limit',
      {},
      '1/broken 1/broken 1 ⇒ delete n-0-v1: unavailable-old, delete n-1-v1: unavailable-old',
    ],
    ['a terminating pod uses up the limit', {}, '1/terminating 1 1 ⇒'],
    ['a new pod that is ready too briefly counts as unavailable', { minReadySeconds: 60 }, '2/ready-5 1 1 ⇒'],
    ['no pod changes in a complete update', {}, '2 2 2 ⇒'],
    ['no pod is updated under OnDelete', { onDelete: true }, '1 1 1 ⇒'],
  ])('%s', (_sentence, fields, step) => {
    expect(stepOf(fields, step)).toBe(step);
  });

  it('names the nodes that may be chosen instead of the first', () => {
    const { orElse } = syncDaemonSet(buildStateOf({}, old));
    expect(orElse.map(({ metadata }) => metadata.name)).toEqual(['n-1-v1', 'n-2-v1']);
  });
});

describe('syncDaemonSet: update with surge', () => {
  const surge = { maxSurge: 1 } as const;

  it.each<[string, SetFields, string]>([
    ['a new pod is created beside an old one', surge, '1 1 1 ⇒ create on n-0: surge'],
    [
      'a percentage of surge is rounded up',
      { maxSurge: '34%' },
      '1 1 1 ⇒ create on n-0: surge, create on n-1: surge',
    ],
    [
      'a surge pod without a node beside a ready old pod blocks further steps',
      surge,
      '1 1 1 n-0:2/pending ⇒',
    ],
    [
      'an old pod that is not ready is deleted for the pending one',
      surge,
      '1/broken 1 1 n-0:2/pending ⇒ delete n-0-v1: old-not-ready',
    ],
    [
      'the old pod is deleted when the new one is available',
      surge,
      '1 1 1 n-0:2 ⇒ delete n-0-v1: new-available',
    ],
    [
      'the old pod stays until the new one is available, not only ready',
      { ...surge, minReadySeconds: 60 },
      '1 1 1 n-0:2/ready-5 ⇒',
    ],
    [
      'a new pod is created beside every old one that is not available, beyond the limit',
      surge,
      '1/broken 1/broken 1 ⇒ create on n-0: replace-unavailable, create on n-1: replace-unavailable, create on n-2: surge',
    ],
    [
      'a node whose pod is terminating gets a new one at once',
      surge,
      '1/terminating 2 2 ⇒ create on n-0: missing',
    ],
    [
      'a third pod on a node is deleted',
      surge,
      '1 1 1 n-0:2/broken/age-60 n-0:2/broken/named-n-0-extra/age-30 ⇒ delete n-0-extra: excess',
    ],
  ])('%s', (_sentence, fields, step) => {
    expect(stepOf(fields, step)).toBe(step);
  });

  it('deletes the old pod on a node that it must leave only when enough other pods are available', () => {
    const nodes = beside('full', 'NoSchedule');
    for (const step of ['2 1 ⇒ delete n-1-v1: should-not-run', '2/broken 1 ⇒'])
      expect(stepOf(surge, step, nodes)).toBe(step);
  });
});

describe('daemonSetBounds', () => {
  it.each<[string, SetFields, { maxSurge: number; maxUnavailable: number }]>([
    ['both round up', { maxUnavailable: '10%' }, { maxSurge: 0, maxUnavailable: 1 }],
    ['both zero allow one unavailable pod', { maxUnavailable: 0 }, { maxSurge: 0, maxUnavailable: 1 }],
    ['surge needs no unavailable pod', { maxSurge: '50%' }, { maxSurge: 2, maxUnavailable: 0 }],
    ['OnDelete has no bounds', { onDelete: true }, { maxSurge: 0, maxUnavailable: 0 }],
  ])('%s', (_sentence, fields, expected) => {
    expect(daemonSetBounds(buildStateOf(fields, []))).toEqual({ ...expected, desired: 3 });
  });
});

describe('daemonOnNode', () => {
  const tainted = (key: string, effect = 'NoSchedule') => ({ taints: [{ key, effect }] });
  const cordoned = { unschedulable: true, ...tainted('node.kubernetes.io/unschedulable') };
  const offline = tainted('node.kubernetes.io/network-unavailable');
  const onGpu = { spec: { nodeSelector: { gpu: 'yes' } } };
  const pinned = { spec: { nodeName: 'n-9' } };
  const onHost = { spec: { hostNetwork: true } };
  const [runs, keeps, leaves] = [[true, true] as const, [false, true] as const, [false, false] as const];

  it.each<[string, SetFields, Parameters<typeof buildNode>[1], readonly [boolean, boolean]]>([
    ['an ordinary node runs a pod', {}, {}, runs],
    ['a cordoned node runs a pod', {}, cordoned, runs],
    ['a node under disk pressure runs a pod', {}, tainted('node.kubernetes.io/disk-pressure'), runs],
    [
      'a node that is not ready keeps its pod',
      {},
      tainted('node.kubernetes.io/not-ready', 'NoExecute'),
      runs,
    ],
    ['a node that the selector does not match runs no pod', onGpu, {}, leaves],
    ['a node that the selector matches runs a pod', onGpu, { labels: { gpu: 'yes' } }, runs],
    ['a node with a NoSchedule taint keeps its pod', {}, tainted('full'), keeps],
    ['a NoExecute taint does not', {}, tainted('bad', 'NoExecute'), leaves],
    ['a network that is not up matters', {}, offline, keeps],
    ['but not to a pod on the host network', onHost, offline, runs],
    ['a node other than the one in the template runs no pod', pinned, {}, leaves],
  ])('%s', (_sentence, fields, node, [shouldRun, shouldContinue]) => {
    expect(daemonOnNode(buildDaemonSet(fields), buildNode('n-0', node))).toEqual({
      shouldRun,
      shouldContinue,
    });
  });
});

describe('the status of a DaemonSet', () => {
  it('counts the oldest pod of each node', () => {
    const { status } = syncDaemonSet(
      buildStateOf({ maxSurge: 1 }, [...old, ['n-0', 2, { age: 5, ready: false }]]),
    );
    expect(status).toMatchObject({
      desiredNumberScheduled: 3,
      currentNumberScheduled: 3,
      numberReady: 3,
      numberAvailable: 3,
      numberUnavailable: 0,
      updatedNumberScheduled: 0,
    });
  });

  it('counts pods on wrong nodes, and uses the template generation for the hash', () => {
    const nodes = beside('full', 'NoSchedule');
    const state = buildStateOf(
      { annotations: { 'deprecated.daemonset.template.generation': '7' } },
      [
        ['n-0', 1, { labels: { 'pod-template-generation': '7' } }],
        ['n-1', 1],
      ],
      nodes,
    );
    expect(syncDaemonSet(state).status).toMatchObject({
      desiredNumberScheduled: 1,
      numberMisscheduled: 1,
      updatedNumberScheduled: 1,
    });
  });
});

describe('targetNode', () => {
  it('is the node a pod runs on, or the one written into its affinity', () => {
    const name = (pod: Pod) => targetNode(pod);
    expect(name(buildPod({ name: 'a', node: 'n-3' }))).toBe('n-3');
    expect(name(buildPod({ name: 'a', ...pending('n-4') }))).toBe('n-4');
    expect(name(buildPod({ name: 'a', node: undefined }))).toBeUndefined();
  });
});
