import { isObject, type JsonObject, sameJson } from '../json.js';
import { mergeKeyOf, mergesPrimitives } from './merge-keys.js';

/**
 * A set of fields as the texts of their paths, each step written as in `fieldsV1`: `f:spec`,
 * `k:{"name":"app"}`, `v:"x"`. A path stands for a leaf: a scalar, an atomic list, an empty object.
 */
export type FieldSet = ReadonlySet<string>;

const separator = '\u0000';

/** Metadata that the server keeps; nobody owns it. */
const unownedMetadata: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'generateName',
  'selfLink',
]);

/** Every leaf of the object but type and server-kept metadata, with its value. */
export function leavesOf(kind: string, object: JsonObject): ReadonlyMap<string, unknown> {
  const leaves = new Map<string, unknown>();
  for (const [key, value] of Object.entries(object)) {
    if (key === 'apiVersion' || key === 'kind') continue;
    if (key === 'metadata' && isObject(value)) {
      const owned = Object.fromEntries(
        Object.entries(value).filter(([field]) => !unownedMetadata.has(field)),
      );
      collect(kind, 'metadata', owned, ['f:metadata'], leaves);
    } else {
      collect(kind, key, value, [`f:${key}`], leaves);
    }
  }
  leaves.delete('f:metadata');
  return leaves;
}

/** Leaves of `after` that are new or have another value than in `before`. */
export function changedLeaves(kind: string, before: JsonObject, after: JsonObject): FieldSet {
  const former = leavesOf(kind, before);
  const changed = [...leavesOf(kind, after)].filter(
    ([path, value]) => !former.has(path) || !sameJson(former.get(path), value),
  );
  return new Set(changed.map(([path]) => path));
}

/** The nested form of `metadata.managedFields[].fieldsV1`. */
export function toFieldsV1(fields: FieldSet): JsonObject {
  const root: JsonObject = {};
  for (const path of [...fields].sort()) {
    let current = root;
    for (const step of path.split(separator)) {
      const next = current[step];
      const child: JsonObject = isObject(next) ? next : {};
      current[step] = child;
      current = child;
      if (step.startsWith('k:')) child['.'] = {};
    }
  }
  return root;
}

export function fromFieldsV1(fieldsV1: unknown): FieldSet {
  const fields = new Set<string>();
  walk(fieldsV1, [], fields);
  return fields;
}

/** `.spec.template.spec.containers[name="app"].image`, as conflicts are told. */
export function fieldText(path: string): string {
  return path
    .split(separator)
    .map((step) => {
      if (step.startsWith('f:')) return `.${step.slice(2)}`;
      if (!step.startsWith('k:')) return `[${step.slice(2)}]`;
      const key: unknown = JSON.parse(step.slice(2));
      const parts = isObject(key)
        ? Object.entries(key).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        : [];
      return `[${parts.join(',')}]`;
    })
    .join('');
}

/** The steps of a path, for walking an object. */
export function stepsOf(path: string): readonly string[] {
  return path.split(separator);
}

function walk(node: unknown, path: readonly string[], into: Set<string>): void {
  if (!isObject(node)) return;
  const children = Object.entries(node).filter(([step]) => step !== '.');
  if (children.length === 0 && path.length > 0) into.add(path.join(separator));
  for (const [step, child] of children) walk(child, [...path, step], into);
}

function collect(
  kind: string,
  field: string,
  value: unknown,
  path: readonly string[],
  into: Map<string, unknown>,
): void {
  if (value === undefined || value === null) return;
  if (isObject(value) && Object.keys(value).length > 0) {
    for (const [key, child] of Object.entries(value)) collect(kind, key, child, [...path, `f:${key}`], into);
    return;
  }
  if (Array.isArray(value) && mergesPrimitives(field)) {
    for (const item of value) into.set([...path, `v:${JSON.stringify(item)}`].join(separator), item);
    return;
  }
  const mergeKey = Array.isArray(value) ? mergeKeyOf(kind, field) : undefined;
  if (
    Array.isArray(value) &&
    mergeKey !== undefined &&
    value.every((item) => isObject(item) && mergeKey in item)
  ) {
    for (const item of value.filter(isObject)) {
      const step = `k:${JSON.stringify({ [mergeKey]: item[mergeKey] })}`;
      collect(kind, '', item, [...path, step], into);
    }
    return;
  }
  into.set(path.join(separator), value);
}
