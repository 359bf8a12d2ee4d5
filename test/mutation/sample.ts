import { createHash } from 'node:crypto';

/**
 * A uniform random sample of `size` items, in their own order. The same seed and purpose give the same sample, another
 * purpose another.
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
