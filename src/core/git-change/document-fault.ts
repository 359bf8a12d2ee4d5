import { type Document, isAlias, isCollection, isMap, isPair, isScalar, type YAMLMap } from 'yaml';

/** Why the data of a document must not be read, and where. */
export interface DocumentFault {
  readonly reason: 'not-yaml' | 'alias' | 'too-large';
  readonly offset: number;
}

/** Levels of maps and lists, aliases replaced by what they stand for. */
const maxDepth = 100;
/** Values of a document, aliases replaced by what they stand for. */
const maxValues = 500_000;

interface Extent {
  readonly values: number;
  readonly depth: number;
}

/**
 * Equal keys in a map, an alias within its own anchor, or more levels or values than are read. All that walks
 * the data later ends: an alias stands for the very value of its anchor, so a few lines could describe a
 * value without an end.
 */
export function documentFault({ contents }: Document.Parsed): DocumentFault | undefined {
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
