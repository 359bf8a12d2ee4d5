/** A set of characters of ASCII. */
export type Alphabet = ReadonlySet<string>;

/** The characters of ranges and single characters as in a class of a regular expression: `A-Za-z0-9_-`. */
export function alphabet(ranges: string): Alphabet {
  const characters = new Set<string>();
  for (let at = 0; at < ranges.length; at += 1) {
    const isRange = ranges[at + 1] === '-' && at + 2 < ranges.length;
    const last = ranges.charCodeAt(isRange ? at + 2 : at);
    for (let code = ranges.charCodeAt(at); code <= last; code += 1) characters.add(String.fromCharCode(code));
    if (isRange) at += 2;
  }
  return characters;
}

/** How many characters from `from` on belong to the alphabet, at most `max`. */
export function countOf(text: string, from: number, of: Alphabet, max = Number.POSITIVE_INFINITY): number {
  const limit = Math.min(text.length, from + max);
  let at = from;
  while (at < limit && of.has(text.charAt(at))) at += 1;
  return at - from;
}
