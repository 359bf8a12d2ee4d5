import type { Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isCollection, isMap, isNode, isScalar, stringify } from 'yaml';

/** Replaces the text from `start` to `end`. */
export type Splice = { readonly start: number; readonly end: number; readonly text: string };

type Value = number | string | boolean | null;
/** A value that may hold others. */
type Tree = Value | readonly Tree[] | { readonly [name: string]: Tree };

/** After which key a new one is written; others come first. */
const predecessors: Readonly<Record<string, string>> = {
  strategy: 'replicas',
  updateStrategy: 'replicas',
  paused: 'replicas',
  rollingUpdate: 'type',
  maxUnavailable: 'maxSurge',
  values: 'operator',
  affinity: 'nodeSelector',
};

/**
 * The written value with its quotes, and nothing around it; `undefined` for a value of several lines or
 * without text.
 */
export function replaceScalar(text: string, scalar: Scalar, value: Value): Splice | undefined {
  const { range, type } = scalar;
  if (range == null || range[0] === range[1]) return undefined;
  const [start, end] = range;
  if (text.slice(start, end).includes('\n')) return undefined;
  return { start, end, text: written(value, type) };
}

/** A string keeps the quotes of the former string; a count is never quoted. */
function written(value: Value, type: Scalar['type']): string {
  if (typeof value !== 'string') return String(value);
  if (type === 'QUOTE_DOUBLE') return `"${value}"`;
  return type === 'QUOTE_SINGLE' ? `'${value}'` : value;
}

/**
 * A new key, with the maps above it that are missing too; `undefined` where the map's form does not allow it.
 */
export function insertEntry(
  text: string,
  {
    map,
    above,
    keys,
    value,
  }: { map: YAMLMap; above: Pair | undefined; keys: readonly string[]; value: Tree },
): Splice | undefined {
  const [name] = keys;
  if (name === undefined || map.range == null) return undefined;
  if (map.flow === true) return insertIntoFlow(map, keys, value);
  const first = map.items[0];
  const column = first === undefined ? undefined : indentOf(text, first);
  if (column === undefined) return undefined;
  const after = map.items.find(({ key }) => isScalar(key) && key.value === predecessors[name]);
  const isLast = above === undefined || (name === 'values' && keys.length > 1);
  const beginning = isLast ? endOfMap(text, map) : startOfMap(text, map, above);
  const place = after === undefined ? beginning : lineEndAfter(text, endOf(after));
  if (place === undefined) return undefined;
  const step = stepOf(text, { map, above, column });
  const nested = keys.reduceRight<Tree>((content, key) => ({ [key]: content }), value);
  return insertLines(text, place, linesOf(nested, step), column);
}

/** The lines of a value in block style. */
function linesOf(value: Tree, step: number): readonly string[] {
  return stringify(value, { indent: Math.max(1, step), lineWidth: 0 })
    .trimEnd()
    .split('\n');
}

function insertLines(text: string, place: number, lines: readonly string[], column: number): Splice {
  const newline = newlineOf(text, place);
  const isUnended = place > 0 && text[place - 1] !== '\n';
  const padded = lines.map((line) => `${' '.repeat(column)}${line}`);
  return {
    start: place,
    end: place,
    text: padded.map((line) => (isUnended ? `${newline}${line}` : `${line}${newline}`)).join(''),
  };
}

/** A new last item of a list; `undefined` where the list's form does not allow it. */
export function appendItem(text: string, list: YAMLSeq, value: Tree): Splice | undefined {
  if (list.range == null) return undefined;
  const last = list.items.at(-1);
  if (list.flow === true) {
    const start = isNode(last) ? endOf({ key: last, value: last } as Pair) : list.range[0] + 1;
    const written = flowText(value);
    return start === undefined
      ? undefined
      : { start, end: start, text: last === undefined ? written : `, ${written}` };
  }
  if (!isNode(last) || last.range == null) return undefined;
  const lineStart = lineStartOf(text, last.range[0]);
  const before = text.slice(lineStart, last.range[0]);
  const pad = /^( *)- +$/u.exec(before)?.[1];
  const place = lineEndAfter(text, endOf({ key: last, value: last } as Pair));
  if (pad === undefined || place === undefined) return undefined;
  const [first = '', ...rest] = linesOf(value, 2);
  return insertLines(text, place, [`- ${first}`, ...rest.map((line) => `  ${line}`)], pad.length);
}

/** A value in one line; a text as YAML needs it. */
function flowText(value: Tree): string {
  if (typeof value === 'string') return linesOf(value, 2).join(' ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

function insertIntoFlow(map: YAMLMap, keys: readonly string[], value: Tree): Splice | undefined {
  if (map.range == null) return undefined;
  const [outermost, ...inner] = keys;
  const nested = inner.reduceRight((content, key) => `{${key}: ${content}}`, flowText(value));
  const last = map.items.at(-1);
  const start = last === undefined ? map.range[0] + 1 : endOf(last);
  if (start === undefined) return undefined;
  return { start, end: start, text: `${last === undefined ? '' : ', '}${outermost}: ${nested}` };
}

/** The lines of a key, without comments that follow; `undefined` where it does not have lines of its own. */
export function removeEntry(text: string, map: YAMLMap, entry: Pair): Splice | undefined {
  if (map.flow === true || map.items.length < 2) return undefined;
  const lines = linesOfEntry(text, entry);
  return lines && { start: lines.start, end: lines.end, text: '' };
}

/** Where the lines of a key are, and its column; `undefined` where it does not have lines of its own. */
export function linesOfEntry(
  text: string,
  entry: Pair,
): { readonly start: number; readonly end: number; readonly column: number } | undefined {
  const place = placeOf(text, entry);
  const end = lineEndAfter(text, endOf(entry));
  return place === undefined || end === undefined ? undefined : { ...place, end };
}

/** The start of the line and the column of a key that is the first in its line. */
function placeOf(
  text: string,
  { key }: Pair,
): { readonly start: number; readonly column: number } | undefined {
  if (!isNode(key) || key.range == null) return undefined;
  const start = lineStartOf(text, key.range[0]);
  const before = text.slice(start, key.range[0]);
  return /^\uFEFF? *$/u.test(before) ? { start, column: before.replace('\uFEFF', '').length } : undefined;
}

function indentOf(text: string, entry: Pair): number | undefined {
  return placeOf(text, entry)?.column;
}

/** Below the line of the key above, so that comments before the first key stay with it. */
function startOfMap(text: string, map: YAMLMap, above: Pair | undefined): number | undefined {
  if (above === undefined || !isNode(above.key) || above.key.range == null || map.range == null)
    return undefined;
  const below = lineEndAfter(text, above.key.range[1]);
  return below !== undefined && below <= map.range[0] ? below : undefined;
}

/** Below the last key of a document, and the comments that are indented as a part of it. */
function endOfMap(text: string, map: YAMLMap): number | undefined {
  const last = map.items.at(-1);
  const end = last && lineEndAfter(text, endOf(last));
  if (end === undefined) return undefined;
  let place = end;
  for (let at = end; at < text.length; ) {
    const next = lineEndAfter(text, at + 1) ?? text.length;
    const line = text.slice(at, next);
    const isIndented = /^[ \t]+#/u.test(line);
    if (!isIndented && line.trim() !== '') return place;
    if (isIndented) place = next;
    at = next;
  }
  return place;
}

/** Indentation of one level, as this document writes it. */
function stepOf(
  text: string,
  { map, above, column }: { map: YAMLMap; above: Pair | undefined; column: number },
): number {
  const outer = above === undefined ? undefined : indentOf(text, above);
  if (outer !== undefined && outer < column) return column - outer;
  for (const { value } of map.items) {
    const inner = isMap(value) && value.flow !== true ? value.items[0] : undefined;
    const indent = inner === undefined ? undefined : indentOf(text, inner);
    if (indent !== undefined && indent > column) return indent - column;
  }
  return 2;
}

/** Where what is written of an entry ends, without comments and empty lines after it. */
function endOf({ key, value }: Pair): number | undefined {
  if (isCollection(value) && value.flow !== true && value.items.length > 0) {
    const last = value.items.at(-1);
    if (isNode(last)) return endOf({ key: last, value: last } as Pair);
    return last === undefined ? undefined : endOf(last as Pair);
  }
  const node = isNode(value) ? value : isNode(key) ? key : undefined;
  return node?.range?.[1];
}

/** The start of the line after an offset; the end of the text where no line follows. */
function lineEndAfter(text: string, offset: number | undefined): number | undefined {
  if (offset === undefined) return undefined;
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline + 1;
}

function lineStartOf(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The line end that stands before a place. */
export function newlineOf(text: string, place: number): string {
  const before = text.lastIndexOf('\n', place - 1);
  const known = before === -1 ? text.indexOf('\n') : before;
  return known > 0 && text[known - 1] === '\r' ? '\r\n' : '\n';
}
