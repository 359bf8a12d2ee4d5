/** A JSON object whose fields are read with the functions below. */
export type JsonObject = { [key: string]: unknown };

export type Path = readonly string[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at that path; `undefined` where a step is missing, null or no object. */
export function valueAt(value: unknown, ...path: Path): unknown {
  let current = value;
  for (const step of path) {
    if (!isObject(current)) return undefined;
    current = current[step];
  }
  return current ?? undefined;
}

/** The object at that path; an empty one, attached to nothing, where there is none. */
export function objectAt(value: unknown, ...path: Path): JsonObject {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
}

/** The objects of the list at that path; other entries are left out. */
export function listAt(value: unknown, ...path: Path): readonly JsonObject[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

export function textAt(value: unknown, ...path: Path): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, ...path: Path): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** The text entries of a map such as labels. */
export function textMapAt(value: unknown, ...path: Path): Record<string, string> {
  const entries = Object.entries(objectAt(value, ...path)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

export function textsAt(value: unknown, ...path: Path): readonly string[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter((entry) => typeof entry === 'string') : [];
}

/** Sets the value at that path and makes the objects on the way where they are missing. */
export function setAt(target: JsonObject, path: Path, value: unknown): void {
  const last = path.at(-1);
  if (last === undefined) return;
  let current = target;
  for (const step of path.slice(0, -1)) {
    const next = current[step];
    if (isObject(next)) {
      current = next;
    } else {
      const made: JsonObject = {};
      current[step] = made;
      current = made;
    }
  }
  current[last] = value;
}

/** A deep copy of plain JSON. */
export function copy<Value>(value: Value): Value {
  return structuredClone(value);
}

/** Equal as JSON: key order does not count, list order does; an absent key equals `undefined`. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    if (!sameJson(a[key], b[key])) return false;
  }
  return true;
}

/** Makes every level read-only at run time, so that a stored object cannot be changed by accident. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
  return value;
}
