import { createHash } from 'node:crypto';

/**
 * A uniform random sample of `size` items, in their own order. The same seed and purpose give the same
 * sample, another purpose another.
 */
export function sample<T>(items: readonly T[], size: number, seed: number, purpose: string): T[] {
  const ticket = (index: number): string =>
    createHash('sha256').update(`${seed}\n${purpose}\n${index}`).digest('hex');
  return items
    .map((item, index) => ({ item, index, ticket: ticket(index) }))
    .sort((a, b) => (a.ticket < b.ticket ? -1 : 1))
    .slice(0, size)
    .sort((a, b) => a.index - b.index)
    .map(({ item }) => item);
}

/** How many of each part make a sample of `size` in all, in proportion, and at least one of each. */
export function proportionalSizes(counts: readonly number[], size: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const exact = counts.map((count) => (size * count) / total);
  const sizes = exact.map((share) => Math.max(1, Math.floor(share)));
  const byRest = exact
    .map((share, index) => ({ index, rest: share < 1 ? -1 : share - Math.floor(share) }))
    .sort((one, other) => other.rest - one.rest);
  let left = size - sizes.reduce((sum, each) => sum + each, 0);
  for (const { index } of byRest) {
    if (left <= 0) break;
    sizes[index] = (sizes[index] ?? 0) + 1;
    left -= 1;
  }
  // So many small parts that one of each is more than their share.
  for (; left < 0; left += 1) {
    const largest = sizes.indexOf(Math.max(...sizes));
    sizes[largest] = (sizes[largest] ?? 0) - 1;
  }
  return sizes;
}
