import { describe, expect, it } from 'vitest';
import { keyOf, mutantFrom, offsetsOf } from '../../mutation/mutant.js';
import { proportionalSizes, sample } from '../../mutation/sample.js';

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

describe('the sizes of the parts of a sample', () => {
  it.each([
    [[500, 300, 200], 10, [5, 3, 2]],
    [[800, 190, 10], 10, [8, 1, 1]],
    [[1_000, 1, 1], 12, [10, 1, 1]],
    [[334, 333, 333], 100, [34, 33, 33]],
  ])('of %j mutants are, of %d in all, %j', (counts, size, sizes) => {
    expect(proportionalSizes(counts, size)).toEqual(sizes);
  });
});

describe('a mutant', () => {
  const seen = {
    fileName: 'src/engine/workloads/simulation.ts',
    location: { start: { line: 2, column: 6 }, end: { line: 2, column: 8 } },
    mutatorName: 'StringLiteral',
    replacement: '""',
  };

  it('has lines and columns that count from 1', () => {
    expect(mutantFrom(seen)).toMatchObject({ line: 3, column: 7, endLine: 3, endColumn: 9 });
  });

  it('has the offsets of its text', () => {
    const source = 'const a = 1;\n\nreturn "b";\n';
    const location = { start: { line: 2, column: 7 }, end: { line: 2, column: 10 } };
    expect(source.slice(...offsetsOf(mutantFrom({ ...seen, location }), source))).toBe('"b"');
  });

  it.each([
    { mutatorName: 'Regex' },
    { replacement: '"x"' },
    { fileName: 'src/engine/workloads/other.ts' },
    { location: { start: { line: 2, column: 6 }, end: { line: 3, column: 8 } } },
  ])('has another key with %j', (other) => {
    expect(keyOf(mutantFrom({ ...seen, ...other }))).not.toBe(keyOf(mutantFrom(seen)));
  });
});
