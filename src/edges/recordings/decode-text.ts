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
  const format = formatOf(bytes);
  if (format !== undefined) {
    throw new RecordingError(shown, undefined, { key: 'other-format', values: { format } });
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

/** Formats of pictures and documents, by what their files begin with. */
const formats: readonly (readonly [format: string, beginning: RegExp])[] = [
  ['PNG', /^\x89PNG/u],
  ['JPEG', /^\xff\xd8\xff/u],
  ['GIF', /^GIF8/u],
  ['WebP', /^RIFF[\s\S]{4}WEBP/u],
  ['PDF', /^%PDF-/u],
  ['RTF', /^\{\\rtf/u],
];

function formatOf(bytes: Uint8Array): string | undefined {
  const beginning = String.fromCharCode(...bytes.subarray(0, 16));
  return formats.find(([, pattern]) => pattern.test(beginning))?.[0];
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
  if (holdsPart(lines)) return unwrapped(lines).join('\n');
  const told = oldestFirst(lines);
  return (withoutFences(told) ?? withoutMarks(told)).join('\n');
}

/** Characters that draw nothing, and spaces of other widths, come from pages and mails that were copied. */
function visibleLines(text: string): readonly string[] {
  const visible = withoutEscapes(ofPageSource(text))
    .replace(/\^\[\[[\d;?]{0,20}[A-Za-z]/gu, '')
    .replace(/[\u200b\u2060\ufeff\f]/gu, '')
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/gu, ' ');
  const lines = withPlainMarks(visible).split(/\r{0,3}\n|[\r\v\u2028\u2029]/u);
  return closeTogether(lines.filter((line) => !pageEnd.test(line)));
}

/** What a pager, or a printer, puts between two pages. */
const pageEnd = /^(?:--More--(?:\(\d{1,3}%\))?|Page \d{1,6} of \d{1,6})\s*$/u;

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  amp: '&',
  nbsp: ' ',
  apos: "'",
  '#34': '"',
  '#39': "'",
};

/** The source of a page was copied, where its characters are written as entities and in no other way. */
function ofPageSource(text: string): string {
  const isSource = /&(?:quot|#34);/u.test(text) ? !text.includes('"') : /&(?:lt|nbsp);/u.test(text);
  const hasTags = /<(?!\/?(?:br|pre|code|p|div|span|html|body)\b)/u.test(text);
  if (!isSource || hasTags) return text;
  return text
    .replace(/<\/?(?:br|pre|code|p|div|span|html|body)\b[^<>\n]{0,200}>/gu, '')
    .replace(/&(lt|gt|quot|amp|nbsp|apos|#34|#39);/gu, (_, name: string) => entities[name] ?? '');
}

/**
 * Editors and chats set quotation marks, dashes and bullets as books have them. Where there are more of these
 * marks than plain ones, none of them is part of a value.
 */
function withPlainMarks(text: string): string {
  if (!/[\u2013\u2014\u2018-\u201f\u2022\u00ab\u00bb]/u.test(text)) return text;
  const isMore = (set: RegExp, plain: RegExp): boolean =>
    (text.match(set)?.length ?? 0) > (text.match(plain)?.length ?? 0);
  let plain = text;
  if (isMore(/[\u201c-\u201f\u00ab\u00bb]/gu, /"/gu)) {
    plain = plain.replace(/\u00ab ?| ?\u00bb|[\u201c-\u201f]/gu, '"');
  }
  if (isMore(/[\u2018-\u201b]/gu, /'/gu)) plain = plain.replace(/[\u2018-\u201b]/gu, "'");
  const hasItems = /^[ \t]*- /mu.test(text);
  return (hasItems ? plain : plain.replace(/^([ \t]*)[\u2013\u2014\u2022] /gmu, '$1- ')).replace(
    /^(?:\u2014-?|\u2013-|-\u2013)$/gmu,
    '---',
  );
}

/** An empty line after each line is none of the text. */
function closeTogether(lines: readonly string[]): readonly string[] {
  const isSpaced = lines.length > 4 && lines.every((line, at) => at % 2 === 0 || line.trim() === '');
  return isSpaced ? lines.filter((_, at) => at % 2 === 0) : lines;
}

/** Columns of a terminal or a mail in which lines are broken. */
const [fewestColumns, mostColumns] = [60, 400] as const;
/** What begins a line of its own at the left margin, in any form but a table, and the row of an event. */
const ownLine = /^(?:[A-Za-z][A-Za-z -]*:(?:\s|$)|(?:Normal|Warning)\s|- |---|```|[{}[\]"=#<|]|$|\s)/u;
/** Where no other line is indented by one space, it stood between two words. */
const afterWord = /^ \S/u;

/**
 * A terminal breaks its lines at its last column, also within a word. Several lines that are full, and none
 * that is longer, show it: what follows such a line, and begins no line of its own, is the rest of it. Rows
 * of tables may be equally long, and stay as they are.
 */
function unwrapped(lines: readonly string[]): readonly string[] {
  let columns = 0;
  for (const { length } of lines) columns = Math.max(columns, length);
  if (columns < fewestColumns || columns > mostColumns) return lines;
  const full = lines.filter(({ length }) => length === columns).length;
  if (full < 2 || lines.some((line) => /^(?:NAME(?:SPACE)?|LAST SEEN|EVENT)\b/u.test(line))) return lines;
  const isOneLine = full >= lines.filter((line) => line !== '').length - 1;
  // Quoted-printable, the form of mails, marks each break with `=` (RFC 2045, 6.7).
  const isMail = lines.every((line) => line.length < columns || line.endsWith('='));
  const isFull = (line: string | undefined): boolean => line?.length === columns;
  const hasIndents = lines.some((line, at) => afterWord.test(line) && !isFull(lines[at - 1]));
  const joined: string[] = [];
  let isRest = false;
  let json: JsonState = { depth: 0, inString: false };
  for (const line of lines) {
    const isOwn = ownLine.test(line) && (hasIndents || !afterWord.test(line));
    const goesOn = json.inString || (isOneLine && json.depth > 0) || !isOwn;
    if (isRest && (isMail || goesOn)) {
      const start = joined.pop() ?? '';
      joined.push(`${isMail ? start.slice(0, -1) : start}${line}`);
      json = jsonStateBehind(line, json);
    } else {
      joined.push(line);
      json = jsonStateBehind(/^\s*["{[]/u.test(line) ? line : '', { depth: 0, inString: false });
    }
    isRest = isFull(line);
  }
  if (!isMail) return joined;
  return joined.map((line) =>
    line.replace(/=([2-7][\dA-F])/gu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  );
}

type JsonState = { readonly depth: number; readonly inString: boolean };

/** What is still open of JSON behind the line. */
function jsonStateBehind(line: string, before: JsonState): JsonState {
  let { depth, inString } = before;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '"') inString = !inString;
    else if (inString) at += character === '\\' ? 1 : 0;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return { depth, inString };
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

/** What stands before a block that a page shows as it is. */
const beforeBlock = /^(?:(?:```|~~~)\S{0,20}|\{(?:noformat|code)\b[^{}]{0,40}\})?$/u;

/**
 * The lines without the mark before the first part. It stands before the next line as well, with other
 * numbers. A mere indent counts where all lines have it, or where a block begins: fields of any text are
 * indented.
 */
function withoutMarks(lines: readonly string[]): readonly string[] {
  const areIndented = lines.every((line) => line.trim() === '' || /^\s/u.test(line));
  for (const [at, line] of lines.slice(0, maxLines).entries()) {
    for (const { index } of [...line.slice(0, maxLine).matchAll(beginning)].slice(0, maxPlaces)) {
      const mark = line.slice(0, index);
      const next = behind(lines[at + 1] ?? '', mark);
      const isIndent = mark.trim() === '';
      const isBlock = areIndented || (isIndent && beforeBlock.test((lines[at - 1] ?? '').trim()));
      if (next === undefined || (isIndent ? !isBlock : notThere.test(mark))) continue;
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
