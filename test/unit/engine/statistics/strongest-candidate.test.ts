import { describe, expect, it } from 'vitest';
import { atMost } from '#src/engine/statistics/distribution.js';
import type { Incarnation } from '#src/engine/statistics/incarnation.js';
import {
  type NodeAttribute,
  strataOf,
  strongestCandidate,
} from '#src/engine/statistics/node-concentration.js';
import { type Counts, incarnations } from './incarnations.js';

/** Every way to choose `count` of the numbers below `of`. */
function choices(of: number, count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return Array.from({ length: of }, (_, last) => last).flatMap((last) =>
    choices(last, count - 1).map((rest) => [...rest, last]),
  );
}

/** Every way in which the crashes of each workload could have fallen on its pods. */
function labellings(all: readonly Incarnation[]): readonly (readonly Incarnation[])[] {
  const workloads = [...new Set(all.map(({ workload }) => workload))];
  return workloads.reduce<readonly (readonly Incarnation[])[]>(
    (done, workload) => {
      const own = all.filter((one) => one.workload === workload);
      const arrangements = choices(own.length, own.filter(({ crashed }) => crashed).length).map((chosen) =>
        own.map((one, i) => ({ ...one, crashed: chosen.includes(i) })),
      );
      return done.flatMap((before) => arrangements.map((permutation) => [...before, ...permutation]));
    },
    [[]],
  );
}

const seven: Counts = { a: [2, 2], b: [2, 2], c: [0, 2], d: [0, 2], e: [0, 2], f: [0, 1], g: [0, 1] };
const six: Counts = { a: [1, 1], b: [1, 1], c: [0, 1], d: [0, 1], e: [0, 1], f: [0, 1] };

describe('the corrected probability of the strongest candidate', () => {
  it.each<readonly [string, readonly Incarnation[], Readonly<Record<string, string>>, boolean]>([
    [
      'one node that has three of twelve',
      incarnations({ x: [3, 3], a: [0, 3], b: [0, 3], c: [0, 3] }),
      {},
      false,
    ],
    ['nodes of different sizes', incarnations({ x: [2, 2], a: [0, 1], b: [1, 4], c: [0, 5] }), {}, false],
    ['groups of nodes', incarnations(seven), { a: 'z1', b: 'z1', c: 'z2', d: 'z2', e: 'z2' }, false],
    ['the worst set of nodes', incarnations(seven), {}, true],
    [
      'groups and sets',
      incarnations({ ...seven, b: [1, 2], c: [1, 2] }),
      { a: 'z1', b: 'z1', c: 'z1' },
      true,
    ],
    [
      'two workloads, each with its own crashes',
      [
        ...incarnations({ x: [1, 1], a: [0, 2], b: [1, 2], c: [0, 1] }, 'Deployment/shop/web'),
        ...incarnations({ x: [1, 1], a: [0, 1], b: [0, 3] }, 'DaemonSet/shop/agent'),
      ],
      {},
      false,
    ],
    [
      'sets over two workloads',
      [...incarnations(six, 'DaemonSet/shop/one'), ...incarnations(six, 'DaemonSet/shop/two')],
      {},
      true,
    ],
  ])('is kept in at most as many of all permutations as it states: %s', (_, all, zones, sets) => {
    const attributes = new Map(
      Object.entries(zones).map(([node, value]): [string, NodeAttribute[]] => [
        node,
        [{ name: 'zone', value }],
      ]),
    );
    const every = labellings(all).map(
      (labelled) => strongestCandidate(strataOf(labelled), { attributes, sets })?.pAdjusted ?? 1,
    );

    expect(Math.min(...every)).toBeLessThan(1);
    for (const level of new Set(every)) {
      const reached = every.filter((p) => atMost(p, level)).length / every.length;
      expect(reached).toBeLessThanOrEqual(level * (1 + 1e-9));
    }
  });
});
