import { type PlainFault, plainFault } from '../../doctor/input/fault-text.js';
import { type Place, placeOfYaml } from '../../doctor/input/input-error.js';
import { parseYaml, YamlError } from '../files/parse-yaml.js';
import { decodeText } from './decode-text.js';
import { splitText, type TextPart, withoutMargin } from './described/split-text.js';
import { isNestedTooDeeply, ListError, type ListFault, listItems } from './list-items.js';
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
