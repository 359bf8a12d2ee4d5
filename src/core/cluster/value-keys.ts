import { parse } from 'yaml';
import { isObject } from './wire.js';

/** The keys that lead to a value. */
export type KeyPath = readonly string[];

const maxPaths = 200;
const maxDepth = 8;
const maxText = 32_768;
/** Some value, and nobody knows which one. */
const anything: readonly KeyPath[] = [[]];

/**
 * Which values a map sets, without what they are: values of charts may hold secrets. Of very many, only the
 * keys above them are kept, which stand for all below.
 */
export function keysOfValues(values: unknown): readonly KeyPath[] {
  if (values === undefined || values === null) return [];
  if (!isObject(values)) return anything;
  if (Object.keys(values).length === 0) return [];
  for (let depth = maxDepth; depth > 0; depth -= 1) {
    const paths = pathsIn(values, depth);
    if (paths.length <= maxPaths) return paths;
  }
  return anything;
}

/** The same for the text of a YAML document. */
export function keysOfText(text: string): readonly KeyPath[] {
  if (text.length > maxText) return anything;
  try {
    return keysOfValues(parse(text, { logLevel: 'error', maxAliasCount: 100, uniqueKeys: false }));
  } catch {
    return anything;
  }
}

function pathsIn(values: unknown, depth: number): readonly KeyPath[] {
  const entries = isObject(values) && depth > 0 ? Object.entries(values) : [];
  if (entries.length === 0) return [[]];
  const paths: KeyPath[] = [];
  for (const [key, value] of entries) {
    // A merge key sets what another map holds.
    if (key === '<<') return [[]];
    for (const below of pathsIn(value, depth - 1)) paths.push([key, ...below]);
    if (paths.length > maxPaths) return paths;
  }
  return paths;
}
