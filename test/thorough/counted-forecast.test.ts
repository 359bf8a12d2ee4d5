import { describe, expect, it } from 'vitest';
import { compareForecasts } from '../support/compare-forecasts.js';

const firstSeed = Number(process.env.COUNTED_SEED ?? 20_261_122);

describe('a forecast that counts pods', () => {
  it(`ends like the one that simulates every pod, at the same cost (seeds from ${firstSeed})`, () => {
    const { differences, ends } = compareForecasts(firstSeed, 2_000);

    expect(differences.slice(0, 3)).toEqual([]);
    for (const kind of ['complete, none', 'complete, reduced', 'complete, gap', 'stuck, none']) {
      expect(ends.get(kind) ?? 0, kind).toBeGreaterThan(50);
    }
  });

  it('ends like it where a ReplicaSet creates and deletes more pods than one sync does', () => {
    const { differences } = compareForecasts(firstSeed, 12, { sizes: [1_600], maxSteps: 200 });

    expect(differences.slice(0, 3)).toEqual([]);
  });
});
