import { describe, expect, it } from 'vitest';
import { compareText, greatestOf, groupBy, leastOf } from '#src/engine/collections/collections.js';

describe('the order of texts', () => {
  it.each([
    ['a', 'b', -1],
    ['b', 'a', 1],
    ['a', 'a', 0],
    ['B', 'a', -1],
    ['a', 'ä', -1],
  ])('%s against %s is %d', (a, b, order) => {
    expect(compareText(a, b)).toBe(order);
  });
});

describe('groups', () => {
  it('keep keys and items in the order in which they come', () => {
    const groups = groupBy(['pear', 'apple', 'plum', 'avocado'], (word) => word[0]);
    expect([...groups]).toEqual([
      ['p', ['pear', 'plum']],
      ['a', ['apple', 'avocado']],
    ]);
  });
});

describe('the least and the greatest number', () => {
  it.each([
    [[3, 1, 2], 1, 3],
    [[-5], -5, -5],
    [[], Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ])('of %j are %d and %d', (values, least, greatest) => {
    expect([leastOf(values), greatestOf(values)]).toEqual([least, greatest]);
  });

  it('of more numbers than a call can have arguments are found', () => {
    const values = Array.from({ length: 300_000 }, (_, index) => index);
    expect([leastOf(values), greatestOf(values)]).toEqual([0, 299_999]);
  });
});
