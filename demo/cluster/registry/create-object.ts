import { alreadyExists, badRequest, invalid, StatusError } from '../api/status-error.js';
import type { ApiObject } from '../api-object.js';
import { objectKey } from '../api-object.js';
import { apiTime } from '../api-time.js';
import { copy, isObject, type JsonObject, objectAt, textAt } from '../json.js';
import { managedAfterUpdate } from '../patch/managed-fields.js';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.js';
import { validateMetadata } from '../resources/validate-metadata.js';
import { type Registry, shown, type WriteOptions } from './registry.js';
import { assertWireTypes } from './wire-types.js';

/** More tries than this and the name space of a `generateName` counts as full, as in the real server. */
const generateNameTries = 8;

/**
 * Stores a new object: type, name, defaults, admission, validation, then `uid`, `creationTimestamp`,
 * `generation` and `managedFields`.
 *
 * @throws StatusError 400, 403, 404 (namespace), 409 AlreadyExists, 422
 */
export function createObject(
  registry: Registry,
  type: ResourceType,
  namespace: string,
  body: JsonObject,
  options: WriteOptions & { readonly operation?: 'Apply' | 'Update' },
): ApiObject {
  assertKind(type, body);
  assertWireTypes(type, body);
  assertNamespace(type, body, namespace);
  const draft = type.convert === undefined ? copy(body) : type.convert.toStored(copy(body));
  const metadata = metadataOf(registry, type, draft, namespace);
  const object: ApiObject = {
    ...draft,
    apiVersion: type.convert === undefined ? apiVersionOf(type) : 'v1',
    kind: type.kind,
    metadata,
  };
  // A kubelet registers its node with the status; of everything else the status is the controllers' to write.
  if (type.subresources.includes('status') && type.kind !== 'Node') delete object.status;
  type.applyDefaults(object);
  const request = {
    operation: 'create',
    type,
    namespace,
    name: metadata.name,
    subresource: '',
    previous: undefined,
    options,
  } as const;
  for (const plugin of registry.admission) plugin(object, request);
  const errors = [...validateMetadata(type, object), ...type.validate(object, undefined)];
  if (errors.length > 0) throw invalid(type, metadata.name, errors);
  const key = objectKey(metadata.namespace, metadata.name);
  if (registry.store.get(type.storage, key) !== undefined) throw alreadyExists(type, metadata.name);
  const time = apiTime(registry.clock.now());
  metadata.managedFields = managedAfterUpdate(undefined, object, {
    manager: options.manager,
    operation: options.operation ?? 'Update',
    subresource: '',
    time,
  });
  if (options.dryRun) return shown(type, object);
  return shown(type, registry.store.put(type.storage, object));
}

/** @throws StatusError 400 when the body names another kind than the path */
export function assertKind(type: ResourceType, body: JsonObject): void {
  const kind = textAt(body, 'kind') ?? type.kind;
  const apiVersion = textAt(body, 'apiVersion') ?? apiVersionOf(type);
  if (kind === type.kind && apiVersion === apiVersionOf(type)) return;
  const version = apiVersion.split('/').at(-1) ?? '';
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a ${type.kind}: converting (${version}.${kind}) to (${type.group || 'core'}.${type.kind}): unknown conversion`,
  );
}

function assertNamespace(type: ResourceType, body: JsonObject, namespace: string): void {
  const named = textAt(body, 'metadata', 'namespace') ?? '';
  if (!type.namespaced || named === '' || named === namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

function metadataOf(
  registry: Registry,
  type: ResourceType,
  draft: JsonObject,
  namespace: string,
): ApiObject['metadata'] {
  const given = objectAt(draft, 'metadata');
  if (textAt(given, 'resourceVersion')) {
    throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
  }
  const generateName = textAt(given, 'generateName') ?? '';
  const name = textAt(given, 'name') || generated(registry, type, namespace, generateName);
  const { labels, annotations, ownerReferences, finalizers } = given;
  return {
    name,
    ...(generateName === '' ? {} : { generateName }),
    ...(type.namespaced ? { namespace } : {}),
    uid: registry.newUid(),
    resourceVersion: '',
    ...(type.countsGenerations ? { generation: 1 } : {}),
    creationTimestamp: apiTime(registry.clock.now()),
    ...(isObject(labels) ? { labels: labels as Record<string, string> } : {}),
    ...(isObject(annotations) ? { annotations: annotations as Record<string, string> } : {}),
    ...(Array.isArray(ownerReferences) ? { ownerReferences } : {}),
    ...(Array.isArray(finalizers) ? { finalizers } : {}),
  };
}

function generated(registry: Registry, type: ResourceType, namespace: string, prefix: string): string {
  if (prefix === '') return '';
  let name = '';
  for (let tries = 0; tries < generateNameTries; tries += 1) {
    name = `${prefix.slice(0, 58)}${registry.newSuffix()}`;
    const key = objectKey(type.namespaced ? namespace : undefined, name);
    if (registry.store.get(type.storage, key) === undefined) return name;
  }
  return name;
}
