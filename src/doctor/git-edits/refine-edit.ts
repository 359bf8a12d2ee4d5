import { isObject } from './kustomize/merge-patch.js';

/** What a field may be set to. */
export type Editable =
  | number
  | string
  | boolean
  | null
  | readonly Editable[]
  | { readonly [name: string]: Editable };

/**
 * A field that a manifest shall declare; `undefined`: shall not declare. `null` removes a field in a patch.
 */
export interface FieldEdit {
  readonly path: readonly string[];
  readonly value: Editable | undefined;
}

/** A field or an item of a list; the number of items stands for a new one at the end. */
export type EditPath = readonly (string | number)[];

/** One value to write; `undefined` removes the field. */
export interface ValueEdit {
  readonly path: EditPath;
  readonly value: Editable | undefined;
}

/**
 * The values that a document lacks for an edit: of maps and lists that it has already only what differs, so
 * that the rest of their lines stays. `undefined` where an item of a list would have to be removed or
 * replaced by another kind of value.
 */
export function refinedEdit(data: unknown, { path, value }: FieldEdit): readonly ValueEdit[] | undefined {
  let current = data;
  for (const name of path)
    current = isObject(current) && Object.hasOwn(current, name) ? current[name] : undefined;
  return current === undefined || value === undefined ? [{ path, value }] : differing(path, current, value);
}

function differing(path: EditPath, current: unknown, wanted: Editable): readonly ValueEdit[] | undefined {
  if (isList(wanted)) {
    if (!Array.isArray(current) || current.length > wanted.length) return undefined;
    return joined(
      wanted.map((item, at) =>
        at < current.length
          ? differing([...path, at], current[at], item)
          : [{ path: [...path, at], value: item }],
      ),
    );
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (!isObject(current)) return undefined;
    const gone = Object.keys(current).filter((name) => !Object.hasOwn(wanted, name));
    return joined([
      ...gone.map((name) => [{ path: [...path, name], value: undefined }]),
      ...Object.entries(wanted).map(([name, value]) =>
        Object.hasOwn(current, name)
          ? differing([...path, name], current[name], value)
          : [{ path: [...path, name], value }],
      ),
    ]);
  }
  return current === wanted ? [] : [{ path, value: wanted }];
}

/** Whether data of a document can be written as the value of a field. */
export function isEditableData(data: unknown): data is Editable {
  if (typeof data !== 'object' || data === null) return data !== undefined;
  return Object.values(data).every(isEditableData);
}

function joined(parts: readonly (readonly ValueEdit[] | undefined)[]): readonly ValueEdit[] | undefined {
  const edits: ValueEdit[] = [];
  for (const part of parts) {
    if (part === undefined) return undefined;
    edits.push(...part);
  }
  return edits;
}

function isList(value: Editable): value is readonly Editable[] {
  return Array.isArray(value);
}
