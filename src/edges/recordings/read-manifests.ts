import { statSync } from 'node:fs';
import { plainFault } from '../../doctor/input/input-error.js';
import { modelKindOf } from '../../engine/objects/cluster-objects.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import { isObject } from '../../engine/objects/wire.js';
import { type ParsedYaml, parseYaml, YamlError } from '../files/parse-yaml.js';
import { resolveLinks } from '../files/regular-file.js';
import { decodeText } from './decode-text.js';
import { inWords, readText, textFilesOf } from './read-text.js';
import { RecordingError } from './recording-error.js';

/** One object of a manifest, and where it stands. */
export interface ManifestObject {
  /** As it was named on the command line; `-` for standard input, `manifests` for a text from a program. */
  readonly file: string;
  /** Line on which the object starts, from 1. */
  readonly line: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly raw: JsonObject;
}

/** Bytes of one file or of standard input, and of all manifests together. */
const maxBytes = 16 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;

/**
 * Reads manifests as `kubectl apply -f` would: files, folders (not below), `-` for standard input; YAML or
 * JSON, several documents, Lists within. Empty documents are nothing. Only regular files are read, and of a
 * folder only those that lie in it.
 *
 * @param readInput gives standard input, which may hold `maxBytes`
 * @throws RecordingError naming file and line
 */
export async function readManifests(
  paths: readonly string[],
  readInput: (maxBytes: number) => Promise<Uint8Array>,
): Promise<readonly ManifestObject[]> {
  const objects: ManifestObject[] = [];
  let total = 0;
  const take = (text: string, file: string): void => {
    total += text.length;
    if (total > maxTotalBytes) throw new RecordingError(file, undefined, plainFault('manifests-too-large'));
    objects.push(...objectsIn(text, file));
  };
  // Standard input can be read once, however often it is named.
  for (const path of new Set(paths)) {
    if (path === '-') take(decodeText(await readInput(maxBytes), '-'), '-');
    else for (const { file, within } of filesOf(path)) take(readText(file, file, maxBytes, within), file);
  }
  return objects;
}

/** What a text that a program handed over is called in answers and errors. */
const givenName = 'manifests';
/** Callers share the threads that read their texts, so that no text may take its time limit. */
const maxGivenDocuments = 5_000;

/** The objects of a text that a program handed over. @throws RecordingError naming the line */
export function manifestsIn(text: string): readonly ManifestObject[] {
  if (text.length > maxTotalBytes) {
    throw new RecordingError(givenName, undefined, plainFault('manifests-too-large'));
  }
  return objectsIn(text, givenName, maxGivenDocuments);
}

function filesOf(path: string): readonly { readonly file: string; readonly within: string | undefined }[] {
  return inWords(path, () => {
    if (!statSync(path).isDirectory()) return [{ file: path, within: undefined }];
    const within = resolveLinks(path);
    return textFilesOf(path).map((file) => ({ file, within }));
  });
}

function objectsIn(text: string, file: string, maxDocuments?: number): readonly ManifestObject[] {
  const { documents, lineOf } = parsed(text, file, maxDocuments);
  return documents.flatMap((document) => flattened(document, lineOf(document) ?? 1, lineOf, file));
}

function parsed(text: string, file: string, maxDocuments?: number): ParsedYaml {
  try {
    return parseYaml(text, { equalKeys: 'last-wins', ...(maxDocuments && { maxDocuments }) });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line, fault, message: reason } = error;
    const place = line === undefined ? undefined : { line };
    throw new RecordingError(
      file,
      place,
      text.includes('{{') ? { key: 'is-template', values: { reason } } : fault,
    );
  }
}

function flattened(
  value: unknown,
  line: number,
  lineOf: ParsedYaml['lineOf'],
  file: string,
): readonly ManifestObject[] {
  if (value === null || value === undefined) return [];
  if (!isObject(value) || typeof value.kind !== 'string' || value.kind === '') {
    throw new RecordingError(file, { line }, plainFault('no-kind'));
  }
  if (value.kind.endsWith('List') && Array.isArray(value.items)) {
    return value.items.flatMap((item) => flattened(item, lineOf(item) ?? line, lineOf, file));
  }
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const name = typeof metadata.name === 'string' ? metadata.name : '';
  return [
    {
      file,
      line,
      apiVersion: typeof value.apiVersion === 'string' ? value.apiVersion : '',
      kind: modelKindOf(value.kind, value.apiVersion),
      namespace:
        typeof metadata.namespace === 'string' && metadata.namespace !== '' ? metadata.namespace : undefined,
      name,
      raw: value,
    },
  ];
}
