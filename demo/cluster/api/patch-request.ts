import type { ApiObject } from '../api-object.js';
import { isObject, type JsonObject, valueAt } from '../json.js';
import type { FieldSet } from '../patch/field-set.js';
import { applyJsonPatch } from '../patch/json-patch.js';
import { applyMergePatch } from '../patch/merge-patch.js';
import { applyConfiguration } from '../patch/server-side-apply.js';
import { applyStrategicMerge } from '../patch/strategic-merge.js';
import { wireTypeProblem } from '../registry/wire-types.js';
import { invalidValue } from '../resources/field-errors.js';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.js';
import { type ApiRequest, decoded } from './api-request.js';
import { isTrue } from './list-options.js';
import { badRequest, invalid, unsupportedPatchType } from './status-error.js';

export const applyContentType = 'application/apply-patch+yaml';

/** A patch that has been read: what it makes of an object. */
export type Patch = (current: ApiObject) => JsonObject;

/**
 * Reads a merge, strategic merge or JSON patch.
 *
 * @throws StatusError 400 for a body that is no such patch, 415 for another content type
 */
export function patchOf({
  contentType,
  body,
  type,
}: Pick<ApiRequest, 'contentType' | 'body' | 'type'>): Patch {
  const text = body.toString();
  const patch = (): unknown =>
    decoded(text, false, (problem) => badRequest(`error decoding patch: ${problem}`));
  switch (contentType) {
    case 'application/merge-patch+json': {
      const value = mapOf(patch());
      return (current) => checked(type, applyMergePatch(current, value));
    }
    case 'application/strategic-merge-patch+json': {
      const value = mapOf(patch());
      return (current) => checked(type, applyStrategicMerge(type.kind, current, value));
    }
    case 'application/json-patch+json': {
      const value = patch();
      return (current) => checked(type, applyJsonPatch(current, value));
    }
    default:
      throw unsupportedPatchType();
  }
}

export interface ApplyRequest {
  readonly sent: JsonObject;
  readonly force: boolean;
  readonly onto: (
    live: ApiObject,
    manager: string,
    time: string,
  ) => { readonly object: JsonObject; readonly taken: FieldSet };
}

/** @throws StatusError 400 without a `fieldManager` or with a body that is no object of that name */
export function applyRequestOf(request: ApiRequest): ApplyRequest {
  const { body, query, type, name } = request;
  if (!query.get('fieldManager')) {
    throw invalid({ group: 'meta.k8s.io', plural: '', kind: 'PatchOptions' }, '', [
      { type: 'Required', field: 'fieldManager', detail: 'is required for apply patch' },
    ]);
  }
  const sent = decoded(body.toString(), true, (problem) => badRequest(`error decoding YAML: ${problem}`));
  if (!isObject(sent)) throw badRequest('error decoding YAML: the body is no object');
  if (sent.apiVersion !== apiVersionOf(type) || sent.kind !== type.kind) {
    throw badRequest(
      `apiVersion and kind of the applied object must be ${apiVersionOf(type)} and ${type.kind}`,
    );
  }
  if (valueAt(sent, 'metadata', 'managedFields') !== undefined) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const named = isObject(sent.metadata) ? { ...sent.metadata, name } : { name };
  const complete: JsonObject = { ...sent, metadata: named };
  const force = isTrue(query.get('force'));
  return {
    sent: complete,
    force,
    onto: (live, manager, time) =>
      applyConfiguration(
        live,
        complete,
        { manager, operation: 'Apply', subresource: request.subresource, time },
        force,
      ),
  };
}

function mapOf(value: unknown): JsonObject {
  if (isObject(value)) return value;
  const got = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${got} into Go value of type map[string]interface {}`,
  );
}

/** What a patch makes must still be of the right types. */
function checked(type: ResourceType, object: JsonObject): JsonObject {
  const problem = wireTypeProblem(type, object);
  if (problem === undefined) return object;
  throw invalid({ group: '', plural: '', kind: '' }, '', [
    invalidValue('patch', JSON.stringify(object), problem),
  ]);
}
