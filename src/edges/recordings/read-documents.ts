import { type PlainFault, plainFault } from '../../doctor/input/fault-text.js';
import { type Place, placeOfYaml } from '../../doctor/input/input-error.js';
import { parseYaml, YamlError } from '../files/parse-yaml.js';
import { decodeText } from './decode-text.js';
import { splitText, type TextPart, withoutMargin } from './described/split-text.js';
import { RecordingError } from './recording-error.js';

/** A larger JSON file is read as a stream, so that memory follows what is kept and not the file. */
const streamAboveBytes = 48 * 1024 * 1024;
/** YAML is held whole while it is parsed, at up to eighty times its length. */
const maxYamlBytes = 16 * 1024 * 1024;
/** Text that may hold any form, and is held whole. */
const maxTextBytes = 128 * 1024 * 1024;
const maxJsonBytes = 2 * 1024 * 1024 * 1024;

/** Takes an object that is there, or that is `gone` by now: a watch then reported its end. */
type Take = (object: unknown, place: Place, isGone?: boolean) => void;

/** What may still be read of one recording, in bytes; reading takes from it. */
export interface Allowance {
  yaml: number;
  all: number;
}

/** What may be read of the files of one recording together. */
export function createAllowance(): Allowance {
  return { yaml: 256 * 1024 * 1024, all: 4 * 1024 * 1024 * 1024 };
}

/**
 * One file of a recording, on a disk or in a browser.
 *
 * Each function throws a RecordingError when the file cannot be read.
 */
export interface RecordedFile {
  /**
   * The name in errors. Of a file in a folder, it begins with that folder; its parts are separated by `/`.
   */
  readonly shown: string;
  /** A folder was named, and the file lies in it. */
  readonly isInFolder: boolean;
  /** In bytes. */
  size(): number;
  /** All bytes. Refuses a file that holds more than `maxBytes`. */
  bytes(maxBytes: number): Uint8Array | Promise<Uint8Array>;
  /** The first `maxBytes`, in pieces. */
  pieces(maxBytes: number): AsyncIterable<Uint8Array>;
  /** The last `maxBytes`, and whether there are more before them. */
  tail(maxBytes: number): FileTail | Promise<FileTail>;
}

export interface FileTail {
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
}

/**
 * Gives every object of a file to `take`: items of Lists one by one, several documents, nested Lists. Other
 * parts of a text go to `takeText`. A file of any name may hold any form; its name decides only what a broken
 * one was meant to be.
 *
 * @throws RecordingError with line and column where the text is broken
 */
export async function readDocuments(
  file: RecordedFile,
  allowance: Allowance,
  take: Take,
  takeText: (part: TextPart) => void = () => undefined,
): Promise<void> {
  const { shown, isInFolder } = file;
  const size = file.size();
  const json = /\.json$/i.test(shown);
  if (json && size > streamAboveBytes) {
    allowance.all -= size;
    requireSize(size <= maxJsonBytes && allowance.all >= 0, shown);
    await streamList(file.pieces(size), shown, take);
    return;
  }
  const bytes = await file.bytes(json ? streamAboveBytes : maxTextBytes);
  const text = withoutMargin(decodeText(bytes, shown));
  if (text === '') {
    // Programs that collect everything leave empty files behind. A file that was named is meant to hold
    // something.
    if (isInFolder && !/\.(?:json|ya?ml)$/i.test(shown)) return;
    throw new RecordingError(shown, undefined, plainFault('empty'));
  }
  allowance.all -= text.length;
  requireSize(allowance.all >= 0, shown);
  const whole = json ? parsedWhole(text) : undefined;
  if (whole !== undefined) return takeFlat(whole.value, undefined, take);
  const parts = splitText(text);
  if (isPlain(parts, json, text)) {
    if (!json && isInFolder && /\.txt$/i.test(shown)) return;
    for (const [number, document] of (json ? [parseJson(text, shown)] : yaml(text, 1)).entries()) {
      takeFlat(document, json ? undefined : { document: number + 1 }, take);
    }
    return;
  }
  for (const part of parts) {
    if (part.type === 'json') takeJson(part);
    else if (part.type === 'yaml')
      for (const document of yaml(part.text, part.line)) takeFlat(document, part, take);
    else takeText(part);
  }

  function yaml(content: string, line: number): readonly unknown[] {
    allowance.yaml -= content.length;
    if (content.length > maxYamlBytes || allowance.yaml < 0) {
      throw new RecordingError(shown, undefined, plainFault('too-much-yaml'));
    }
    return yamlDocuments(content, shown, line);
  }

  /** Programs write their logs as JSON too. */
  function takeJson({ text: content, line }: { readonly text: string; readonly line: number }): void {
    const parsed = parsedWhole(content);
    if (parsed !== undefined) takeFlat(parsed.value, { line }, takeKnown);
    else if (/"kind"\s*:/u.test(content)) parseJson(content, shown, line);
  }

  function takeKnown(object: unknown, place: Place, isGone?: boolean): void {
    if (typeof object === 'object' && object !== null && 'kind' in object) take(object, place, isGone);
  }
}

/** One document, or one stream of YAML documents: the whole text is parsed at once. */
function isPlain(parts: readonly TextPart[], json: boolean, text: string): boolean {
  const [first, ...others] = parts;
  if (first === undefined) return true;
  if (first.type === 'yaml' && !text.split('\n', first.line - 1).every(isOfYaml)) return false;
  if (json) return first.type === 'json' && others.length === 0;
  return (
    parts.every(({ type }) => type === 'yaml') && others.every(({ line }, at) => isApart(parts[at], line))
  );
}

/** What may stand before the first key that shows an object: other keys, comments, directives, dashes. */
function isOfYaml(line: string): boolean {
  return /^(?:[A-Za-z][A-Za-z]*:|[-#%\s]|$)/u.test(line);
}

/** A line of three dashes stands between two documents of one stream. */
function isApart(before: TextPart | undefined, line: number): boolean {
  return before?.type === 'yaml' && before.line + before.text.split('\n').length < line;
}

/** `undefined` where the text is no JSON, or more than that. */
function parsedWhole(text: string): { readonly value: unknown } | undefined {
  if (isNestedTooDeeply(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function requireSize(fits: boolean, shown: string): void {
  if (!fits) throw new RecordingError(shown, undefined, plainFault('recording-too-large'));
}

/** Gives each object of a document to `take`, the items of Lists one by one. */
export function takeFlat(document: unknown, place: Place, take: Take): void {
  if (Array.isArray(document)) {
    document.forEach((item, position) => {
      takeFlat(item, { item: position + 1 }, take);
    });
  } else if (
    typeof document === 'object' &&
    document !== null &&
    'items' in document &&
    Array.isArray(document.items)
  ) {
    const kind = 'kind' in document && typeof document.kind === 'string' ? document.kind : 'List';
    document.items.forEach((item, position) => {
      takeFlat(withKind(item, kind), { item: position + 1 }, take);
    });
  } else if (isWatchEvent(document)) {
    // A bookmark is no object, and an error is a Status.
    if (document.type === 'DELETED') take(document.object, place, true);
    else if (document.type !== 'BOOKMARK') take(document.object, place);
  } else if (document !== null && document !== undefined) take(document, place);
}

/** A line of `kubectl get --watch --output-watch-events` (cli-runtime 0.36 `printers/json.go`). */
function isWatchEvent(document: unknown): document is { readonly type: string; readonly object: unknown } {
  return (
    typeof document === 'object' &&
    document !== null &&
    !('kind' in document) &&
    'type' in document &&
    typeof document.type === 'string' &&
    'object' in document
  );
}

/** Items of a typed list (`PodList`) may come without their kind. */
function withKind(item: unknown, listKind: string): unknown {
  if (typeof item !== 'object' || item === null || 'kind' in item || listKind === 'List') return item;
  return { ...item, kind: listKind.replace(/List$/, '') };
}

function parseJson(text: string, shown: string, line = 1): unknown {
  if (isNestedTooDeeply(text)) throw new RecordingError(shown, undefined, plainFault('too-deep'));
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const offset = /position (\d+)/.exec(message)?.[1];
    const at = offset === undefined ? text.length : Number(offset);
    const end = /end of JSON|Unterminated/.test(message) || at >= text.trimEnd().length;
    const place = placeOf(text, at, line);
    throw new RecordingError(
      shown,
      place,
      plainFault(end || text.trim() === '' ? 'json-cut-off' : 'not-json'),
    );
  }
}

function yamlDocuments(text: string, shown: string, line: number): readonly unknown[] {
  try {
    return parseYaml(text, { equalKeys: 'last-wins' }).documents;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const place = error.line === undefined ? undefined : error.line + line - 1;
    throw new RecordingError(shown, placeOfYaml({ line: place, column: error.column }), error.fault);
  }
}

async function streamList(bytes: AsyncIterable<Uint8Array>, shown: string, take: Take): Promise<void> {
  let number = 0;
  try {
    for await (const item of listItems(bytes)) {
      number += 1;
      takeFlat(item, { item: number }, take);
    }
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    throw new RecordingError(shown, { item: error.items + 1 }, plainFault(faultOf[error.fault]));
  }
}

const faultOf: Readonly<Record<ListFault, PlainFault>> = {
  'cut-off': 'json-cut-off',
  'not-json': 'not-json',
  'too-deep': 'too-deep',
  'too-large': 'item-too-large',
};

function placeOf(text: string, offset: number, line: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length + line - 1, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Why a list could not be read to its end. */
type ListFault = 'cut-off' | 'not-json' | 'too-deep' | 'too-large';

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
export async function* listItems(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
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
interface Scan {
  depth: number;
  inString: boolean;
  escaped: boolean;
}

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
function isNestedTooDeeply(text: string): boolean {
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
