import { listItems } from './contents.js';
import { isHarmlessValue, isObjectName, isPasswordLike, isProseWord } from './harmless-values.js';
import { secretKindOf } from './secret-names.js';
import type { SecretKind, Span } from './span.js';
import type { Value } from './values-in-text.js';

/**
 * Values in tables: beside their name (`| password | x |`, `password    x`), or in the column that is called
 * so, in tables with bars, tabs, commas, semicolons or columns apart by spaces, and in
 * `INSERT INTO t (…) VALUES (…)`.
 */
export function tables(text: string): readonly Span[] {
  const spans: Span[] = [];
  let header: Row | undefined;
  for (const row of rowsOf(text)) {
    if (row.isRule) continue;
    if (header !== undefined && belongs(row, header)) {
      spans.push(...columns(row, header));
      continue;
    }
    const kinds = row.cells.map((cell) => kindOfCell(cell.text));
    header = kinds.some((kind) => kind !== undefined) ? { ...row, kinds } : undefined;
  }
  return [...spans, ...inserts(text)];
}

type Delimiter = 'bar' | 'tab' | 'comma' | 'semicolon' | 'space';

type Cell = { readonly start: number; readonly text: string };

interface Row {
  readonly delimiter: Delimiter;
  readonly cells: readonly Cell[];
  /** Which cells are the names of secrets. */
  readonly kinds: readonly (SecretKind | undefined)[];
  readonly isRule: boolean;
}

const delimiters: readonly (readonly [Delimiter, RegExp])[] = [
  ['bar', /[|│┃║]/gu],
  ['tab', /\t/gu],
  ['space', / {2,}/gu],
  ['comma', /,/gu],
  ['semicolon', /;/gu],
];

const longestRow = 4_000;

function* rowsOf(text: string): Generator<Row> {
  let start = 0;
  for (const line of text.split('\n')) {
    const content = line.length > longestRow ? '' : line.trim();
    const [delimiter = 'space', pattern] = delimiters.find(([, each]) => content.search(each) >= 0) ?? [];
    yield {
      delimiter,
      isRule: /^[-+=|│├┼┤─═╪ ]{3,}$/u.test(content),
      cells:
        pattern === undefined
          ? [{ start: start + line.indexOf(content), text: content }]
          : cellsOf(line, start, pattern),
      kinds: [],
    };
    start += line.length + 1;
  }
}

function cellsOf(line: string, lineStart: number, delimiter: RegExp): readonly Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  const add = (end: number): void => {
    const whole = line.slice(at, end);
    const content = withoutQuotes(whole.trim());
    cells.push({ start: lineStart + at + whole.indexOf(content), text: content });
  };
  for (const found of line.matchAll(delimiter)) {
    add(found.index);
    at = found.index + found[0].length;
  }
  add(line.length);
  if (cells[0]?.text === '') cells.shift();
  if (cells.at(-1)?.text === '') cells.pop();
  return cells;
}

function withoutQuotes(cell: string): string {
  const quote = cell.charAt(0);
  return cell.length > 1 && '"\'`'.includes(quote) && cell.endsWith(quote) ? cell.slice(1, -1) : cell;
}

/** A cell is the name of a secret as a whole: up to four words. */
function kindOfCell(cell: string): SecretKind | undefined {
  return cell.length <= 60 &&
    /^[\p{L}_][\p{L}\p{M}\p{N}_.-]*(?: [\p{L}\p{N}]+){0,3}$/u.test(cell) &&
    /secret|pass|pw|token|key|cred|[^\p{ASCII}]|kennwort|contras|clave|mdp|psk/iu.test(cell)
    ? secretKindOf(cell)
    : undefined;
}

/** A header has names only, and at least two columns unless they are apart by spaces. */
function belongs(row: Row, header: Row): boolean {
  return (
    row.delimiter === header.delimiter &&
    row.cells.length === header.cells.length &&
    row.cells.length > 1 &&
    header.cells.every(({ text }) => text.length <= 61 && /^[\p{L}_][\p{L}\p{M}\p{N}_. ()/-]*$/u.test(text))
  );
}

function columns(row: Row, header: Row): Span[] {
  return row.cells.flatMap((cell, i) => {
    const kind = header.kinds[i];
    const isNumber = /^\d{1,3}$/u.test(cell.text);
    const isSecret =
      !isNumber && (row.delimiter === 'space' ? isOpaque(cell.text) : !isHarmlessValue(cell.text));
    return kind !== undefined && isSecret && !isProseWord(cell.text) && !isObjectName(cell.text)
      ? [{ start: cell.start, end: cell.start + cell.text.length, kind }]
      : [];
  });
}

function isOpaque(cell: string): boolean {
  return isPasswordLike(cell) || /^[a-z0-9]{6}\.[a-z0-9]{16}$/u.test(cell);
}

const insert = /(?<=\s)VALUES\s{0,8}\(/giu;
const maxColumns = 1_000;

/** The names between the last brackets before `VALUES`. */
function columnsBefore(text: string, at: number): readonly string[] {
  const before = text.slice(Math.max(0, at - maxColumns), at).trimEnd();
  const names = before.slice(before.lastIndexOf('(') + 1, -1);
  return before.endsWith(')') && !/[)\n]/u.test(names) ? names.split(',') : [];
}

function inserts(text: string): Span[] {
  const spans: Span[] = [];
  for (const found of text.matchAll(insert)) {
    const kinds = columnsBefore(text, found.index).map((column) =>
      secretKindOf(column.trim().replace(/["'`]/gu, '')),
    );
    if (kinds.every((kind) => kind === undefined)) continue;
    listItems(text, found.index + found[0].length).forEach((value: Value, i) => {
      const kind = kinds[i];
      if (kind !== undefined && value.quoted) spans.push({ start: value.start, end: value.end, kind });
    });
  }
  return spans;
}
