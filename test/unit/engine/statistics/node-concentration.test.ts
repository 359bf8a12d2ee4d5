import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Incarnation } from '#src/engine/statistics/incarnation.js';
import {
  type Concentration,
  type NodeAttribute,
  nodeConcentration,
} from '#src/engine/statistics/node-concentration.js';
import { type Counts, concentrated, incarnations } from './incarnations.js';

function verdictOf(counts: Counts | readonly Incarnation[]): Concentration {
  return nodeConcentration(Array.isArray(counts) ? counts : incarnations(counts as Counts));
}

function asConcentrated(result: Concentration): Extract<Concentration, { verdict: 'concentrated' }> {
  if (result.verdict !== 'concentrated') throw new Error(`${result.verdict} instead of concentrated`);
  return result;
}

function asCannotTell(result: Concentration): Extract<Concentration, { verdict: 'cannot-tell' }> {
  if (result.verdict !== 'cannot-tell') throw new Error(`${result.verdict} instead of cannot-tell`);
  return result;
}

describe('crashes concentrate on a node', () => {
  it.each<[string, Counts, number]>([
    ['3/3 against 0/9 on four nodes', concentrated(3, 3, 0, 9, 3), 4 / 220],
    ['3/3 against 0/6 on three nodes', concentrated(3, 3, 0, 6, 2), 3 / 84],
    ['4/4 against 0/16 on five nodes', concentrated(4, 4, 0, 16, 4), 5 / 4845],
    ['3/10 against 1/90 on ten nodes', concentrated(3, 10, 1, 90, 9), 0.028],
  ])('%s', (_, counts, pAdjusted) => {
    const result = asConcentrated(verdictOf(counts));
    expect(result.nodes).toEqual(['x']);
    expect(result.pAdjusted).toBeCloseTo(pAdjusted, 3);
    expect(result.table[0]).toMatchObject({ node: 'x' });
  });

  it('with two workloads, each with one pod per node', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 10 }, (_, i): [string, [number, number]] => [`n${i}`, [i === 6 ? 1 : 0, 1]]),
    );
    const result = asConcentrated(
      verdictOf([
        ...incarnations(nodes, 'DaemonSet/agent'),
        ...incarnations(nodes, 'DaemonSet/logger'),
        ...incarnations({ n6: [2, 2], n0: [0, 9], n1: [0, 9] }),
      ]),
    );
    expect(result.nodes).toEqual(['n6']);
  });

  it('on a node that only few pods ever ran on, although many nodes have one pod', () => {
    const result = asConcentrated(verdictOf(concentrated(2, 2, 0, 48, 48)));
    expect(result.nodes).toEqual(['x']);
    expect(result.pAdjusted).toBeLessThan(0.05);
  });

  it('on two nodes that hide each other', () => {
    const result = asConcentrated(
      verdictOf({ a: [3, 3], b: [3, 3], c: [0, 3], d: [0, 3], e: [0, 3], f: [0, 3] }),
    );
    expect(result.nodes).toEqual(['a', 'b']);
    expect(result.attributes).toEqual([]);
  });

  it('on a second node with fewer crashes too', () => {
    const result = asConcentrated(verdictOf({ ...concentrated(9, 9, 0, 30, 3), y: [4, 5], z: [0, 5] }));
    expect([...result.nodes].sort()).toEqual(['x', 'y']);
  });

  it('but not on a healthy node beside the bad one', () => {
    const result = asConcentrated(verdictOf({ ...concentrated(5, 5, 0, 40, 8), innocent: [1, 5] }));
    expect(result.nodes).toEqual(['x']);
  });

  it('within revisions, not between them', () => {
    const old = incarnations({ a: [0, 3], b: [0, 3], c: [0, 3] });
    const result = verdictOf([...old, ...incarnations({ a: [3, 3], b: [0, 4], c: [0, 4] }, undefined, 'r2')]);
    expect(asConcentrated(result).nodes).toEqual(['a']);
  });
});

describe('groups of crashing nodes', () => {
  const nodes = Array.from({ length: 25 }, (_, i) => `n${String(i).padStart(2, '0')}`);
  const pools = new Map<string, NodeAttribute[]>(
    nodes.map((node, i) => [
      node,
      [
        { name: 'pool', value: i < 5 ? 'gpu' : 'cpu' },
        { name: 'kernel', value: i < 5 ? '6.8' : '6.1' },
        { name: 'zone', value: `z${i % 3}` },
      ],
    ]),
  );
  const counts = (bad: (i: number) => boolean, total: number): Counts =>
    Object.fromEntries(
      nodes.map((node, i): [string, [number, number]] => [node, [bad(i) ? total : 0, total]]),
    );

  it('are found where no single node is significant, with all labels that they share', () => {
    const result = asConcentrated(
      nodeConcentration(incarnations(counts((i) => i < 5, 1)), { attributes: pools }),
    );
    expect(result.nodes).toEqual(nodes.slice(0, 5));
    expect(result.attributes).toEqual([
      { name: 'kernel', value: '6.8' },
      { name: 'pool', value: 'gpu' },
    ]);
  });

  it('are not blamed for one bad member', () => {
    const result = asConcentrated(
      nodeConcentration(incarnations(counts((i) => i === 0, 4)), { attributes: pools }),
    );
    expect(result.nodes).toEqual(['n00']);
    expect(result.attributes).toEqual([]);
  });

  it('are corrected for: one crash in a small zone is not significant', () => {
    expect(nodeConcentration(incarnations(counts((i) => i === 7, 1)), { attributes: pools }).verdict).toBe(
      'cannot-tell',
    );
  });
});

describe('crashes are everywhere', () => {
  it.each<[string, Counts]>([
    ['with all pods of all nodes', { a: [3, 3], b: [3, 3], c: [3, 3] }],
    ['with at least one on every node', { a: [3, 3], b: [1, 3], c: [2, 3] }],
    ['on two nodes with one pod each', { a: [1, 1], b: [1, 1] }],
  ])('%s', (_, counts) => {
    expect(verdictOf(counts)).toMatchObject({ verdict: 'everywhere', nodes: Object.keys(counts) });
  });

  it('with the new revision, while the old one is healthy', () => {
    const result = verdictOf([
      ...incarnations({ a: [0, 3], b: [0, 3], c: [0, 3] }),
      ...incarnations({ a: [1, 1], b: [1, 1] }, undefined, 'r2'),
    ]);
    expect(result).toMatchObject({ verdict: 'everywhere', nodes: ['a', 'b'] });
  });
});

describe('the concentration is inconclusive', () => {
  it('with one pod per node on any number of nodes, and the result names an experiment', () => {
    const result = asCannotTell(verdictOf(concentrated(1, 1, 0, 9, 9)));
    expect(result).toMatchObject({ because: 'one-pod-per-node', suspect: 'x', revision: undefined });
    expect(result.pAdjusted).toBeCloseTo(1, 12);
    expect(result.experiment?.recreate).toContain('/x/0');
    expect(result.experiment?.onto).toHaveLength(5);
  });

  it('when every pod ran on one node', () => {
    expect(asCannotTell(verdictOf({ x: [3, 3] }))).toMatchObject({ because: 'one-node', suspect: 'x' });
  });

  it('with too few pods: 2/2 against 0/4', () => {
    const result = asCannotTell(verdictOf(concentrated(2, 2, 0, 4, 2)));
    expect(result).toMatchObject({ because: 'too-few', suspect: 'x' });
    expect(result.p).toBeCloseTo(1 / 15, 12);
  });

  it('with one crash and any number of pods', () => {
    expect(asCannotTell(verdictOf({ x: [1, 1], a: [0, 60] }))).toMatchObject({ because: 'too-few' });
  });

  it('when only one node runs the new revision', () => {
    const old = incarnations({ b: [0, 3], c: [0, 3], d: [0, 3] });
    const result = asCannotTell(verdictOf([...old, ...incarnations({ x: [3, 3] }, undefined, 'r2')]));
    expect(result).toMatchObject({ because: 'confounded-with-revision', suspect: 'x', revision: 'r2', p: 1 });
    expect(result.experiment?.recreate).toContain('/x/');
  });

  it('when one node runs nearly all of the new revision', () => {
    const old = incarnations({ b: [0, 3], c: [0, 3], d: [0, 3] });
    const result = asCannotTell(
      verdictOf([...old, ...incarnations({ x: [3, 3], b: [0, 1] }, undefined, 'r2')]),
    );
    expect(result).toMatchObject({ because: 'confounded-with-revision', suspect: 'x', revision: 'r2' });
    expect(result.p).toBeCloseTo(0.25, 12);
  });
});

describe('crashes do not concentrate', () => {
  it.each<[string, Counts]>([
    ['when no pod crashed', { a: [0, 3], b: [0, 3] }],
    ['with crashes on two nodes of four', { a: [1, 3], b: [1, 3], c: [0, 3], d: [0, 3] }],
    ['with crashes scattered over many nodes', { ...concentrated(1, 4, 12, 76, 19) }],
  ])('%s', (_, counts) => {
    expect(verdictOf(counts).verdict).toBe('not-concentrated');
  });

  it('without any incarnation', () => {
    expect(verdictOf([])).toEqual({ verdict: 'not-concentrated', table: [] });
  });
});

describe('the counts of pods', () => {
  it('exclude healthy pods that are too young', () => {
    const old = incarnations(concentrated(3, 3, 0, 9, 3)).map((one) => ({
      ...one,
      secondsToCrash: 60,
      observedSeconds: one.crashed ? 600 : 30,
    }));
    const result = verdictOf(old);
    expect(result.verdict).toBe('cannot-tell');
    expect(result.table.reduce((sum, { censored }) => sum + censored, 0)).toBe(9);
    expect(verdictOf(old.map((one) => ({ ...one, observedSeconds: 60 }))).verdict).toBe('concentrated');
  });

  it('count an incarnation once that was seen twice, as crashed if it ever did', () => {
    const unique = incarnations(concentrated(3, 3, 0, 9, 3));
    const repeated = [...unique.map((one) => ({ ...one, crashed: false })), ...unique];
    expect(verdictOf(repeated)).toEqual(verdictOf(unique));
  });

  const tables = fc
    .array(fc.tuple(fc.nat(4), fc.nat(4), fc.constantFrom('r1', 'r2')), { minLength: 1, maxLength: 8 })
    .map((rows) =>
      rows.flatMap(([crashed, healthy, revision], i) =>
        incarnations(
          { [`n${i % 6}`]: [crashed, crashed + healthy] },
          undefined,
          `${revision}-${Math.floor(i / 6)}`,
        ),
      ),
    );

  it('do not depend on the order of the input', () => {
    fc.assert(
      fc.property(
        tables.chain((table) =>
          fc.tuple(fc.constant(table), fc.shuffledSubarray(table, { minLength: table.length })),
        ),
        ([table, shuffled]) => {
          expect(verdictOf(shuffled)).toEqual(verdictOf(table));
        },
      ),
      { numRuns: 150, seed: 5 },
    );
  });

  it('do not depend on names of nodes except for the order among equals', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const renamed = verdictOf(table.map((one) => ({ ...one, node: `z-${one.node}` })));
        expect(renamed.verdict).toBe(verdictOf(table).verdict);
      }),
      { numRuns: 100, seed: 6 },
    );
  });

  it('give probabilities, and the adjusted one is never smaller', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const result = verdictOf(table);
        if (result.verdict !== 'concentrated') return;
        expect(result.p).toBeGreaterThan(0);
        expect(result.pAdjusted).toBeGreaterThanOrEqual(result.p);
        expect(result.pAdjusted).toBeLessThanOrEqual(0.05 * (1 + 1e-9));
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it('keep a concentration with one more healthy pod elsewhere', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 6 }),
        fc.integer({ min: 2, max: 8 }),
        fc.integer({ min: 2, max: 4 }),
        (n, others, each) => {
          const counts = concentrated(n, n, 0, others * each, others);
          if (verdictOf(counts).verdict !== 'concentrated') return;
          expect(verdictOf({ ...counts, o000: [0, each + 1] }).verdict).toBe('concentrated');
        },
      ),
      { numRuns: 60, seed: 8 },
    );
  });
});
