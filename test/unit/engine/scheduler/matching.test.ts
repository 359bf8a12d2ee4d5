import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignAll } from '#src/engine/scheduler/device-allocation.js';

describe('the assignment of an item to every slot', () => {
  test.each([
    ['no items and no slots', [], true],
    ['one slot, one item', [['a']], true],
    ['a slot without items', [['a'], []], false],
    ['two slots that want the same item', [['a'], ['a']], false],
    ['a first choice that has to move on', [['a', 'b'], ['a']], true],
    ['a chain of moves', [['a', 'b'], ['b', 'c'], ['a'], ['c', 'd']], true],
    [
      'three slots for two items',
      [
        ['a', 'b'],
        ['a', 'b'],
        ['a', 'b'],
      ],
      false,
    ],
  ])('%s', (_, slots, possible) => {
    expect(assignAll<string>(slots) !== undefined).toBe(possible);
  });

  test('agrees with trying all assignments', () => {
    const tryAll = (
      slots: readonly (readonly number[])[],
      taken: ReadonlySet<number> = new Set(),
    ): boolean => {
      const [first, ...rest] = slots;
      if (first === undefined) return true;
      return first.some((item) => !taken.has(item) && tryAll(rest, new Set([...taken, item])));
    };
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.nat({ max: 4 }), { maxLength: 4 }), { maxLength: 5 }),
        (slots) => {
          const assigned = assignAll(slots);
          expect(assigned !== undefined).toBe(tryAll(slots));
          for (const [item, slot] of assigned ?? []) expect(slots[slot]).toContain(item);
          expect(assigned?.size ?? slots.length).toBe(slots.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});
