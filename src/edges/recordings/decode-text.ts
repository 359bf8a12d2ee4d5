import { plainFault } from '../../doctor/input/input-error.js';
import { withoutEscapes } from '../../doctor/redaction/visible-text.js';
import { holdsPart } from './described/split-text.js';
import { RecordingError } from './recording-error.js';

/**
 * Text in UTF-8 or, by its byte order mark, in UTF-16, as PowerShell writes it (`kubectl get … > file`).
 *
 * @throws RecordingError when it holds what text does not
 */
export function decodeText(bytes: Uint8Array, shown: string): string {
  const encoding = encodingOf(bytes);
  const unpack = commandToUnpack(bytes, shown);
  if (unpack !== undefined) {
    throw new RecordingError(shown, undefined, { key: 'packed', values: { command: unpack } });
  }
  if (encoding === 'utf-8' && bytes.includes(0)) {
    throw new RecordingError(shown, undefined, plainFault('nul-byte'));
  }
  return new TextDecoder(encoding).decode(bytes);
}

/** By the marks that these formats begin with (RFC 1952, PKZIP APPNOTE, POSIX ustar). */
function commandToUnpack(bytes: Uint8Array, shown: string): string | undefined {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b) {
    return /\.(?:tgz|tar\.gz)$/iu.test(shown) ? `tar -xzf ${shown}` : `gunzip -k ${shown}`;
  }
  if (first === 0x50 && second === 0x4b && bytes[2] === 3) return `unzip ${shown}`;
  const isTar = new TextDecoder('latin1').decode(bytes.subarray(257, 262)) === 'ustar';
  return isTar ? `tar -xf ${shown}` : undefined;
}

/** `TextDecoder` drops the mark itself. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/**
 * Text as the program printed it: without what terminals, logs, mails and editors add to its lines, such as
 * colours, times, numbers, quotation marks and frames. Where a part is recognised, lines stay as they are.
 */
export function asPrinted(text: string): string {
  const given = visibleLines(text);
  const lines = wrappedIn(given) ?? given;
  if (holdsPart(lines)) return lines.join('\n');
  const told = oldestFirst(lines);
  return (withoutFences(told) ?? withoutMarks(told)).join('\n');
}

/** Characters that draw nothing, and spaces of other widths, come from pages and mails that were copied. */
function visibleLines(text: string): readonly string[] {
  const isEscaped = /&(?:lt|quot);/u.test(text) && !/[<>]/u.test(text);
  return (isEscaped ? withoutEntities(withoutEscapes(text)) : withoutEscapes(text))
    .replace(/\^\[\[[\d;?]{0,20}[A-Za-z]/gu, '')
    .replace(/[\u200b\u2060\ufeff]/gu, '')
    .replace(/[\u00a0\u2007\u202f]/gu, ' ')
    .split(/\r{0,3}\n|\r/u);
}

/** The source of a page was copied. */
function withoutEntities(text: string): string {
  const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return text.replace(/&(lt|gt|quot|amp);/gu, (_, name: string) => characters[name] ?? '');
}

/** Programs that search logs may print the newest line first. */
function oldestFirst(lines: readonly string[]): readonly string[] {
  const filled = lines.filter((line) => line.trim() !== '');
  return timeIn(filled[0]) > timeIn(filled.at(-1)) ? [...lines].reverse() : lines;
}

function timeIn(line = ''): number {
  const ends = `${line.slice(0, maxLine)} ${line.slice(-maxLine)}`;
  const [time] = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?/u.exec(ends) ?? [];
  return time === undefined ? Number.NaN : Date.parse(`${time.replace(' ', 'T')}Z`);
}

/** Blocks of Markdown that are indented, as in a list. */
function withoutFences(lines: readonly string[]): readonly string[] | undefined {
  const indent = lines.map((line) => /^(\s{1,20})(?:```|~~~)/u.exec(line)?.[1]).find((each) => each);
  if (indent === undefined) return undefined;
  const kept = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  return holdsPart(kept) ? kept : undefined;
}

/** The lines of a log that has a JSON object a line: the field that holds what was printed. */
function wrappedIn(lines: readonly string[]): readonly string[] | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  if (!filled.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'))) return undefined;
  const entries = oldestFirst(filled).map(parsedLine);
  for (const key of Object.keys(entries[0] ?? {})) {
    const told = entries.map((entry) => entry[key]).filter((each) => typeof each === 'string');
    const printed = told.map((each) => each.replace(/\n$/u, ''));
    if (told.length === entries.length && holdsPart(printed)) return printed;
  }
  return undefined;
}

function parsedLine(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** Lines in which a mark is looked for, characters of a line in which it may end, and places of one line. */
const [maxLines, maxLine, maxPlaces] = [20_000, 300, 20] as const;
const beginning = /(?<![\w"])(?:Name:|NAME|EVENT|LAST|object:|====|[{[]|apiVersion:|kind:|items:)/gu;
/** Comments, and the lines of a change: what stands behind them is not there, or no more. */
const notThere = /^[\s#;+/*-]*$/u;

/**
 * The lines without the mark before the first part. It stands before the next line as well, with other
 * numbers. A mere indent counts where all lines have it: fields of any text are indented.
 */
function withoutMarks(lines: readonly string[]): readonly string[] {
  const areIndented = lines.every((line) => line.trim() === '' || /^\s/u.test(line));
  for (const [at, line] of lines.slice(0, maxLines).entries()) {
    for (const { index } of [...line.slice(0, maxLine).matchAll(beginning)].slice(0, maxPlaces)) {
      const mark = line.slice(0, index);
      const next = behind(lines[at + 1] ?? '', mark);
      const isIndent = mark.trim() === '';
      if (next === undefined || (isIndent ? !areIndented : notThere.test(mark))) continue;
      if (!holdsPart(withoutFrame([line.slice(index), next], mark))) continue;
      return withoutFrame(
        lines.map((each) => behind(each, mark) ?? each),
        mark,
      );
    }
  }
  return lines;
}

/** What stands behind such a mark; '' where nothing does, and `undefined` where the line has another one. */
function behind(line: string, mark: string): string | undefined {
  const gap = mark.slice(mark.trimEnd().length);
  let at = 0;
  for (const [part] of mark.trim().matchAll(/\d+(?:\.\d+)?|\s+|./gu)) {
    if (at === 0) at = line.length - line.trimStart().length;
    const length = /^\d/u.test(part)
      ? (/^\d+(?:\.\d+)?/u.exec(line.slice(at, at + maxLine))?.[0].length ?? 0)
      : part.trim() === ''
        ? (/^\s+/u.exec(line.slice(at, at + maxLine))?.[0].length ?? 0)
        : line.startsWith(part, at)
          ? part.length
          : 0;
    if (length === 0) return line.trim() === '' ? '' : undefined;
    at += length;
  }
  if (line.startsWith(gap, at)) return line.slice(at + gap.length);
  return line.slice(at).trim() === '' ? '' : undefined;
}

/** A frame ends each line with the character that it begins with. */
function withoutFrame(lines: readonly string[], mark: string): readonly string[] {
  const side = mark.trimEnd().at(-1);
  if (side === undefined || !'|\u2502\u2503\u2551'.includes(side)) return lines;
  const framed = lines.filter((line) => line.trimEnd().endsWith(side)).length;
  // A line of YAML may end so as well.
  if (framed * 2 <= lines.filter((line) => line.trim() !== '').length) return lines;
  return lines.map((line) => (line.trimEnd().endsWith(side) ? line.trimEnd().slice(0, -1).trimEnd() : line));
}
