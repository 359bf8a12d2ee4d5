import type { Document, Pair, YAMLMap } from 'yaml';
import { isAlias, isCollection, isMap, isPair, isScalar, LineCounter, parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../engine/objects/wire.js';
import { type GitRefusal, gitRefusal } from './refusal.js';

interface ParsedManifest {
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
  const beyond = lineOfDocumentBeyond(text);
  if (beyond !== undefined) return gitRefusal('too-large', beyond);
  const lineCounter = new LineCounter();
  const parsed = parseAllDocuments(text, { ...linear, lineCounter, keepSourceTokens: true });
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

/** Documents of a file. People write a few hundred, and each one costs as much as a hundred characters. */
const maxDocuments = 5_000;

/** The line of the first document that is not read any more. */
function lineOfDocumentBeyond(text: string): number | undefined {
  let marks = 0;
  for (const { index } of text.matchAll(/^(?:---|\.\.\.)(?=\s|$)/gmu)) {
    marks += 1;
    if (marks > maxDocuments) return text.slice(0, index).split('\n').length;
  }
  return undefined;
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

/**
 * The documents of a text in which keys may stand several times, each with its own errors; `undefined` where
 * they are more than are read.
 */
export function parseTemplate(text: string): readonly Document.Parsed[] | undefined {
  if (lineOfDocumentBeyond(text) !== undefined) return undefined;
  const parsed = parseAllDocuments(text, linear);
  return Array.isArray(parsed) ? parsed : [];
}

/** Why the data of a document must not be read, and where. */
type DocumentFault = { readonly reason: 'not-yaml' | 'alias' | 'too-large'; readonly offset: number };

/** Levels of maps and lists, aliases replaced by what they stand for. */
const maxDepth = 100;
/** Values of a document, aliases replaced by what they stand for. */
const maxValues = 500_000;

type Extent = { readonly values: number; readonly depth: number };

/**
 * Equal keys in a map, an alias within its own anchor, or more levels or values than are read. All that walks
 * the data later ends: an alias stands for the very value of its anchor, so a few lines could describe a
 * value without an end.
 */
function documentFault({ contents }: Document.Parsed): DocumentFault | undefined {
  const anchors = new Map<string, Extent>();
  const open = new Set<string>();
  let fault: DocumentFault | undefined;
  extentOf(contents, 0, 0);
  return fault;

  function extentOf(node: unknown, level: number, above: number): Extent {
    if (fault !== undefined) return none;
    const offset = startOf(node) ?? above;
    if (isAlias(node)) {
      if (open.has(node.source)) return found('alias', offset);
      const { values, depth } = anchors.get(node.source) ?? none;
      return level + depth > maxDepth ? found('too-large', offset) : { values, depth };
    }
    if (!isCollection(node)) return kept(isScalar(node) ? node.anchor : undefined, { values: 1, depth: 0 });
    if (level >= maxDepth) return found('too-large', offset);
    const twice = isMap(node) ? equalKey(node) : undefined;
    if (twice !== undefined) return found('not-yaml', twice);
    const { anchor } = node;
    if (anchor !== undefined) {
      // An earlier anchor of this name is no longer meant.
      anchors.delete(anchor);
      open.add(anchor);
    }
    let values = 1;
    let depth = 0;
    for (const item of node.items) {
      for (const each of isPair(item) ? [item.key, item.value] : [item]) {
        const inner = extentOf(each, level + 1, offset);
        values += inner.values;
        depth = Math.max(depth, inner.depth + 1);
      }
      if (values > maxValues) return found('too-large', offset);
    }
    if (anchor !== undefined) open.delete(anchor);
    return kept(anchor, { values, depth });
  }

  function kept(anchor: string | undefined, extent: Extent): Extent {
    if (anchor !== undefined) anchors.set(anchor, extent);
    return extent;
  }

  function found(reason: DocumentFault['reason'], offset: number): Extent {
    fault ??= { reason, offset };
    return none;
  }
}

const none: Extent = { values: 1, depth: 0 };

/** Where the second of two equal keys starts. */
function equalKey({ items }: YAMLMap): number | undefined {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) return key.range?.[0] ?? 0;
    seen.add(key.value);
  }
  return undefined;
}

function startOf(node: unknown): number | undefined {
  return isAlias(node) || isScalar(node) || isCollection(node) ? node.range?.[0] : undefined;
}
