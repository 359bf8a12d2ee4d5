import { describe, expect, it } from 'vitest';
import { type Candidate, candidate, score, weighed } from '#src/core/statistics/candidate.js';
import type { Incarnation } from '#src/core/statistics/incarnation.js';
import { nodeSets } from '#src/core/statistics/node-sets.js';
import { permutationP } from '#src/core/statistics/permutation-test.js';
import { informative, type Stratum, tally } from '#src/core/statistics/tally.js';
import { type Counts, incarnations } from './incarnations.js';

const alpha = 0.05;
const permutations = 20_000;

interface Weighed {
  readonly strata: readonly Stratum[];
  readonly singles: readonly Candidate[];
  readonly groups: readonly Candidate[];
  readonly sets: readonly Candidate[];
}

/** All candidates of a table; groups by the names of their nodes. */
function candidatesOf(
  all: readonly Incarnation[],
  groups: readonly (readonly string[])[],
  sets: boolean,
): Weighed {
  const table = tally(all);
  const strata = informative(table.strata);
  const singles = weighed(
    table.nodes.map((_, i) => candidate(strata, [i])),
    alpha,
  );
  return {
    strata,
    singles,
    groups: weighed(
      groups.map((nodes) =>
        candidate(
          strata,
          nodes.map((node) => table.nodes.indexOf(node)),
        ),
      ),
      alpha,
    ),
    sets: sets ? nodeSets(strata, singles) : [],
  };
}

function best({ singles, groups, sets }: Weighed): number {
  return Math.min(...[...singles, ...groups, ...sets].map(score));
}

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

describe('the permutation test', () => {
  it.each<readonly [string, readonly Incarnation[], readonly (readonly string[])[], boolean]>([
    [
      'one node that has three of twelve',
      incarnations({ x: [3, 3], a: [0, 3], b: [0, 3], c: [0, 3] }),
      [],
      false,
    ],
    ['nodes of different sizes', incarnations({ x: [2, 2], a: [0, 1], b: [1, 4], c: [0, 5] }), [], false],
    [
      'a group of nodes',
      incarnations(seven),
      [
        ['a', 'b'],
        ['c', 'd', 'e'],
      ],
      false,
    ],
    ['the worst set of nodes', incarnations(seven), [], true],
    ['groups and sets', incarnations({ ...seven, b: [1, 2], c: [1, 2] }), [['a', 'b', 'c']], true],
    [
      'two workloads, each with its own crashes',
      [
        ...incarnations({ x: [1, 1], a: [0, 2], b: [1, 2], c: [0, 1] }, 'Deployment/shop/web'),
        ...incarnations({ x: [1, 1], a: [0, 1], b: [0, 3] }, 'DaemonSet/shop/agent'),
      ],
      [],
      false,
    ],
    [
      'sets over two workloads',
      [
        ...incarnations(
          { a: [1, 1], b: [1, 1], c: [0, 1], d: [0, 1], e: [0, 1], f: [0, 1] },
          'DaemonSet/shop/one',
        ),
        ...incarnations(
          { a: [1, 1], b: [1, 1], c: [0, 1], d: [0, 1], e: [0, 1], f: [0, 1] },
          'DaemonSet/shop/two',
        ),
      ],
      [],
      true,
    ],
  ])('agrees with the enumeration of all permutations: %s', (_, all, groups, sets) => {
    const seen = candidatesOf(all, groups, sets);
    const limit = best(seen);
    const every = labellings(all);
    const exact =
      every.filter((permutation) => best(candidatesOf(permutation, groups, sets)) <= limit * (1 + 1e-9))
        .length / every.length;
    const p = permutationP(seen.strata, seen.singles, seen.groups, limit, {
      seed: 3,
      permutations,
      alpha: 1,
      sets,
    });

    expect(exact).toBeGreaterThan(0);
    expect(Math.abs(p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / permutations) + 1e-4);
  });

  const clear = candidatesOf(incarnations({ x: [3, 3], a: [0, 3], b: [0, 3], c: [0, 3] }), [], false);

  function estimate(limit: number, options: Partial<Parameters<typeof permutationP>[4]>): number {
    return permutationP(clear.strata, clear.singles, [], limit, {
      seed: 1,
      permutations: 999,
      alpha: 1,
      sets: false,
      ...options,
    });
  }

  it('counts the observed case as one permutation, so that no probability is zero', () => {
    expect(estimate(1e-12, {})).toBe(1 / 1000);
    expect(estimate(1e-12, { permutations: 0 })).toBe(1);
  });

  it('is one for a value that every permutation reaches', () => {
    expect(estimate(4, {})).toBe(1);
  });

  it('stops as soon as the result can only be above the accepted level', () => {
    expect(estimate(4, { alpha: 0.05 })).toBe(1);
    // Two of the three crashes on some node happen in about half of all deals.
    const likely = (clear.singles[0]?.weight ?? 0) * (28 / 220);
    const early = estimate(likely, { alpha: 0.05 });

    expect(early).toBeGreaterThan(0.3);
    expect(early).not.toBe(estimate(likely, { alpha: 1 }));
  });

  it('gives the same result for the same seed, and nearly the same for another', () => {
    const limit = best(clear);

    expect(estimate(limit, { seed: 7 })).toBe(estimate(limit, { seed: 7 }));
    expect(Math.abs(estimate(limit, { seed: 7 }) - estimate(limit, { seed: 8 }))).toBeLessThan(0.03);
  });
});
