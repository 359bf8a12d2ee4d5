import { describe, expect, it } from 'vitest';
import { createBoundedCache } from '#src/edges/slack/bounded-cache.js';

describe('a bounded cache', () => {
  it('returns a value while it is younger than the caller allows', () => {
    let now = 0;
    const cache = createBoundedCache<string>(2, () => now);
    cache.set('a', '1');
    now = 60_000;
    expect(cache.get('a', 60_000)).toBe('1');
    now = 60_001;
    expect(cache.get('a', 60_000)).toBeUndefined();
    expect(cache.get('a', 86_400_000)).toBe('1');
  });

  it('removes the oldest value first', () => {
    const cache = createBoundedCache<number>(2, () => 0);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('a', 3);
    cache.set('c', 4);
    expect(['a', 'b', 'c'].map((key) => cache.get(key, 0))).toEqual([3, undefined, 4]);
  });
});
