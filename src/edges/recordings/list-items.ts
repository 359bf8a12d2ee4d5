import { isObject } from '../../engine/objects/wire.js';
import { holdsPart } from './described/split-text.js';

/** Why a list could not be read to its end. */
export type ListFault = 'cut-off' | 'not-json' | 'too-deep' | 'too-large';

export class ListError extends Error {
  readonly fault: ListFault;
  /** Items read before; the fault is in the one after, or behind the last. */
  readonly items: number;

  constructor(fault: ListFault, items: number) {
    super(fault);
    this.fault = fault;
    this.items = items;
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d] as const;

/** The array that holds the items: `{ "items": [ … ] }`. */
const itemsDepth = 2;
/** Levels of objects and arrays in a file. The API server's own objects have about 20. */
const maxDepth = 100;
/** Bytes of one item. etcd takes about 1.5 MiB. */
const maxItemBytes = 32 * 1024 * 1024;
/** Bytes of a key that are compared with `items`. */
const maxKeyBytes = 16;

/**
 * Finds the items of a Kubernetes List in its JSON text, as bytes that come in pieces, and parses each by
 * itself: no more than one item is held, and an item keeps no part of the text alive. Parsing the whole text
 * token by token in JavaScript takes many times as long.
 *
 * @throws ListError when the text ends early or an item is no JSON
 */
export async function* listItems(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<unknown> {
  const scan: Scan = { depth: 0, inString: false, escaped: false };
  let inItems = false;
  let awaitsValue = false;
  let seen = 0;
  /** Bytes of the key or string at depth 1 that is being read or was read last. */
  let key = '';
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  let isItem = false;

  for await (const chunk of chunks) {
    let from = 0;
    let stringFrom = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (isItem) {
        at = endOfItem(chunk, at, scan, seen);
        if (at === chunk.length) break;
        parts.push(chunk.subarray(from, at + 1));
        yield parsed(parts, seen);
        parts = [];
        partBytes = 0;
        isItem = false;
        seen += 1;
        continue;
      }
      const byte = chunk[at];
      if (scan.inString) {
        if (scan.escaped) scan.escaped = false;
        else if (byte === backslash) scan.escaped = true;
        else if (byte === quote) {
          scan.inString = false;
          if (scan.depth === 1) key += keyBytes(chunk, stringFrom, at);
        }
        continue;
      }
      switch (byte) {
        case quote:
          scan.inString = true;
          stringFrom = at + 1;
          if (scan.depth === 1) key = '';
          break;
        case colon:
          if (scan.depth === 1) awaitsValue = true;
          break;
        case comma:
          if (scan.depth === 1) awaitsValue = false;
          break;
        case openBrace:
        case openBracket:
          if (scan.depth === 1 && byte === openBracket && awaitsValue && key === 'items') inItems = true;
          else if (inItems && scan.depth === itemsDepth) {
            isItem = true;
            from = at;
          }
          deeper(scan, seen);
          break;
        case closeBrace:
        case closeBracket:
          scan.depth -= 1;
          if (scan.depth < 0) throw new ListError('not-json', seen);
          if (inItems && scan.depth === 1) inItems = false;
          break;
      }
    }
    if (isItem) {
      parts.push(chunk.subarray(from));
      partBytes += chunk.length - from;
      if (partBytes > maxItemBytes) throw new ListError('too-large', seen);
    }
    if (scan.inString && scan.depth === 1)
      key = (key + keyBytes(chunk, stringFrom, chunk.length)).slice(0, maxKeyBytes);
  }
  if (scan.depth !== 0 || scan.inString) throw new ListError('cut-off', seen);
}

/** Where the reader stands in the text. */
type Scan = { depth: number; inString: boolean; escaped: boolean };

/**
 * The place of the bracket that ends the item, or the end of the piece. Nearly all bytes of a list are looked
 * at here and nowhere else.
 */
function endOfItem(chunk: Uint8Array, start: number, scan: Scan, seen: number): number {
  const { length } = chunk;
  let at = start;
  while (at < length) {
    if (scan.inString) {
      at = endOfString(chunk, at, scan);
      continue;
    }
    const mark = marks[chunk[at] ?? 0];
    if (mark === opens) deeper(scan, seen);
    else if (mark === closes) {
      scan.depth -= 1;
      if (scan.depth === itemsDepth) return at;
    } else if (mark === quotes) scan.inString = true;
    at += 1;
  }
  return length;
}

/** The place behind the quotation mark that ends the string, or the end of the piece. */
function endOfString(chunk: Uint8Array, start: number, scan: Scan): number {
  const { length } = chunk;
  let at = start;
  if (scan.escaped) {
    scan.escaped = false;
    at += 1;
  }
  for (; at < length; at += 1) {
    const byte = chunk[at];
    if (byte === quote) {
      scan.inString = false;
      return at + 1;
    }
    if (byte !== backslash) continue;
    at += 1;
    if (at === length) scan.escaped = true;
  }
  return length;
}

function deeper(scan: Scan, seen: number): void {
  scan.depth += 1;
  if (scan.depth > maxDepth) throw new ListError('too-deep', seen);
}

/** What a byte outside strings means for where an item ends: one table in place of five comparisons. */
const [quotes, opens, closes] = [1, 2, 3] as const;
const marks = new Uint8Array(256);
marks[quote] = quotes;
marks[openBrace] = opens;
marks[openBracket] = opens;
marks[closeBrace] = closes;
marks[closeBracket] = closes;

function keyBytes(chunk: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...chunk.subarray(from, Math.min(to, from + maxKeyBytes)));
}

/** True for JSON text whose objects and arrays go deeper than any walk over the parsed value should. */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return false;
}

const utf8 = new TextDecoder();

function parsed(parts: readonly Uint8Array[], seen: number): unknown {
  try {
    return JSON.parse(utf8.decode(parts.length === 1 ? parts[0] : joined(parts)));
  } catch {
    throw new ListError('not-json', seen);
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * A chat or a mail cuts a long List into several texts. A text that begins within the List has the rest
 * of one object, then whole ones, and perhaps the last keys of the List. Nothing in it shows where the List
 * began, so it gets a line that does, and an item that marks it.
 */

/** An object in a List at the left margin, as kubectl prints it. */
const firstItem = /^- (?=apiVersion:|kind:)/mu;
/** What stands behind the items of a List: kubectl sorts keys. */
const endOfList = /^kind: \w{0,100}List\s*$/mu;
const mark = 'beginsEarlier';
/** The first lines of an object in a JSON List of kubectl. References to owners have a wider indent. */
const jsonItem = /^( {0,40})\{\n {1,44}"(?:apiVersion|kind)":/gmu;
/** Values that a comma separates are of one array, whose start may be missing. */
const nextOfArray = /^( {0,40})\},\n\1\{\n/gmu;
const startOfArray = /^( {0,40})(?:"items": )?\[$/gmu;

/** The text, with a start of the List where it begins within one. Its objects stay on their lines. */
export function withListStart(text: string): string {
  const from = text.search(firstItem);
  if (from < 0) return text;
  const before = text.slice(0, from).split('\n');
  const restOfObject = before.filter((line) => line.trim() !== '');
  if (holdsPart(before)) return text;
  // Without either, it is a bare array, which may stand behind a command line.
  const isWithin = /^\s{2,200}\S/u.test(restOfObject.at(-1) ?? '') || endOfList.test(text.slice(from));
  if (!isWithin) return text;
  const emptyLines = '\n'.repeat(Math.max(0, before.length - 3));
  return `${emptyLines}items:\n- ${mark}: true\n${text.slice(from)}`;
}

/** The same for a List of JSON, before indents are taken away. */
export function withJsonStart(text: string): string {
  const indent = Math.min(...indentsOf(jsonItem, text));
  const from = firstAt(indent, text);
  if (from === undefined || !indentsOf(nextOfArray, text).has(indent)) return text;
  // An array within the rest of an object has a wider indent.
  if ([...indentsOf(startOfArray, text.slice(0, from))].some((each) => each <= indent)) return text;
  const before = text.slice(0, from).split('\n');
  if (holdsPart(before)) return text;
  return `${'\n'.repeat(Math.max(0, before.length - 2))}{"kind":"List","items":[{"${mark}":true},\n${text.slice(from)}`;
}

/** The indents that a pattern captures, each once. A long text has more matches than memory should hold. */
function indentsOf(pattern: RegExp, text: string): ReadonlySet<number> {
  const indents = new Set<number>();
  for (const [, indent = ''] of text.matchAll(pattern)) indents.add(indent.length);
  return indents;
}

/** Where the first object with this indent begins. */
function firstAt(indent: number, text: string): number | undefined {
  for (const { 1: each, index } of text.matchAll(jsonItem)) if (each?.length === indent) return index;
  return undefined;
}

/** Whether it is the item that marks a List without its start. */
export function isMark(item: unknown): boolean {
  return isObject(item) && mark in item;
}

/** Whether a List got its start here: its first item is the mark. */
export function isLaterPart({ items }: { readonly items: readonly unknown[] }): boolean {
  return isMark(items[0]);
}

/** A List of the API, or the part of one that a text has. */
export interface List {
  readonly kind?: string;
  readonly items: readonly unknown[];
  readonly metadata?: unknown;
}

/**
 * Why a list has further objects than it holds. Programs write the fields of a List in the order of their
 * names, so a text that ends early lacks the kind. A server gives a large list in pages.
 */
export function whyIncomplete(
  list: List,
): 'list-cut-off' | 'list-without-start' | 'list-continued' | undefined {
  const isLater = isLaterPart(list);
  if ((isLater || 'apiVersion' in list) && list.kind === undefined) return 'list-cut-off';
  if (isLater) return 'list-without-start';
  const next = isObject(list.metadata) ? list.metadata.continue : undefined;
  return typeof next === 'string' && next !== '' ? 'list-continued' : undefined;
}
