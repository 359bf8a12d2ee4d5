import type { Fault, Place, PlainFault } from '../../doctor/input/input-error.js';
import { placeOfYaml, plainFault } from '../../doctor/input/input-error.js';
import { isObject } from '../../engine/objects/wire.js';
import { parseYaml, YamlError } from '../files/parse-yaml.js';
import { asPrinted, decodeText } from './decode-text.js';
import { splitText, type TextPart } from './described/split-text.js';
import { eventsOfExporter } from './exported-events.js';
import {
  isLaterPart,
  isMark,
  isNestedTooDeeply,
  type List,
  ListError,
  type ListFault,
  listItems,
  whyIncomplete,
  withJsonStart,
  withListStart,
} from './list-items.js';
import { objectsCommand, RecordingError } from './recording-error.js';

/** A larger JSON file is read as a stream, so that memory follows what is kept and not the file. */
const streamAboveBytes = 48 * 1024 * 1024;
/** YAML is held whole while it is parsed, at up to eighty times its length. */
const maxYamlBytes = 16 * 1024 * 1024;
/** Text that may hold any form, and is held whole. */
const maxTextBytes = 128 * 1024 * 1024;
const maxJsonBytes = 2 * 1024 * 1024 * 1024;

/** Takes an object that is there, or that is `gone` by now: a watch then reported its end. */
type Take = (object: unknown, place: Place, isGone?: boolean) => void;

/** Takes the kinds of a list that does not hold all of its objects, and why. */
type Lacks = (kinds: ReadonlySet<string>, place: Place, fault: Fault) => void;

/** Who receives what a file holds. */
type Receivers = { readonly take: Take; readonly lacks: Lacks; readonly takeText: (part: TextPart) => void };

/** What may still be read of one recording; reading takes from it. */
interface Allowance {
  /** Bytes. */
  yaml: number;
  /** Bytes. */
  all: number;
  /** Documents of YAML, and parts of texts. */
  documents: number;
}

const maxDocuments = 500_000;

/** What may be read of the files of one recording together. */
export function createAllowance(): Allowance {
  return { yaml: 256 * 1024 * 1024, all: 4 * 1024 * 1024 * 1024, documents: maxDocuments };
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

type FileTail = { readonly bytes: Uint8Array; readonly truncated: boolean };

/**
 * Gives every object of a file to `take`: items of Lists one by one, several documents, nested Lists. Other
 * parts of a text go to `takeText`. A file of any name may hold any form; its name decides only what a broken
 * one was meant to be. Of a List that was cut off, the complete items are read, and `lacks` receives the
 * kinds of the others.
 *
 * @throws RecordingError with line and column where the text is broken
 */
export async function readDocuments(
  file: RecordedFile,
  allowance: Allowance,
  { take, lacks, takeText }: Receivers,
): Promise<void> {
  const { shown, isInFolder } = file;
  const size = file.size();
  const json = /\.json$/i.test(shown);
  if (json && size > streamAboveBytes) {
    allowance.all -= size;
    requireSize(size <= maxJsonBytes && allowance.all >= 0, shown);
    await streamList(file.pieces(size), shown, { take, lacks });
    return;
  }
  const bytes = await file.bytes(json ? streamAboveBytes : maxTextBytes);
  const given = decodeText(bytes, shown);
  if (given.trim() === '') {
    // Programs that collect everything leave empty files behind. A file that was named is meant to hold
    // something.
    if (isInFolder && !/\.(?:json|ya?ml)$/i.test(shown)) return;
    throw new RecordingError(shown, undefined, plainFault('empty'));
  }
  allowance.all -= given.length;
  requireSize(allowance.all >= 0, shown);
  const whole = json ? parsedWhole(given) : undefined;
  if (whole !== undefined) {
    takeFlat(whole.value, undefined, { take, lacks });
    return;
  }
  const text = withListStart(asPrinted(withJsonStart(given)));
  const parts = splitText(text, allowance.documents);
  countDocuments(parts.length);
  if (json && parts.length === 0) {
    takeFlat(parseJson(text, shown), undefined, { take, lacks });
    return;
  }
  if (!json && isPlain(parts, text)) {
    if (isInFolder && /\.txt$/i.test(shown) && parts.length === 0) return;
    const documents = parts.length === 0 && !/\.ya?ml$/i.test(shown) ? objectsOfText() : yaml(text, 1);
    for (const [number, document] of documents.entries()) {
      takeFlat(document, { document: number + 1 }, { take, lacks });
    }
    return;
  }
  for (const part of parts) {
    if (part.type === 'json') await takeJson(part);
    else if (part.type === 'yaml')
      for (const document of yaml(part.text, part.line)) takeFlat(document, part, { take, lacks });
    else takeText(part);
  }

  function yaml(content: string, line: number): readonly unknown[] {
    allowance.yaml -= content.length;
    if (content.length > maxYamlBytes || allowance.yaml < 0) {
      throw new RecordingError(shown, undefined, plainFault('too-much-yaml'));
    }
    const documents = yamlDocuments(content, shown, line);
    // A part is counted already.
    countDocuments(documents.length - 1);
    return documents;
  }

  function countDocuments(count: number): void {
    allowance.documents -= count;
    if (allowance.documents >= 0) return;
    throw new RecordingError(shown, undefined, { key: 'too-many-documents', values: { max: maxDocuments } });
  }

  /** Text without a known part is YAML of an unusual order, or nothing that can be read. */
  function objectsOfText(): readonly unknown[] {
    try {
      const documents = yaml(text, 1);
      if (documents.some(isOfObjects)) return documents;
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
    }
    throw new RecordingError(shown, undefined, { key: 'no-objects', values: { command: objectsCommand } });
  }

  /** Programs write their logs as JSON too. */
  async function takeJson({ text: content, line }: { text: string; line: number }): Promise<void> {
    const parsed = parsedWhole(content);
    if (parsed !== undefined) takeFlat(parsed.value, { line }, { take: takeKnown, lacks });
    else if (/"kind"\s*:/u.test(content)) {
      const items = await streamList([new TextEncoder().encode(content)], shown, { take, lacks }).catch(
        () => 0,
      );
      if (items === 0) parseJson(content, shown, line);
    }
  }

  function takeKnown(object: unknown, place: Place, isGone?: boolean): void {
    if (typeof object === 'object' && object !== null && 'kind' in object) take(object, place, isGone);
  }
}

/** One document, or one stream of YAML documents, up to the end of the text: it is parsed at once. */
function isPlain(parts: readonly TextPart[], text: string): boolean {
  if (parts.some(({ type }) => type !== 'yaml')) return false;
  const lines = text.trimEnd().split('\n');
  let end = 0;
  for (const part of parts) {
    const between = lines.slice(end, part.line - 1);
    if (!between.every(isOfYaml) || (end > 0 && !between[0]?.startsWith('---'))) return false;
    end = part.line - 1 + (part.type === 'yaml' ? part.text.split('\n').length : 0);
  }
  return end >= lines.length || end === 0;
}

/** What may stand before the first key that shows an object: other keys, comments, directives, dashes. */
function isOfYaml(line: string): boolean {
  return /^(?:[A-Za-z][A-Za-z]*:|[-#%\s]|$)/u.test(line);
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

/**
 * Gives each object of a document to `take`, the items of Lists one by one, and those of a list that another
 * program keeps in a field of its own.
 */
export function takeFlat(
  document: unknown,
  place: Place,
  { take, lacks }: Omit<Receivers, 'takeText'>,
): void {
  if (Array.isArray(document)) {
    document.forEach((item, position) => {
      takeFlat(item, { item: position + 1 }, { take, lacks });
    });
  } else if (isList(document)) {
    const end = whyIncomplete(document);
    const kind = document.kind ?? 'List';
    // Where a text ends within a list, the last of its items may be half of one.
    const items = document.items
      .slice(isLaterPart(document) ? 1 : 0, end === 'list-cut-off' ? -1 : undefined)
      .map((item) => withKind(item, kind));
    for (const [position, item] of items.entries()) takeFlat(item, { item: position + 1 }, { take, lacks });
    if (end !== undefined) lacks(kindsOf(items), place, plainFault(end));
  } else if (isWatchEvent(document)) {
    // A bookmark is no object, and an error is a Status.
    if (document.type === 'DELETED') take(document.object, place, true);
    else if (document.type !== 'BOOKMARK') take(document.object, place);
  } else if (isObject(document) && !('kind' in document) && isOfObjects(document)) {
    for (const each of Object.values(document)) {
      if (Array.isArray(each) && isOfObjects(each)) takeFlat(each, place, { take, lacks });
    }
  } else if (document !== null && document !== undefined) {
    const events = eventsOfExporter(document);
    for (const each of events.length > 0 ? events : [document]) take(each, place);
  }
}

function isList(document: unknown): document is List {
  return (
    isObject(document) &&
    Array.isArray(document.items) &&
    (document.kind === undefined || typeof document.kind === 'string')
  );
}

function kindsOf(items: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    items.flatMap((each) => (isObject(each) && typeof each.kind === 'string' ? [each.kind] : [])),
  );
}

/** Whether objects of Kubernetes stand in it, at the top or in a list. */
function isOfObjects(document: unknown): boolean {
  if (Array.isArray(document)) return document.some(isOfObjects);
  if (!isObject(document)) return false;
  if (typeof document.kind === 'string' || isList(document) || isWatchEvent(document)) return true;
  return Object.values(document).some(
    (each) => Array.isArray(each) && each.some((item) => isObject(item) && typeof item.kind === 'string'),
  );
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

const emptyItem = '\n- {}';

/** Where the text is broken in the last item of a List, the items before it are read, as of one cut off. */
function yamlDocuments(text: string, shown: string, line: number): readonly unknown[] {
  try {
    return parseYaml(text, { equalKeys: 'last-wins' }).documents;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const whole = text.slice(0, Math.max(0, text.lastIndexOf('\n- ')));
    const isLast = error.line !== undefined && error.line > whole.split('\n').length;
    if (whole !== '' && isLast && !text.endsWith(emptyItem)) {
      return yamlDocuments(`${whole}${emptyItem}`, shown, line);
    }
    const place = error.line === undefined ? undefined : error.line + line - 1;
    throw new RecordingError(shown, placeOfYaml({ line: place, column: error.column }), error.fault);
  }
}

/** @returns how many items were read */
async function streamList(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  shown: string,
  { take, lacks }: Omit<Receivers, 'takeText'>,
): Promise<number> {
  let number = 0;
  const kinds = new Set<string>();
  try {
    for await (const item of listItems(bytes)) {
      if (isMark(item)) continue;
      number += 1;
      for (const kind of kindsOf([item])) kinds.add(kind);
      takeFlat(item, { item: number }, { take, lacks });
    }
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    const place = { item: error.items + 1 };
    if (error.fault !== 'cut-off' || number === 0) {
      throw new RecordingError(shown, place, plainFault(faultOf[error.fault]));
    }
    lacks(kinds, place, plainFault('list-cut-off'));
  }
  return number;
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
