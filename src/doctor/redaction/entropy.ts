/**
 * Whether a run of characters looks drawn by a machine rather than written by a person: a long hexadecimal
 * number, or letters of both cases and digits that alternate far more often than in a name. UUIDs, digests
 * with their algorithm, names of Kubernetes objects, paths and identifiers of programs do not.
 */
export function isRandomLike(value: string): boolean {
  const core = value.replace(/={1,2}$/u, '');
  if (core.length < 16 || isUuid(core)) return false;
  if (/^[0-9a-f]+$/u.test(core) || /^[0-9A-F]+$/u.test(core))
    return core.length >= 32 && /\d/u.test(core) && /[a-f]/iu.test(core);
  if (!/[a-z]/u.test(core) || !/[A-Z]/u.test(core) || !/\d/u.test(core)) return false;
  if (core.split(/[./_-]/u).every((segment) => programWord.test(segment))) return false;
  // One separator is in names too: `io.netty.handler.codec.Http2FrameCodec`. Dots in a row lead from a name
  // to its value.
  const joined = core.replace(/(?<![./_-])[./_-](?![./_-])/gu, '');
  return changesOfClass(joined) >= 0.3 * (joined.length - 1);
}

/**
 * Whether the rest of a token, behind its prefix, is not made of words: a weaker demand than `isRandomLike`.
 */
export function isMachineMade(rest: string): boolean {
  const core = rest.replace(/[./_:+=-]/gu, '');
  if (!/\d/u.test(core) || rest.split(/[./_:-]/u).every((segment) => programWord.test(segment))) return false;
  return changesOfClass(core) >= 0.15 * (core.length - 1);
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(text);
}

/** `kubernetes`, `HttpClient`, `v1beta1`, `2026`, or nothing between two separators. */
const programWord = /^(?:[A-Za-z]{0,40}\d{0,4}|v\d{1,2}(?:alpha|beta)\d{1,2})$/u;

function changesOfClass(value: string): number {
  let changes = 0;
  for (let i = 1; i < value.length; i += 1) {
    if (classOf(value.charCodeAt(i)) !== classOf(value.charCodeAt(i - 1))) changes += 1;
  }
  return changes;
}

function classOf(code: number): 'digit' | 'lower' | 'upper' | 'other' {
  if (code >= 48 && code <= 57) return 'digit';
  if (code >= 97 && code <= 122) return 'lower';
  if (code >= 65 && code <= 90) return 'upper';
  return 'other';
}

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
