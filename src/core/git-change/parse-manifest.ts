import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Pair,
  parseAllDocuments,
  type YAMLMap,
} from 'yaml';
import type { JsonObject } from '../cluster/wire.js';
import { documentFault } from './document-fault.js';
import { type GitRefusal, gitRefusal } from './refusal.js';

export interface ParsedManifest {
  readonly type: 'parsed';
  readonly documents: readonly Document.Parsed[];
  /** Line of an offset, from 1. */
  readonly lineAt: (offset: number) => number;
}

/**
 * The documents of a file with their offsets, or a refusal where one of them has an error. The work grows
 * with the length of the text. The library compares each key of a map with all before it, so `documentFault`
 * looks for equal keys.
 */
export function parseManifest(text: string): ParsedManifest | GitRefusal {
  const lineCounter = new LineCounter();
  const parsed = parseAllDocuments(text, {
    ...linear,
    lineCounter,
    keepSourceTokens: true,
  });
  const documents = Array.isArray(parsed) ? parsed : [];
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
  for (const document of documents) {
    const [error] = document.errors;
    if (error !== undefined) return gitRefusal('not-yaml', lineAt(error.pos[0]));
    const fault = documentFault(document);
    if (fault !== undefined) return gitRefusal(fault.reason, lineAt(fault.offset));
  }
  return { type: 'parsed', documents, lineAt };
}

const linear = { uniqueKeys: false, logLevel: 'silent' } as const;

/** Why a map must not be edited: what it holds is written elsewhere too. */
export function blockedMap(map: YAMLMap): 'anchor' | 'tag' | 'merge-key' | undefined {
  if (map.anchor !== undefined) return 'anchor';
  if (map.tag !== undefined) return 'tag';
  return map.items.some(({ key }) => isScalar(key) && key.value === '<<') ? 'merge-key' : undefined;
}

/** The entry of a map with this key. */
export function entryOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

/** The text at a path of plain maps; undefined where there is none, or where an alias stands in between. */
export function textAt(document: Document.Parsed, path: readonly string[]): string | undefined {
  let node: unknown = document.contents;
  for (const name of path) {
    if (!isMap(node)) return undefined;
    node = entryOf(node, name)?.value;
    if (isAlias(node)) return undefined;
  }
  return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
}

/** The data of a document; `undefined` where its aliases are unknown or expand to too much. */
export function dataOf(document: Document.Parsed | undefined): unknown {
  try {
    return document?.toJS({ maxAliasCount });
  } catch {
    return undefined;
  }
}

const maxAliasCount = 100;

/** The data of one document of a text that was parsed before. */
export function manifestAt(text: string, position: number): JsonObject {
  const parsed = parseManifest(text);
  const data = parsed.type === 'parsed' ? dataOf(parsed.documents[position]) : undefined;
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : {};
}

/** The documents of a text in which keys may stand several times, each with its own errors. */
export function parseTemplate(text: string): readonly Document.Parsed[] {
  const parsed = parseAllDocuments(text, linear);
  return Array.isArray(parsed) ? parsed : [];
}
