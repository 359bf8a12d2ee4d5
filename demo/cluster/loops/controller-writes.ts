import type { Condition } from '#src/engine/objects/metadata.js';
import { canonicalTemplate } from '#src/engine/workloads/template-equality.js';
import { StatusError } from '../api/status-error.js';
import type { ApiObject, OwnerReference } from '../api-object.js';
import { copy, type JsonObject, sameJson, setAt } from '../json.js';
import { deleteObject } from '../registry/delete-object.js';
import { safeEncode } from '../registry/names.js';
import type { Registry, WriteOptions } from '../registry/registry.js';
import { updateObject } from '../registry/update-object.js';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.js';

export const controllerWriter: WriteOptions = {
  manager: 'kube-controller-manager',
  user: 'system:serviceaccount:kube-system:controller',
  dryRun: false,
};

/** Writes the status if it differs from the stored one. */
export function writeStatus(
  registry: Registry,
  type: ResourceType,
  object: ApiObject,
  status: JsonObject,
  writer: WriteOptions = controllerWriter,
): void {
  const current = registry.store.get(type.storage, keyOfObject(object));
  if (current === undefined || sameJson(current.status ?? {}, status)) return;
  const { namespace = '', name } = object.metadata;
  updateObject(registry, type, namespace, name, (stored) => ({ ...stored, status }), {
    ...writer,
    subresource: 'status',
    replaces: false,
  });
}

/** Sets fields of the object itself. */
export function writeFields(
  registry: Registry,
  type: ResourceType,
  object: ApiObject,
  fields: readonly (readonly [path: readonly string[], value: unknown])[],
): ApiObject {
  const { namespace = '', name } = object.metadata;
  const change = (stored: ApiObject): JsonObject => {
    const changed = copy<JsonObject>(stored);
    for (const [path, value] of fields) setAt(changed, path, value);
    return changed;
  };
  return updateObject(registry, type, namespace, name, change, {
    ...controllerWriter,
    subresource: '',
    replaces: false,
  });
}

export function remove(registry: Registry, type: ResourceType, object: ApiObject): void {
  const { namespace = '', name, uid } = object.metadata;
  deleteObject(registry, type, namespace, name, { ...controllerWriter, uid, propagation: 'Background' });
}

/** Does it; a refusal by the API server is left for the next run. */
export function attempt(write: () => void): StatusError | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

export function controllerReference(type: ResourceType, { metadata }: ApiObject): OwnerReference {
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/**
 * A hash of the template for names and labels. Not the controller's own: that one is made of a Go struct
 * dump.
 */
export function templateHash(template: JsonObject, collisions = 0): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${canonicalTemplate(template)}${collisions === 0 ? '' : collisions}`)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return safeEncode(String(hash));
}

/** Conditions as the API prints them: what is empty is left out. */
export function conditionsJson(conditions: readonly Condition[]): JsonObject {
  if (conditions.length === 0) return {};
  return {
    conditions: conditions.map((condition) =>
      Object.fromEntries(
        Object.entries(condition).filter(([, value]) => value !== undefined && value !== ''),
      ),
    ),
  };
}

/** Counts as the API prints them: zeros are left out, but for those named. */
export function countsJson(
  counts: Readonly<Record<string, number | undefined>>,
  always: readonly string[],
): JsonObject {
  return Object.fromEntries(
    Object.entries(counts).filter(
      ([name, count]) => count !== undefined && (count !== 0 || always.includes(name)),
    ),
  );
}

function keyOfObject({ metadata }: ApiObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}
