import { describe, expect, it } from 'vitest';
import { atMost } from '#src/engine/statistics/distribution.js';
import { distinct, type Incarnation, setCensoredApart } from '#src/engine/statistics/incarnation.js';
import { nodeTable, strataOf, strongestCandidate } from '#src/engine/statistics/node-concentration.js';
import { type Counts, incarnations } from './incarnations.js';

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

  it('has one workload and one revision', () => {
    expect(strataOf(all)).toEqual([
      {
        crashed: 1,
        total: 3,
        byNode: new Map([
          ['b', { crashed: 1, total: 2 }],
          ['a', { crashed: 0, total: 1 }],
        ]),
      },
    ]);
  });

  it('has one workload, where revisions are pooled', () => {
    expect(strataOf(all, 'workload')).toMatchObject([{ crashed: 3, total: 6 }]);
  });

  it.each<readonly [string, Parameters<typeof incarnations>[0], boolean]>([
    ['some crashed, some did not, on two nodes', { a: [1, 1], b: [0, 1] }, true],
    ['no pod crashed', { a: [0, 1], b: [0, 1] }, false],
    ['everything crashed', { a: [1, 1], b: [2, 2] }, false],
    ['all pods ran on one node', { a: [1, 2] }, false],
  ])('is informative about nodes or not: %s', (_, counts, isInformative) => {
    expect(strataOf(incarnations(counts))).toHaveLength(isInformative ? 1 : 0);
  });
});

describe('limits of probability', () => {
  it('are reached by values that differ by rounding only', () => {
    expect(atMost(0.05, 0.05)).toBe(true);
    expect(atMost(0.05 * (1 + 1e-10), 0.05)).toBe(true);
    expect(atMost(0.05 * (1 + 1e-8), 0.05)).toBe(false);
  });
});

describe('the nodes that chance explains worst', () => {
  const strongest = (counts: Counts, sets = true) =>
    strongestCandidate(strataOf(incarnations(counts)), { attributes: new Map(), sets });

  it('are one node, corrected for the choice among those that could have shown as much', () => {
    const x = strongest({ x: [3, 3], a: [0, 9] });

    expect(x).toMatchObject({ nodes: ['x'], observed: 3 });
    expect(x?.p).toBeCloseTo(1 / 220, 12);
    // Three crashes on the node with nine pods are no rarity.
    expect(x?.pAdjusted).toBeCloseTo(1 / 220, 12);
    expect(strongest({ x: [3, 3], a: [0, 3], b: [0, 3], c: [0, 3] })?.pAdjusted).toBeCloseTo(4 / 220, 12);
  });

  it('are several that hide each other, fewer than half of all, each with a crash', () => {
    const bad: Counts = { b: [3, 3], c: [3, 3] };
    const good: Counts = { a: [0, 3], d: [0, 3], e: [0, 3], f: [0, 3] };

    expect(strongest({ ...good, ...bad })).toMatchObject({ nodes: ['b', 'c'], observed: 6 });
    expect(strongest({ ...good, ...bad })?.pAdjusted).toBeCloseTo(15 / 18_564, 12);
    expect(strongest({ ...good, ...bad }, false)?.nodes).toEqual(['b']);
    expect(strongest({ a: [0, 3], d: [0, 3], ...bad })?.nodes).toEqual(['b']);
    expect(strongest({ ...good, g: [0, 3], ...bad })?.nodes).toEqual(['b', 'c']);
  });

  it('share the cost of choosing a set among all sizes that sets may have', () => {
    const set = strongest({ a: [3, 3], b: [3, 3], c: [0, 3], d: [0, 3], e: [0, 3], f: [0, 3], g: [0, 3] });

    expect(set).toMatchObject({ nodes: ['a', 'b'], weight: 2 * 21 });
    expect(set?.pAdjusted).toBeCloseTo(21 / 54_264, 12);
  });

  it('do not exist where nothing can be compared', () => {
    expect(strongest({ a: [1, 2] })).toBeUndefined();
  });
});
