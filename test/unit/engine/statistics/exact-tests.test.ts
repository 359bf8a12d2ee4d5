import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choose as chooseNearly,
  convolve,
  type Draw,
  hypergeometric,
} from '#src/engine/statistics/distribution.js';
import { candidate, strataOf } from '#src/engine/statistics/node-concentration.js';
import { binomial, tailFrom } from './chance.js';
import { incarnations } from './incarnations.js';

/** Fisher's exact test, one-sided: the probability of so many crashed pods or more among those drawn. */
function fisherTail(draw: Draw, atLeast: number): number {
  return tailFrom(hypergeometric(draw), atLeast);
}

/** C(n, k) exactly. */
function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let result = 1n;
  for (let i = 1; i <= k; i += 1) result = (result * BigInt(n - k + i)) / BigInt(i);
  return result;
}

/** Fisher's tail as a quotient of whole numbers, to 17 digits. */
function exactTail(population: number, marked: number, drawn: number, atLeast: number): number {
  let sum = 0n;
  for (let i = Math.max(0, atLeast); i <= Math.min(marked, drawn); i += 1) {
    sum += choose(drawn, i) * choose(population - drawn, marked - i);
  }
  return Number((sum * 10n ** 30n) / choose(population, marked)) / 1e30;
}

const published: readonly (readonly [string, number, number, number, number, number, number, number])[] = [
  ['3/3 against 0/9', 3, 3, 0, 9, 4, 1 / 220, 0.0182],
  ['2/2 against 0/4', 2, 2, 0, 4, 3, 1 / 15, 0.2],
  ['2/3 against 0/9', 2, 3, 0, 9, 4, 0.0455, 0.18],
  ['3/3 against 1/9', 3, 3, 1, 9, 4, 0.0182, 0.073],
  ['3/3 against 3/9', 3, 3, 3, 9, 4, 0.0909, 0.36],
  ['4/4 against 0/16', 4, 4, 0, 16, 5, 0.000206, 0.001],
  ['5/6 against 1/24', 5, 6, 1, 24, 6, 0.000244, 0.0015],
  ['3/10 against 1/90', 3, 10, 1, 90, 10, 0.0028, 0.028],
  ['1/1 against 0/49', 1, 1, 0, 49, 50, 0.02, 1],
  ['2/2 against 0/48', 2, 2, 0, 48, 50, 0.00082, 0.041],
];

/**
 * Within half a unit of the last of the two digits that were printed, and a little for how 1.15 was rounded.
 */
function near(actual: number, printed: number): void {
  const unit = 10 ** (Math.floor(Math.log10(printed)) - 1);
  expect(Math.abs(actual - printed)).toBeLessThanOrEqual(0.51 * unit);
}

describe('the published table', () => {
  it.each(published)('%s', (_, k, n, restCrashed, rest, nodes, p, pAdjusted) => {
    const tail = fisherTail({ population: n + rest, marked: k + restCrashed, drawn: n }, k);
    near(tail, p);
    near(Math.min(1, tail * nodes), pAdjusted);
  });

  it('two DaemonSets on 50 nodes, each crashing on the same one only', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 50 }, (_, i): [string, [number, number]] => [`n${i}`, [i === 0 ? 1 : 0, 1]]),
    );
    const strata = strataOf([...incarnations(nodes, 'DaemonSet/a'), ...incarnations(nodes, 'DaemonSet/b')]);
    expect(candidate(strata, { nodes: ['n0'], attributes: [] }, 1).p).toBeCloseTo(0.0004, 12);
  });

  it('a Deployment with 3/3 against 0/9 and a DaemonSet crashing on the same of 4 nodes', () => {
    const api = incarnations({ a: [3, 3], b: [0, 3], c: [0, 3], d: [0, 3] });
    const agent = incarnations({ a: [1, 1], b: [0, 1], c: [0, 1], d: [0, 1] }, 'DaemonSet/agent');
    const { p } = candidate(strataOf([...api, ...agent]), { nodes: ['a'], attributes: [] }, 1);
    expect(p).toBeCloseTo(1 / 220 / 4, 12);
    near(p * 4, 0.0045);
  });

  it('a new revision with 3/3 on one node and 0/1 elsewhere', () => {
    expect(fisherTail({ population: 4, marked: 3, drawn: 3 }, 3)).toBeCloseTo(0.25, 12);
  });
});

describe("Fisher's test", () => {
  it("gives Fisher's own figures for the lady tasting tea", () => {
    const eightCups = { population: 8, marked: 4, drawn: 4 };
    expect(fisherTail(eightCups, 4)).toBeCloseTo(1 / 70, 14);
    expect(fisherTail(eightCups, 3)).toBeCloseTo(17 / 70, 14);
    expect(fisherTail(eightCups, 2)).toBeCloseTo(53 / 70, 14);
  });

  const draws = fc.integer({ min: 1, max: 400 }).chain((population) =>
    fc.record({
      population: fc.constant(population),
      marked: fc.nat(population),
      drawn: fc.nat(population),
    }),
  );

  it('agrees with whole-number arithmetic to 12 digits', () => {
    fc.assert(
      fc.property(draws, fc.nat(400), (draw, atLeast) => {
        const exact = exactTail(draw.population, draw.marked, draw.drawn, atLeast);
        const tail = fisherTail(draw, atLeast);
        expect(Math.abs(tail - exact)).toBeLessThanOrEqual(1e-12 * exact + 1e-29);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it('spreads a mass of one, whichever side is called drawn', () => {
    fc.assert(
      fc.property(draws, (draw) => {
        const { low, mass } = hypergeometric(draw);
        const mirrored = hypergeometric({ ...draw, marked: draw.drawn, drawn: draw.marked });
        expect(mass.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
        expect(mirrored.low).toBe(low);
        for (const [i, p] of mirrored.mass.entries()) expect(p).toBeCloseTo(mass[i] ?? Number.NaN, 12);
      }),
      { numRuns: 200, seed: 2 },
    );
  });

  it('falls as more crashes are required, and as healthy pods are added elsewhere', () => {
    fc.assert(
      fc.property(draws, fc.nat(50), (draw, atLeast) => {
        const tail = fisherTail(draw, atLeast);
        expect(fisherTail(draw, atLeast + 1)).toBeLessThanOrEqual(tail * (1 + 1e-12));
        expect(fisherTail({ ...draw, population: draw.population + 1 }, atLeast)).toBeLessThanOrEqual(
          tail * (1 + 1e-9),
        );
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it('keeps the digits of very small tails', () => {
    const tail = fisherTail({ population: 2_000, marked: 40, drawn: 40 }, 40);
    const exact = 1 / Number(choose(2_000, 40));
    expect(tail / exact).toBeCloseTo(1, 9);
  });
});

describe('the parts of the exact tests', () => {
  it('count the ways to choose, without end where they are too many', () => {
    expect(chooseNearly(9, 4)).toBeCloseTo(126, 9);
    expect(chooseNearly(7, 0)).toBe(1);
    expect(chooseNearly(5_000, 2_500)).toBe(Number.POSITIVE_INFINITY);
  });

  it('convolve to the distribution of the sum', () => {
    const sum = convolve(binomial(3, 0.3), binomial(4, 0.3));
    const whole = binomial(7, 0.3);
    for (const [i, p] of sum.mass.entries()) expect(p).toBeCloseTo(whole.mass[i] ?? Number.NaN, 14);
    expect(tailFrom(sum, 0)).toBe(1);
    expect(tailFrom(sum, 8)).toBe(0);
  });
});
