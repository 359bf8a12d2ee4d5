import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposureFindings } from '../../../../src/core/statistics/exposure.js';
import { nodeGroups } from '../../../../src/core/statistics/node-groups.js';
import { seededRandom } from '../../../../src/core/statistics/seeded-random.js';

describe('crashes against pod-hours', () => {
  it('names the node that has six of eight crashes on a tenth of the hours', () => {
    const [worst, ...others] = exposureFindings([
      { node: 'a', crashedIncarnations: 1, podHours: 450 },
      { node: 'b', crashedIncarnations: 6, podHours: 100 },
      { node: 'c', crashedIncarnations: 1, podHours: 450 },
    ]);
    expect(worst).toMatchObject({ node: 'b', share: 0.1 });
    expect(worst?.p).toBeCloseTo(28 * 0.1 ** 6 * 0.9 ** 2 + 8 * 0.1 ** 7 * 0.9 + 0.1 ** 8, 12);
    expect(worst?.pAdjusted).toBeCloseTo(3 * (worst?.p ?? 0), 12);
    expect(others.every(({ pAdjusted }) => pAdjusted > 0.5)).toBe(true);
  });

  it('says nothing about a node without hours, or without any', () => {
    expect(exposureFindings([])).toEqual([]);
    expect(exposureFindings([{ node: 'a', crashedIncarnations: 1, podHours: 0 }])).toEqual([]);
    const found = exposureFindings([
      { node: 'a', crashedIncarnations: 2, podHours: 0 },
      { node: 'b', crashedIncarnations: 0, podHours: 10 },
    ]);
    expect(found.every(({ p }) => p === 1)).toBe(true);
  });

  it('does not depend on the unit of time', () => {
    const nodes = fc.array(
      fc.record({ crashedIncarnations: fc.nat(9), podHours: fc.integer({ min: 1, max: 500 }) }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(nodes, fc.constantFrom(0.25, 2, 64), (counts, unit) => {
        const named = counts.map((count, i) => ({ node: `n${i}`, ...count }));
        const hours = exposureFindings(named);
        const others = exposureFindings(named.map((one) => ({ ...one, podHours: one.podHours * unit })));
        expect(others.map(({ node }) => node)).toEqual(hours.map(({ node }) => node));
        for (const [i, { p }] of others.entries()) expect(p).toBeCloseTo(hours[i]?.p ?? Number.NaN, 12);
      }),
      { numRuns: 100, seed: 13 },
    );
  });
});

describe('groups of nodes', () => {
  const attributes = new Map([
    [
      'a',
      [
        { name: 'zone', value: 'z1' },
        { name: 'pool', value: 'p1' },
        { name: 'os', value: 'linux' },
      ],
    ],
    [
      'b',
      [
        { name: 'zone', value: 'z1' },
        { name: 'pool', value: 'p1' },
        { name: 'os', value: 'linux' },
      ],
    ],
    [
      'c',
      [
        { name: 'zone', value: 'z2' },
        { name: 'pool', value: 'p1' },
        { name: 'os', value: 'linux' },
      ],
    ],
    [
      'd',
      [
        { name: 'zone', value: 'z3' },
        { name: 'os', value: 'linux' },
      ],
    ],
  ]);

  it('share a value, are several, are not all, and are one when they are the same nodes', () => {
    expect(nodeGroups(['a', 'b', 'c', 'd'], attributes)).toEqual([
      { members: [0, 1, 2], attributes: [{ name: 'pool', value: 'p1' }] },
      { members: [0, 1], attributes: [{ name: 'zone', value: 'z1' }] },
    ]);
    expect(nodeGroups(['a', 'b', 'd'], attributes)).toEqual([
      {
        members: [0, 1],
        attributes: [
          { name: 'pool', value: 'p1' },
          { name: 'zone', value: 'z1' },
        ],
      },
    ]);
    expect(nodeGroups(['x', 'y'], attributes)).toEqual([]);
  });
});

describe('seeded randomness', () => {
  it('repeats, differs between seeds, stays in range and is even', () => {
    const draw = (seed: number): number[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 60_000 }, () => random(6));
    };
    const numbers = draw(1);
    expect(draw(1)).toEqual(numbers);
    expect(draw(2)).not.toEqual(numbers);
    const counts = [0, 1, 2, 3, 4, 5].map((face) => numbers.filter((number) => number === face).length);
    const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chiSquare).toBeLessThan(20.5);
  });
});
