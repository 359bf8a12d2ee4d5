import { endAt } from './span.js';

/**
 * The text as a terminal would show it, colours aside: escape sequences, control characters other than tab
 * and newline, zero-width, direction and other characters that draw nothing are gone (they can hide a word,
 * turn it round, or split a secret so that nobody recognises it); CRLF, lone CR and the other line separators
 * of Unicode are newlines; half surrogate pairs are U+FFFD; more than eight combining marks on one letter are
 * cut to eight.
 */
export function visibleText(text: string): string {
  return withoutEscapes(text)
    .replace(lineBreak, '\n')
    .replace(invisible, '')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .replace(/(\p{M}{8})\p{M}+/gu, '$1');
}

/**
 * ECMA-48: CSI with parameters; OSC, DCS, SOS, PM and APC strings up to their terminator but never past the
 * line (an unfinished one must not swallow what follows); two-character escapes. In 7-bit and in C1 form.
 */
const escapes: readonly RegExp[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /^(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/u,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /^(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9c-\x9f\r\n]*(?:\x07|\x1b\\|\x9c)?/u,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /^\x1b[ -/]?[0-Z\\^-~]/u,
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const introducer = /[\x1b\x90\x98\x9b\x9d-\x9f]/gu;
const maxEscape = 1_000;

/** The text without the escape sequences of terminals. */
export function withoutEscapes(text: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { index } of text.matchAll(introducer)) {
    if (index < at) continue;
    const ends = escapes.map((pattern) => endAt(text, index, maxEscape, pattern));
    kept.push(text.slice(at, index));
    at = ends.find((end) => end > index) ?? index;
  }
  return kept.concat(text.slice(at)).join('');
}

const lineBreak = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;

/**
 * Unicode `Default_Ignorable_Code_Point` (zero-width, bidi, tags, variation selectors, fillers), controls,
 * annotations.
 */
const invisible = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;
