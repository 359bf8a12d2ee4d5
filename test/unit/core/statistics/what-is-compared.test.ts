import { describe, expect, it } from 'vitest';
import { candidate, chanceToReach, crashesToReach, score } from '#src/core/statistics/candidate.js';
import { distinct, type Incarnation, setCensoredApart } from '#src/core/statistics/incarnation.js';
import { atMost, bonferroni } from '#src/core/statistics/multiplicity.js';
import { chanceOfAnySet, nodeSets, setSizes, setWeight } from '#src/core/statistics/node-sets.js';
import { informative, nodeTable, tally } from '#src/core/statistics/tally.js';
import { incarnations } from './incarnations.js';

function one(uid: string, fields: Partial<Incarnation> = {}): Incarnation {
  return { uid, node: 'a', workload: 'w', revision: 'r', crashed: false, ...fields };
}

const uids = (all: readonly Incarnation[]) => all.map(({ uid }) => uid);

describe('healthy pods that are too young to compare', () => {
  const crash = (uid: string, secondsToCrash?: number, fields: Partial<Incarnation> = {}) =>
    one(uid, { crashed: true, ...(secondsToCrash === undefined ? {} : { secondsToCrash }), ...fields });
  const healthy = (uid: string, observedSeconds?: number, fields: Partial<Incarnation> = {}) =>
    one(uid, { ...(observedSeconds === undefined ? {} : { observedSeconds }), ...fields });

  it.each<readonly [string, readonly Incarnation[], readonly string[]]>([
    ['are those younger than the time to crash', [crash('c', 60), healthy('y', 59)], ['y']],
    ['do not include pods as old as that', [crash('c', 60), healthy('o', 60)], []],
    [
      'are compared with the middle one of three crashes',
      [crash('c1', 900), crash('c2', 10), crash('c3', 60), healthy('y', 59), healthy('o', 61)],
      ['y'],
    ],
    [
      'are compared with the mean of the middle two of four',
      [
        crash('c1', 10),
        crash('c2', 100),
        crash('c3', 40),
        crash('c4', 1000),
        healthy('y', 69),
        healthy('o', 70),
      ],
      ['y'],
    ],
    ['do not include pods of another workload', [crash('c', 60), healthy('v', 1, { workload: 'v' })], []],
    ['do not include pods of unknown age', [crash('c', 60), healthy('u')], []],
    ['do not exist where the time to crash is unknown', [crash('c'), healthy('y', 1)], []],
    [
      'do not include crashed ones, however young',
      [crash('c', 60), crash('d', 1, { observedSeconds: 1 })],
      [],
    ],
    ['do not affect the time to crash', [crash('c', 60), healthy('h', 80, { secondsToCrash: 900 })], []],
  ])('%s', (_, all, expected) => {
    const { counted, censored } = setCensoredApart(all);

    expect(uids(censored)).toEqual(expected);
    expect(uids(counted)).toEqual(uids(all).filter((uid) => !expected.includes(uid)));
  });
});

describe('the list with one entry per pod', () => {
  it('is ordered by workload, revision, node and uid', () => {
    const all = [
      one('3'),
      one('2'),
      one('9', { node: '0' }),
      one('8', { revision: 'q' }),
      one('7', { workload: 'v' }),
    ];

    expect(uids(distinct(all))).toEqual(['7', '8', '9', '2', '3']);
    expect(uids(distinct([...all].reverse()))).toEqual(['7', '8', '9', '2', '3']);
  });

  it('marks a pod as crashed if any of its entries does, on whichever node', () => {
    const twice = [one('1', { node: 'a' }), one('1', { node: 'b', crashed: true }), one('1', { node: 'c' })];

    expect(distinct(twice)).toEqual([one('1', { node: 'b', crashed: true })]);
    expect(distinct([...twice].reverse())).toEqual([one('1', { node: 'b', crashed: true })]);
  });
});

describe('the counts of the nodes', () => {
  it('start with the largest share of crashes, then the most crashes, then the name', () => {
    const counted = [...incarnations({ few: [1, 2], many: [2, 4], z: [1, 1], b: [0, 2], a: [0, 2] })];
    const censored = [one('y1', { node: 'b' }), one('y2', { node: 'only-young' })];

    expect(nodeTable(counted, censored)).toEqual([
      { node: 'z', crashed: 1, total: 1, censored: 0 },
      { node: 'many', crashed: 2, total: 4, censored: 0 },
      { node: 'few', crashed: 1, total: 2, censored: 0 },
      { node: 'a', crashed: 0, total: 2, censored: 0 },
      { node: 'b', crashed: 0, total: 2, censored: 1 },
      { node: 'only-young', crashed: 0, total: 0, censored: 1 },
    ]);
  });
});

describe('a comparable group of pods', () => {
  const all = [
    ...incarnations({ b: [1, 2], a: [0, 1] }, 'w', 'r2'),
    ...incarnations({ a: [2, 3] }, 'w', 'r1'),
    ...incarnations({ c: [0, 2] }, 'v', 'r1'),
  ];

  it('has one workload and one revision, with nodes and strata by name', () => {
    const { nodes, strata, crashed, totals } = tally(all);

    expect(nodes).toEqual(['a', 'b', 'c']);
    expect(crashed).toEqual([2, 1, 0]);
    expect(totals).toEqual([4, 2, 2]);
    expect(strata).toEqual([
      { workload: 'v', revision: 'r1', places: [2, 2], crashedPlaces: [], totals: [0, 0, 2] },
      { workload: 'w', revision: 'r1', places: [0, 0, 0], crashedPlaces: [0, 0], totals: [3, 0, 0] },
      { workload: 'w', revision: 'r2', places: [1, 1, 0], crashedPlaces: [1], totals: [1, 2, 0] },
    ]);
  });

  it('has one workload, where revisions are pooled', () => {
    expect(tally(all, 'workload').strata).toMatchObject([
      { workload: 'v', revision: undefined, totals: [0, 0, 2] },
      { workload: 'w', revision: undefined, totals: [4, 2, 0], crashedPlaces: [1, 0, 0] },
    ]);
  });

  it.each<readonly [string, Parameters<typeof incarnations>[0], boolean]>([
    ['some crashed, some did not, on two nodes', { a: [1, 1], b: [0, 1] }, true],
    ['no pod crashed', { a: [0, 1], b: [0, 1] }, false],
    ['everything crashed', { a: [1, 1], b: [2, 2] }, false],
    ['all pods ran on one node', { a: [1, 2] }, false],
  ])('is informative about nodes or not: %s', (_, counts, isInformative) => {
    expect(informative(tally(incarnations(counts)).strata)).toHaveLength(isInformative ? 1 : 0);
  });
});

describe('the number of crashes that a node would need', () => {
  const strata = tally(incarnations({ x: [3, 3], a: [0, 9] })).strata;
  const x = candidate(strata, [1]);

  it('reaches a limit of probability, rounding aside', () => {
    expect(x).toMatchObject({ observed: 3, weight: 1 });
    expect(x.p).toBeCloseTo(1 / 220, 12);
    expect(crashesToReach(x, 1 / 220)).toBe(3);
    expect(crashesToReach(x, 0.5)).toBe(2);
    expect(crashesToReach(x, 1)).toBe(0);
    expect(crashesToReach(x, 0.001)).toBe(Number.POSITIVE_INFINITY);
  });

  it('includes the correction for nodes of the same size', () => {
    const weighs = { ...x, weight: 4 };

    expect(score(weighs)).toBeCloseTo(4 / 220, 12);
    expect(crashesToReach(weighs, 4 / 220)).toBe(3);
    expect(crashesToReach(weighs, 1 / 220)).toBe(Number.POSITIVE_INFINITY);
  });

  it('comes with the probability of that number by chance', () => {
    expect(chanceToReach(x, 1 / 220)).toBeCloseTo(1 / 220, 12);
    expect(chanceToReach(x, 0.5)).toBeCloseTo(28 / 220, 12);
    expect(chanceToReach(x, 0.001)).toBe(0);
    expect(chanceToReach(x, 1)).toBe(1);
  });

  it('starts at the smallest possible number, where crashes outnumber the pods elsewhere', () => {
    const crowded = candidate(tally(incarnations({ x: [3, 3], a: [0, 1] })).strata, [1]);

    expect(crowded).toMatchObject({ low: 2, observed: 3 });
    expect(crowded.p).toBeCloseTo(1 / 4, 12);
    expect(crashesToReach(crowded, 0.25)).toBe(3);
    expect(chanceToReach(crowded, 0.25)).toBeCloseTo(0.25, 12);
  });

  it('has probability one for a node without pods', () => {
    expect(candidate(strata, [7])).toMatchObject({ observed: 0, p: 1, low: 0 });
  });
});

describe('limits of probability', () => {
  it('are reached by values that differ by rounding only', () => {
    expect(atMost(0.05, 0.05)).toBe(true);
    expect(atMost(0.05 * (1 + 1e-10), 0.05)).toBe(true);
    expect(atMost(0.05 * (1 + 1e-8), 0.05)).toBe(false);
  });

  it('never result in a probability of more than one', () => {
    expect(bonferroni(0.01, 4)).toBe(0.04);
    expect(bonferroni(0.5, 4)).toBe(1);
  });
});

describe('sets of nodes', () => {
  it.each([
    [4, []],
    [5, [2]],
    [6, [2]],
    [7, [2, 3]],
    [8, [2, 3]],
    [9, [2, 3, 4]],
    [100, [2, 3, 4]],
  ])('with %i nodes have sizes %j: fewer than half', (nodes, sizes) => {
    expect(setSizes(nodes)).toEqual(sizes);
  });

  it('cost as much as their number', () => {
    expect(setWeight(7, 2)).toBeCloseTo(21, 10);
    expect(setWeight(9, 4)).toBeCloseTo(126, 9);
  });

  const strata = tally(
    incarnations({ a: [1, 3], b: [3, 3], c: [2, 2], d: [0, 3], e: [0, 3], f: [0, 3], g: [0, 3] }),
  ).strata;
  const singles = [0, 1, 2, 3, 4, 5, 6].map((place) => candidate(strata, [place]));

  it('contain the most suspicious nodes together', () => {
    expect(nodeSets(strata, singles).map(({ members, observed }) => [members, observed])).toEqual([
      [[1, 2], 5],
      [[0, 1, 2], 6],
    ]);
  });

  it('contain no node without a crash', () => {
    const two = tally(
      incarnations({ a: [0, 2], b: [2, 2], c: [2, 2], d: [0, 2], e: [0, 2], f: [0, 2], g: [0, 2] }),
    ).strata;
    const each = [0, 1, 2, 3, 4, 5, 6].map((place) => candidate(two, [place]));

    expect(nodeSets(two, each).map(({ members }) => members)).toEqual([[1, 2]]);
  });

  it('can reach a limit only where the most favourable set could', () => {
    const even = tally(
      incarnations({ a: [1, 1], b: [1, 1], c: [0, 1], d: [0, 1], e: [0, 1], f: [0, 1] }),
    ).strata;
    const smallest = 15 / 15;

    expect(chanceOfAnySet(even, 6, 2, smallest)).toBe(smallest);
    expect(chanceOfAnySet(even, 6, 2, smallest * 0.99)).toBe(0);
    const rich = tally(
      incarnations({ a: [3, 3], b: [3, 3], c: [0, 3], d: [0, 3], e: [0, 3], f: [0, 3] }),
    ).strata;
    expect(chanceOfAnySet(rich, 6, 2, 15 / 18_564)).toBe(15 / 18_564);
    expect(chanceOfAnySet(rich, 6, 2, 14.9 / 18_564)).toBe(0);
  });
});
