/** No vowels and nothing that looks like another character (apimachinery `util/rand`). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Names and uids from one seed: the same cluster twice has the same names. Not for secrets. */
export function createNames(seed: number): {
  readonly newUid: () => string;
  readonly newSuffix: () => string;
} {
  const random = mulberry32(seed);
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return {
    newUid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${'89ab'[Math.floor(random() * 4)]}${hex(3)}-${hex(12)}`,
    newSuffix: () =>
      Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)]).join(''),
  };
}

/** The same alphabet for hashes in names (`SafeEncodeString`). */
export function safeEncode(text: string): string {
  return [...text].map((character) => alphabet[character.charCodeAt(0) % alphabet.length]).join('');
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
