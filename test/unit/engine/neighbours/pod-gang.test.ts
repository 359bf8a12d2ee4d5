import { describe, expect, it } from 'vitest';
import { startingInGroups } from '#src/engine/neighbours/pod-gang.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { hasNode, type Pod } from '#src/engine/objects/pod.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import { build } from '../../../support/kubernetes-objects.js';
import { pod } from '../../../support/placement-builders.js';

const inRing = (name: string, on?: string): Pod => {
  const made = pod(name, on === undefined ? {} : { on });
  return { ...made, spec: { ...made.spec, schedulingGroup: { podGroupName: 'ring' } } };
};

/** Nodes with so many places, of which each pod that was placed since takes one. */
const withPlaces = (places: number): PodSimulator => ({
  placementOf: (_, { placed }) => (placed.length < places ? 'n-a' : undefined),
  becomesReady: () => true,
  likenessOf: () => 'alike',
  countPlaces: () => new Map([['n-a', places]]),
});

interface Group {
  readonly minCount?: number;
  readonly places?: number;
  /** Pods of the group that run, and those of them that are gone. */
  readonly running?: number;
  readonly gone?: number;
  /** Pods of the group that were created since, beside the one that is asked about. */
  readonly created?: number;
}

function nodeOf(asked: Pod, { minCount = 2, places = 5, running = 0, gone = 0, created = 0 }: Group) {
  const ran = Array.from({ length: running }, (_, at) => inRing(`old-${at}`, 'n-a'));
  const objects = clusterObjects({
    Pod: ran,
    PodGroup: [build('PodGroup', 'ring', { spec: { schedulingPolicy: { gang: { minCount } } } })],
  });
  const made = Array.from({ length: created }, (_, at) => inRing(`new-${at}`));
  const difference = { gone: ran.slice(0, gone), created: [asked, ...made], placed: made.filter(hasNode) };
  return startingInGroups(withPlaces(places), { objects }).placementOf(asked, difference);
}

describe('a pod of a PodGroup of Kubernetes finds', () => {
  it.each<[string, string | undefined, Group]>([
    ['no node while the group has fewer pods than its minimum', undefined, {}],
    ['a node once enough pods exist and fit', 'n-a', { created: 1 }],
    ['no node where enough pods exist and not all fit', undefined, { created: 1, places: 1 }],
    ['a node beside pods of the group that run', 'n-a', { running: 1 }],
    ['a node of its own once the minimum runs', 'n-a', { running: 2, created: 3, places: 1 }],
    ['no node where those that ran are gone', undefined, { running: 2, gone: 2 }],
    ['a node where the minimum is one pod', 'n-a', { minCount: 1 }],
  ])('%s', (_, node, group) => {
    expect(nodeOf(inRing('asked'), group)).toBe(node);
  });

  it('its node as before where it is of no group, and is not counted with others in one', () => {
    expect(nodeOf(pod('asked'), {})).toBe('n-a');
    const objects = clusterObjects({
      PodGroup: [build('PodGroup', 'ring', { spec: { schedulingPolicy: { gang: { minCount: 2 } } } })],
    });
    const { countPlaces, likenessOf } = startingInGroups(withPlaces(3), { objects });
    expect([likenessOf?.(pod('a')), likenessOf?.(inRing('a'))]).toEqual(['alike', undefined]);
    expect([countPlaces?.([], [pod('a')])?.get('n-a'), countPlaces?.([], [inRing('a')])]).toEqual([
      3,
      undefined,
    ]);
  });
});
