import { seededRandom } from '../../support/seeded-random.js';

/** Random choices from one seed: the same seed gives the same choices. */
export interface Draw {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** Between `least` and `most` things, both included. */
  some<Item>(least: number, most: number, make: (index: number) => Item): Item[];
  /** The fields in `percent` of 100 cases, else none: to be spread into an object. */
  maybe<Fields extends object>(percent: number, make: () => Fields): Fields | Record<never, never>;
}

export function drawFrom(seed: number): Draw {
  const below = seededRandom(seed);
  const chance = (percent: number): boolean => below(100) < percent;
  return {
    below,
    chance,
    pick: (items) => items[below(items.length)] ?? items[0],
    some: (least, most, make) =>
      Array.from({ length: least + below(most - least + 1) }, (_, index) => make(index)),
    maybe: (percent, make) => (chance(percent) ? make() : {}),
  };
}
