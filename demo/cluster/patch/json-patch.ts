import jsonPatch, { type Operation } from 'fast-json-patch';
import { badRequest, unprocessable } from '../api/status-error.js';
import { copy, isObject, type JsonObject } from '../json.js';

const operations: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/**
 * RFC 6902.
 *
 * @throws StatusError 400 for a patch that is none, 422 when an operation or a test fails
 */
export function applyJsonPatch(target: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch)) {
    throw badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    );
  }
  if (!patch.every(isOperation)) throw unprocessable();
  try {
    const result: unknown = jsonPatch.applyPatch(copy(target), patch, true).newDocument;
    if (isObject(result)) return result;
  } catch {
    throw unprocessable();
  }
  throw unprocessable();
}

function isOperation(value: unknown): value is Operation {
  return isObject(value) && operations.has(value.op) && typeof value.path === 'string';
}
