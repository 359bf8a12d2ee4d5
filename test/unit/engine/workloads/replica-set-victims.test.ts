import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/engine/objects/pod.js';
import { deletionCost, rankVictims, victimsOf } from '#src/engine/workloads/replica-set-victims.js';
import { buildPod, now, type PodFields } from '../../../support/rollout-builders.js';

const cost = (value: string) => ({ 'controller.kubernetes.io/pod-deletion-cost': value });

/** Names in the order of deletion, whatever the order of the input. */
function order(pods: readonly Pod[], related: readonly Pod[] = []): readonly string[] {
  const names = rankVictims(pods, related, now).map(({ metadata }) => metadata.name);
  const reversed = rankVictims([...pods].reverse(), [...related].reverse(), now);
  expect(reversed.map(({ metadata }) => metadata.name)).toEqual(names);
  return names;
}

describe('rankVictims', () => {
  it.each<[string, Omit<PodFields, 'name'>, Omit<PodFields, 'name'>]>([
    ['a pod without a node is before one with a node', { node: undefined }, { phase: 'Pending' }],
    ['a pending pod is before one whose phase is unknown', { phase: 'Pending' }, { phase: 'Unknown' }],
    ['a pod of unknown phase is before a running one', { phase: 'Unknown' }, { ready: false }],
    ['a pod that is not ready is before a ready one', { ready: false }, { annotations: cost('-5') }],
    [
      'the lower deletion cost is first',
      { annotations: cost('-5'), readyFor: 90_000, age: 90_000 },
      { readyFor: 1 },
    ],
    ['no deletion cost is zero', {}, { annotations: cost('1') }],
    ['the pod that has been ready for less time is first', { readyFor: 10 }, { readyFor: 3600 }],
    ['the pod with more restarts is first', { restarts: 3 }, { restarts: 1 }],
    ['the younger pod is first', { age: 10, readyFor: 10 }, { age: 5000, readyFor: 5000 }],
    ['restarts are compared before age', { age: 5000, readyFor: 10, restarts: 1 }, { age: 10, readyFor: 10 }],
  ])('%s', (_sentence, first, second) => {
    expect(order([buildPod({ name: 'z', ...first }), buildPod({ name: 'a', ...second })])).toEqual([
      'z',
      'a',
    ]);
  });

  it('ranks first the pod whose node has more pods of the same Deployment, other revisions included', () => {
    const lonely = buildPod({ name: 'a', node: 'n-a', readyFor: 1 });
    const crowded = buildPod({ name: 'z', node: 'n-b', readyFor: 3000 });
    const newer = buildPod({ name: 'new', node: 'n-b', owner: { uid: 'web-2-uid' } });
    expect(order([lonely, crowded], [lonely, crowded, newer])).toEqual(['z', 'a']);
    const terminatingPod = buildPod({ name: 'new', node: 'n-b', terminating: true });
    expect(order([lonely, crowded], [lonely, crowded, terminatingPod])).toEqual(['a', 'z']);
  });

  it('compares sidecar restarts only where container restarts are equal', () => {
    const sidecar = (restartCount: number) => ({
      spec: { initContainers: [{ name: 'proxy', restartPolicy: 'Always' }, { name: 'setup' }] },
      status: {
        initContainerStatuses: [
          { name: 'proxy', restartCount },
          { name: 'setup', restartCount: 50 - restartCount },
        ],
      },
    });
    expect(
      order([
        buildPod({ name: 'z', ...sidecar(4), phase: 'Running', ready: false }),
        buildPod({ name: 'a', ...sidecar(1), ready: false }),
      ]),
    ).toEqual(['z', 'a']);
  });

  it('treats ages within one power of two as equal, and compares the uid', () => {
    const older = buildPod({ name: 'older', uid: 'a', readyFor: 5000, age: 5000 });
    const younger = buildPod({ name: 'younger', uid: 'b', readyFor: 4900, age: 4900 });
    expect(order([older, younger])).toEqual(['older', 'younger']);
  });

  it('omits pods that are terminal or terminating, since they do not count as replicas', () => {
    const pods = [
      buildPod({ name: 'a' }),
      buildPod({ name: 'b', phase: 'Failed' }),
      buildPod({ name: 'c', phase: 'Succeeded' }),
      buildPod({ name: 'd', terminating: true }),
    ];
    expect(order(pods)).toEqual(['a']);
  });
});

describe('victimsOf', () => {
  const equal = ['a', 'b', 'c'].map((name) => buildPod({ name, node: `n-${name}` }));

  it('names the other possible pods when no rule distinguishes them', () => {
    const { pods, orElse } = victimsOf(equal, equal, 1, now);
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect(orElse.map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
  });

  it('is certain when a rule distinguishes the pods', () => {
    const cheap = buildPod({ name: 'cheap', annotations: cost('-1') });
    const { pods, orElse } = victimsOf([...equal, cheap], equal, 1, now);
    expect(pods).toEqual([cheap]);
    expect(orElse).toEqual([]);
  });

  it('is certain when all pods are deleted, and when none is', () => {
    expect(victimsOf(equal, equal, 3, now)).toEqual({ pods: equal, orElse: [] });
    expect(victimsOf(equal, equal, 0, now)).toEqual({ pods: [], orElse: [] });
    expect(victimsOf(equal, equal, -1, now).pods).toEqual([]);
  });
});

describe('deletionCost', () => {
  it.each<[string, string, number]>([
    ['a plain integer counts', '100', 100],
    ['a negative number counts', '-10', -10],
    ['a number with a plus sign does not count', '+10', 0],
    ['a number with leading zeros does not count', '008', 0],
    ['a text does not count', 'cheap', 0],
    ['a number beyond 32 bits does not count', '2147483648', 0],
    ['an empty text does not count', '', 0],
  ])('%s', (_sentence, text, expected) => {
    expect(deletionCost(buildPod({ name: 'a', annotations: cost(text) }))).toBe(expected);
  });
});
