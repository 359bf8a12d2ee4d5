import type { Detector, Span } from './span.js';

/**
 * A text with one level of escapes resolved, and for every character where it stood (`ends`: up to where).
 */
interface Unescaped {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A text that was percent-encoded twice, or JSON in JSON in JSON, is still read. */
const maxLevels = 3;

/**
 * What the detectors find in the text once escapes are resolved, level by level: `%3D` of URLs (UTF-8),
 * `\u003d`, `\x3d`, `\n` and `\"` of JSON and programs, `&quot;` and `&#61;` of HTML.
 */
export function escaped(text: string, detectors: readonly Detector[]): readonly Span[] {
  const spans: Span[] = [];
  let level: Unescaped | undefined;
  for (let i = 0; i < maxLevels; i += 1) {
    level = resolve(level?.text ?? text, level);
    if (level === undefined) break;
    const { text: read, starts, ends } = level;
    for (const { start, end, kind } of detectors.flatMap((detector) => detector(read))) {
      spans.push({ start: starts[start] ?? 0, end: ends[end - 1] ?? text.length, kind });
    }
  }
  return spans;
}

/** One sequence of UTF-8 in percent signs, an escape of JSON or a program, or an entity of HTML. */
const sequence =
  /%(?:[2-7][0-9a-f]|0[9ad]|[cd][0-9a-f]%[89ab][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f]){2}|f[0-4](?:%[89ab][0-9a-f]){3})|\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[nrt"'/\\])|&(?:quot|apos|amp|lt|gt|#\d{2,5}|#x[0-9a-f]{2,4});/giu;

function resolve(text: string, before: Unescaped | undefined): Unescaped | undefined {
  const pieces: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  const note = (piece: string, start: number, end: number, each: boolean): void => {
    pieces.push(piece);
    for (let i = 0; i < piece.length; i += 1) {
      const first = each ? start + i : start;
      const last = each ? first : end - 1;
      starts.push(before?.starts[first] ?? first);
      ends.push(before?.ends[last] ?? last + 1);
    }
  };
  for (const { 0: found, index } of text.matchAll(sequence)) {
    note(text.slice(at, index), at, index, true);
    at = index + found.length;
    note(meaningOf(found), index, at, false);
  }
  if (at === 0) return undefined;
  note(text.slice(at), at, text.length, true);
  return { text: pieces.join(''), starts, ends };
}

function meaningOf(found: string): string {
  if (found.startsWith('%')) return decodedPercent(found);
  if (found.startsWith('\\')) {
    const code = /^\\[ux](.+)$/iu.exec(found)?.[1];
    return code === undefined ? (controls.get(found.charAt(1)) ?? found.slice(1)) : character(code, 16);
  }
  const code = /^&#(x?)(\w+);$/iu.exec(found);
  if (code === null) return entities.get(found.slice(1, -1).toLowerCase()) ?? found;
  return character(code[2] ?? '', code[1] === '' ? 10 : 16);
}

/** Surrogates and overlong forms are no characters. */
function decodedPercent(found: string): string {
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}

function character(digits: string, radix: number): string {
  return String.fromCharCode(Number.parseInt(digits, radix));
}

const controls: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\n'],
  ['t', '\t'],
]);
const entities: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['apos', "'"],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
]);
