import { closeSync, createReadStream } from 'node:fs';
import { type PlainFault, plainFault } from '../../fault-text.js';
import { type Place, placeOfYaml } from '../../input-error.js';
import { parseYaml, YamlError } from '../../parse-yaml.js';
import { openRegularFile } from '../../regular-file.js';
import { isNestedTooDeeply, ListError, type ListFault, listItems } from './list-items.js';
import { inWords, readText } from './read-text.js';
import { RecordingError } from './recording-error.js';

/** A larger JSON file is read as a stream, so that memory follows what is kept and not the file. */
const streamAboveBytes = 48 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
/** YAML is held whole while it is parsed, at up to eighty times its length. */
const maxYamlBytes = 16 * 1024 * 1024;
const maxJsonBytes = 2 * 1024 * 1024 * 1024;

/** What may still be read of one recording, in bytes; reading takes from it. */
export interface Allowance {
  yaml: number;
  all: number;
}

/** What may be read of the files of one recording together. */
export function createAllowance(): Allowance {
  return { yaml: 64 * 1024 * 1024, all: 4 * 1024 * 1024 * 1024 };
}

interface RecordedFile {
  readonly path: string;
  /** The file's name as it appears in errors. */
  readonly shown: string;
  /** Absolute path, without links, of the folder that the file must lie in. */
  readonly within: string | undefined;
}

/**
 * Gives every object of a JSON or YAML file to `take`: items of Lists one by one, several documents, nested Lists.
 *
 * @throws RecordingError with line and column where the text is broken
 */
export async function readDocuments(
  file: RecordedFile,
  allowance: Allowance,
  take: (object: unknown, place: Place) => void,
): Promise<void> {
  const { path, shown, within } = file;
  const { descriptor, size } = inWords(shown, () => openRegularFile(path, within));
  const json = /\.json$/i.test(path);
  if (json && size > streamAboveBytes) {
    const stream = createReadStream('', { fd: descriptor, end: size - 1, highWaterMark: chunkBytes });
    try {
      allowance.all -= size;
      requireSize(size <= maxJsonBytes && allowance.all >= 0, shown);
      await streamList(stream, shown, take);
    } finally {
      stream.destroy();
    }
    return;
  }
  closeSync(descriptor);
  if (!json && size > maxYamlBytes) throw new RecordingError(shown, undefined, plainFault('too-much-yaml'));
  const text = readText(path, shown, json ? streamAboveBytes : maxYamlBytes, within);
  if (text === '') throw new RecordingError(shown, undefined, plainFault('empty'));
  allowance.all -= text.length;
  if (!json) {
    allowance.yaml -= text.length;
    if (allowance.yaml < 0) throw new RecordingError(shown, undefined, plainFault('too-much-yaml'));
  }
  requireSize(allowance.all >= 0, shown);
  for (const [number, document] of (json ? [parseJson(text, shown)] : yamlDocuments(text, shown)).entries()) {
    takeFlat(document, json ? undefined : { document: number + 1 }, take);
  }
}

function requireSize(fits: boolean, shown: string): void {
  if (!fits) throw new RecordingError(shown, undefined, plainFault('recording-too-large'));
}

/** Gives each object of a document to `take`, the items of Lists one by one. */
export function takeFlat(
  document: unknown,
  place: Place,
  take: (object: unknown, place: Place) => void,
): void {
  if (
    typeof document === 'object' &&
    document !== null &&
    'items' in document &&
    Array.isArray(document.items)
  ) {
    const kind = 'kind' in document && typeof document.kind === 'string' ? document.kind : 'List';
    document.items.forEach((item, position) => {
      takeFlat(withKind(item, kind), { item: position + 1 }, take);
    });
  } else if (document !== null && document !== undefined) take(document, place);
}

/** Items of a typed list (`PodList`) may come without their kind. */
function withKind(item: unknown, listKind: string): unknown {
  if (typeof item !== 'object' || item === null || 'kind' in item || listKind === 'List') return item;
  return { ...item, kind: listKind.replace(/List$/, '') };
}

function parseJson(text: string, shown: string): unknown {
  if (isNestedTooDeeply(text)) throw new RecordingError(shown, undefined, plainFault('too-deep'));
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const offset = /position (\d+)/.exec(message)?.[1];
    const at = offset === undefined ? text.length : Number(offset);
    const end = /end of JSON|Unterminated/.test(message) || at >= text.trimEnd().length;
    const place = placeOf(text, at);
    throw new RecordingError(
      shown,
      place,
      plainFault(end || text.trim() === '' ? 'json-cut-off' : 'not-json'),
    );
  }
}

function yamlDocuments(text: string, shown: string): readonly unknown[] {
  try {
    return parseYaml(text, { equalKeys: 'last-wins' }).documents;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new RecordingError(shown, placeOfYaml(error), error.fault);
  }
}

async function streamList(
  bytes: AsyncIterable<Buffer>,
  shown: string,
  take: (object: unknown, place: Place) => void,
): Promise<void> {
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

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
