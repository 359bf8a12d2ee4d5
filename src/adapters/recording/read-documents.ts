import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { ListError, listItems } from './list-items.js';
import { readText, unreadable } from './read-text.js';
import { RecordingError } from './recording-error.js';

/** A larger JSON file is read as a stream, so that memory follows what is kept and not the file. */
const streamAboveBytes = 48 * 1024 * 1024;
const chunkBytes = 1024 * 1024;
/** YAML is held whole while it is parsed. */
const yamlMostBytes = 256 * 1024 * 1024;

/**
 * Gives every object of a JSON or YAML file to `take`: items of Lists one by one, several documents, nested Lists.
 *
 * @param shown the file's name as it appears in errors
 * @throws RecordingError with line and column where the text is broken
 */
export async function readDocuments(
  path: string,
  shown: string,
  take: (object: unknown, place: string) => void,
): Promise<void> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw new RecordingError(shown, '', unreadable(error));
  });
  if (size === 0) throw new RecordingError(shown, '', 'the file is empty');
  const json = /\.json$/i.test(path);
  if (json && size > streamAboveBytes) return streamList(path, shown, take);
  if (size > yamlMostBytes) {
    throw new RecordingError(
      shown,
      '',
      'the file is too large for YAML; save it as JSON (kubectl get -o json)',
    );
  }
  const text = await readText(path, shown);
  for (const [number, document] of (json ? [parseJson(text, shown)] : parseYaml(text, shown)).entries()) {
    takeFlat(document, json ? '' : `document ${number + 1}`, take);
  }
}

function takeFlat(document: unknown, place: string, take: (object: unknown, place: string) => void): void {
  if (
    typeof document === 'object' &&
    document !== null &&
    'items' in document &&
    Array.isArray(document.items)
  ) {
    const kind = 'kind' in document && typeof document.kind === 'string' ? document.kind : 'List';
    document.items.forEach((item, position) => {
      takeFlat(withKind(item, kind), `item ${position + 1}`, take);
    });
  } else if (document !== null && document !== undefined) take(document, place);
}

/** Items of a typed list (`PodList`) may come without their kind. */
function withKind(item: unknown, listKind: string): unknown {
  if (typeof item !== 'object' || item === null || 'kind' in item || listKind === 'List') return item;
  return { ...item, kind: listKind.replace(/List$/, '') };
}

function parseJson(text: string, shown: string): unknown {
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
      end || text.trim() === '' ? 'the JSON ends too early' : 'this is not JSON',
    );
  }
}

function parseYaml(text: string, shown: string): readonly unknown[] {
  const documents = parseAllDocuments(text, { logLevel: 'error', uniqueKeys: false });
  if (!Array.isArray(documents)) throw new RecordingError(shown, '', 'the file holds no document');
  return documents.map((document) => {
    const [error] = document.errors;
    if (error !== undefined) {
      const [position] = error.linePos ?? [];
      const place = position === undefined ? '' : `line ${position.line}, column ${position.col}`;
      const problem = /call stack/.test(error.message)
        ? 'it is nested too deeply'
        : (error.message.split('\n')[0]?.replace(/ at line .*$/, '') ?? 'this is not YAML');
      throw new RecordingError(shown, place, problem);
    }
    try {
      return document.toJS({ maxAliasCount: 100 }) as unknown;
    } catch {
      throw new RecordingError(shown, '', 'its YAML aliases expand without end');
    }
  });
}

async function streamList(
  path: string,
  shown: string,
  take: (object: unknown, place: string) => void,
): Promise<void> {
  let number = 0;
  try {
    for await (const item of listItems(createReadStream(path, { highWaterMark: chunkBytes }))) {
      number += 1;
      takeFlat(item, `item ${number}`, take);
    }
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    const place = `item ${error.items + 1}`;
    throw new RecordingError(
      shown,
      place,
      error.fault === 'cut-off' ? 'the JSON ends too early' : 'this is not JSON',
    );
  }
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
