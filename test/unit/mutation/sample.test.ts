import { describe, expect, it } from 'vitest';
import { keyOf, mutantFrom } from '../../mutation/mutant.js';
import { sample } from '../../mutation/sample.js';

const items = Array.from({ length: 1_000 }, (_, index) => index);

describe('a sample of mutants', () => {
  it('is the same for the same seed and purpose, and a different one otherwise', () => {
    const first = sample(items, 50, 1, 'rollout');

    expect(sample(items, 50, 1, 'rollout')).toEqual(first);
    expect(sample(items, 50, 2, 'rollout')).not.toEqual(first);
    expect(sample(items, 50, 1, 'placement')).not.toEqual(first);
  });

  it('contains as many as requested, each once, in their own order, or all when there are fewer', () => {
    const taken = sample(items, 50, 7, 'rollout');

    expect(taken).toHaveLength(50);
    expect(taken).toEqual([...new Set(taken)].sort((a, b) => a - b));
    expect(sample([3, 1, 2], 50, 7, 'rollout')).toEqual([3, 1, 2]);
  });

  it('is uniform: over 2,000 seeds each mutant is chosen 500 to 700 times of 600 expected', () => {
    const times = items.slice(0, 10).map(() => 0);
    for (let seed = 0; seed < 2_000; seed += 1) {
      for (const taken of sample(items.slice(0, 10), 3, seed, 'rollout'))
        times[taken] = (times[taken] ?? 0) + 1;
    }

    expect(Math.min(...times)).toBeGreaterThan(500);
    expect(Math.max(...times)).toBeLessThan(700);
  });
});

describe('a mutant', () => {
  const seen = {
    fileName: '/tmp/sandbox-1/src/core/rollout/simulation.ts',
    location: { start: { line: 3, column: 7 }, end: { line: 3, column: 9 } },
    mutatorName: 'StringLiteral',
    replacement: '""',
  };

  it('has the same key whether lines count from 0 or 1, in any folder', () => {
    const original = {
      ...seen,
      fileName: 'src/core/rollout/simulation.ts',
      location: { start: { line: 2, column: 6 }, end: { line: 2, column: 8 } },
    };
    expect(keyOf(mutantFrom(original, 0))).toBe(keyOf(mutantFrom(seen, 1)));
  });

  it.each([
    { mutatorName: 'Regex' },
    { replacement: '"x"' },
    { fileName: 'src/core/rollout/other.ts' },
    { location: { start: { line: 3, column: 7 }, end: { line: 4, column: 9 } } },
  ])('has another key with %j', (other) => {
    expect(keyOf(mutantFrom({ ...seen, ...other }, 1))).not.toBe(keyOf(mutantFrom(seen, 1)));
  });
});
