import { stat } from 'node:fs/promises';
import { isMap, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../core/cluster/wire.js';
import { readText, textFilesOf, unreadable } from './read-text.js';
import { RecordingError } from './recording-error.js';

/** One object of a manifest, and where it stands. */
export interface ManifestObject {
  /** As it was named on the command line; `-` for standard input. */
  readonly file: string;
  /** Line on which the object starts, from 1. */
  readonly line: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly raw: JsonObject;
}

const mostBytes = 64 * 1024 * 1024;

/**
 * Reads manifests as `kubectl apply -f` would: files, folders (not below), `-` for standard input; YAML or JSON, several
 * documents, Lists within. Empty documents are nothing.
 *
 * @param readInput gives standard input as text
 * @throws RecordingError naming file and line
 */
export async function readManifests(
  paths: readonly string[],
  readInput: () => Promise<string>,
): Promise<readonly ManifestObject[]> {
  const objects: ManifestObject[] = [];
  for (const path of paths) {
    for (const file of path === '-' ? ['-'] : await filesOf(path)) {
      const text = file === '-' ? await readInput() : await readText(file, file);
      objects.push(...objectsIn(text, file));
    }
  }
  return objects;
}

async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new RecordingError(path, '', unreadable(error));
  });
  if (!found.isDirectory()) {
    if (found.size > mostBytes) throw new RecordingError(path, '', 'the file is too large for a manifest');
    return [path];
  }
  return textFilesOf(path);
}

function objectsIn(text: string, file: string): readonly ManifestObject[] {
  const shown = file === '-' ? 'standard input' : file;
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text.replace(/^\uFEFF/, ''), {
    lineCounter,
    logLevel: 'error',
    uniqueKeys: false,
  });
  if (!Array.isArray(documents)) return [];
  const lineOf = (node: Node | null): number => lineCounter.linePos(node?.range?.[0] ?? 0).line;
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) {
      const line = error.linePos?.[0].line ?? 1;
      const hint = text.includes('{{') ? ' (a template must be rendered first, e.g. with helm template)' : '';
      const problem = error.message.split('\n')[0]?.replace(/ at line .*$/, '') ?? 'this is not YAML';
      throw new RecordingError(shown, `line ${line}`, `${problem}${hint}`);
    }
    if (document.contents === null) return [];
    const value = plainValue(() => document.toJS({ maxAliasCount: 100 }), shown);
    return flattened(value, document.contents, lineOf, file, shown);
  });
}

function plainValue(give: () => unknown, shown: string): unknown {
  try {
    return give();
  } catch {
    throw new RecordingError(shown, '', 'its YAML aliases expand without end');
  }
}

function flattened(
  value: unknown,
  node: Node | null,
  lineOf: (node: Node | null) => number,
  file: string,
  shown: string,
): readonly ManifestObject[] {
  if (value === null || value === undefined) return [];
  const line = lineOf(node);
  if (!isObject(value) || typeof value.kind !== 'string' || value.kind === '') {
    throw new RecordingError(shown, `line ${line}`, 'this is no Kubernetes object: it has no kind');
  }
  if (value.kind.endsWith('List') && Array.isArray(value.items)) {
    const items = isMap(node) ? node.get('items', true) : undefined;
    return value.items.flatMap((item, position) =>
      flattened(
        item,
        isSeq(items) ? ((items.items[position] ?? null) as Node | null) : node,
        lineOf,
        file,
        shown,
      ),
    );
  }
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const name = typeof metadata.name === 'string' ? metadata.name : '';
  return [
    {
      file,
      line,
      apiVersion: typeof value.apiVersion === 'string' ? value.apiVersion : '',
      kind: value.kind,
      namespace:
        typeof metadata.namespace === 'string' && metadata.namespace !== '' ? metadata.namespace : undefined,
      name,
      raw: value,
    },
  ];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
