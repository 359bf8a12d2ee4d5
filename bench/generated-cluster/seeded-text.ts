import { seededRandom } from '../../test/support/seeded-random.js';

const hexDigits = '0123456789abcdef';
/** The alphabet of names that Kubernetes generates (`apimachinery/pkg/util/rand`). */
const nameDigits = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The same text for the same seed: as random as what clouds and kubelets write, so that it compresses as
 * theirs does.
 */
export interface SeededText {
  hex(digits: number): string;
  /** A suffix as in generated names. */
  suffix(digits: number): string;
  uuid(): string;
  below(limit: number): number;
  oneOf<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** @param topic keeps the texts of different objects with one number apart */
export function seededText(topic: number, number: number): SeededText {
  const random = seededRandom(Math.imul(topic + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca77));
  const text = (alphabet: string, digits: number): string =>
    Array.from({ length: digits }, () => alphabet[random(alphabet.length)]).join('');
  const hex = (digits: number): string => text(hexDigits, digits);
  return {
    hex,
    suffix: (digits) => text(nameDigits, digits),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    below: random,
    oneOf: ([first, ...rest]) => [first, ...rest][random(rest.length + 1)] ?? first,
  };
}
