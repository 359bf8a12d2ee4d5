import type { JsonObject } from '../cluster/wire.js';
import { stepsOf } from './field-path.js';

/** How much of a field an entry of `managedFields` owns. */
export type Ownership = 'whole' | 'partly' | 'none';

/**
 * Structs whose fields are owned one by one: as a leaf, the owner declared them empty. Every other leaf above
 * a field is atomic and holds the field (structured-merge-diff, `structType=atomic`).
 */
const granular: ReadonlySet<string> = new Set([
  'spec',
  'metadata',
  'annotations',
  'labels',
  'strategy',
  'updateStrategy',
  'rollingUpdate',
  'template',
  'affinity',
  'nodeAffinity',
  'podAffinity',
  'podAntiAffinity',
  'securityContext',
  'resources',
]);

/**
 * Walks `fieldsV1` along a path. A leaf `{}` and a node with `.` are owned, and so is everything below an
 * atomic leaf. Items of lists stand under their merge keys: `k:{"name":"app"}` (structured-merge-diff
 * `fieldpath/serialize-pe.go`).
 */
export function ownershipOf(fieldsV1: JsonObject | undefined, path: string): Ownership {
  let node: JsonObject = fieldsV1 ?? {};
  let above = '';
  for (const step of stepsOf(path)) {
    if (above !== '' && isLeaf(node)) return granular.has(above) ? 'none' : 'whole';
    const next = childOf(node, step);
    // Items whose merge key is not their name, as ports: any of them may be the one.
    if (next === undefined)
      return Object.keys(node).some((key) => isItemWithoutName(key)) ? 'partly' : 'none';
    node = next;
    above = step;
  }
  return isLeaf(node) || Object.hasOwn(node, '.') ? 'whole' : 'partly';
}

function isLeaf(node: JsonObject): boolean {
  return Object.keys(node).length === 0;
}

function childOf(node: JsonObject, step: string): JsonObject | undefined {
  const key = Object.hasOwn(node, `f:${step}`)
    ? `f:${step}`
    : Object.keys(node).find((each) => mergeKeysOf(each)?.name === step);
  const child = key === undefined ? undefined : node[key];
  return typeof child === 'object' && child !== null ? (child as JsonObject) : undefined;
}

function isItemWithoutName(key: string): boolean {
  const keys = mergeKeysOf(key);
  return keys !== undefined && keys.name === undefined;
}

function mergeKeysOf(key: string): JsonObject | undefined {
  if (!key.startsWith('k:')) return undefined;
  try {
    const keys: unknown = JSON.parse(key.slice(2));
    return typeof keys === 'object' && keys !== null ? (keys as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
