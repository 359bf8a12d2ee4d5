/** Whole numbers from 0 up to, not including, `below`. */
export type RandomBelow = (below: number) => number;

/**
 * A reproducible sequence of random whole numbers from a 32-bit seed: a Weyl sequence whose terms are mixed
 * by MurmurHash3's finaliser. Good enough to shuffle labels, not for secrets.
 */
export function seededRandom(seed: number): RandomBelow {
  let state = Math.trunc(seed) | 0;
  return (below) => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x85ebca6b);
    mixed ^= mixed >>> 13;
    mixed = Math.imul(mixed, 0xc2b2ae35);
    mixed ^= mixed >>> 16;
    return Math.floor(((mixed >>> 0) / 0x1_0000_0000) * below);
  };
}
