import { copy, isObject, type JsonObject } from '../json.js';

/** RFC 7386: null removes, objects merge, everything else replaces. Neither argument is changed. */
export function applyMergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[key];
    } else if (isObject(value)) {
      const current = result[key];
      result[key] = applyMergePatch(isObject(current) ? current : {}, value);
    } else {
      result[key] = copy(value);
    }
  }
  return result;
}
