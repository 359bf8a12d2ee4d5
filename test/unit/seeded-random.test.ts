import { describe, expect, it } from 'vitest';
import { seededRandom } from '../support/seeded-random.js';

describe('seeded randomness', () => {
  it('repeats, differs between seeds, stays in range and is uniform', () => {
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
