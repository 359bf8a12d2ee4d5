import { badRequest, conflict, invalid, notFound, objectModified } from '../api/status-error.js';
import { type ApiObject, objectKey } from '../api-object.js';
import { apiTime } from '../api-time.js';
import { copy, isObject, type JsonObject, sameJson, textAt } from '../json.js';
import type { FieldSet } from '../patch/field-set.js';
import { managedAfterApply, managedAfterUpdate } from '../patch/managed-fields.js';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.js';
import { validateMetadata, validateMetadataUpdate } from '../resources/validate-metadata.js';
import { assertKind } from './create-object.js';
import { type Registry, shown, type WriteOptions } from './registry.js';
import { assertWireTypes } from './wire-types.js';

export interface UpdateOptions extends WriteOptions {
  /** '' for the object itself. */
  readonly subresource: '' | 'status' | 'binding' | 'scale';
  /** A whole object that replaces the old one: its uid is a precondition (409), not a changed field (422). */
  readonly replaces: boolean;
  /** Set by server-side apply: what was sent, and the fields taken over. */
  readonly applied?: { readonly sent: JsonObject; readonly taken: FieldSet };
}

/**
 * Changes one object. `change` gets the object as this version shows it and gives the wanted one; what a
 * client may not write (status, or everything but status) is put back. A change that changes nothing writes
 * nothing.
 *
 * @throws StatusError 400, 403, 404, 409, 422
 */
export function updateObject(
  registry: Registry,
  type: ResourceType,
  namespace: string,
  name: string,
  change: (current: ApiObject) => JsonObject,
  options: UpdateOptions,
): ApiObject {
  const key = objectKey(type.namespaced ? namespace : undefined, name);
  const stored = registry.store.get(type.storage, key);
  if (stored === undefined) throw notFound(type, name);
  const wanted = change(shown(type, stored));
  assertKind(type, wanted);
  assertWireTypes(type, wanted);
  assertSameObject(type, wanted, stored, options);
  const candidate = candidateOf(type, wanted, stored, options.subresource);
  type.applyDefaults(candidate);
  const request = {
    operation: 'update',
    type,
    namespace,
    name,
    subresource: options.subresource,
    previous: stored,
    options,
  } as const;
  for (const plugin of registry.admission) plugin(candidate, request);
  const errors = [
    ...validateMetadataUpdate(candidate, stored),
    ...validateMetadata(type, candidate),
    ...(options.subresource === 'binding' ? [] : type.validate(candidate, stored)),
  ];
  if (errors.length > 0) throw invalid(type, name, errors);
  // A Binding writes the node past the strategy that counts generations
  // (`core/pod/storage: setPodNodeAndMetadata`).
  if (type.countsGenerations && options.subresource !== 'binding' && specChanged(candidate, stored)) {
    candidate.metadata.generation = (stored.metadata.generation ?? 0) + 1;
  }
  const time = apiTime(registry.clock.now());
  setManagedFields(candidate, stored, options, time);
  if (isSameObject(candidate, stored)) return shown(type, stored);
  if (options.dryRun) return shown(type, candidate);
  if (candidate.metadata.deletionTimestamp !== undefined && isFinalised(type, candidate)) {
    registry.store.put(type.storage, candidate);
    return shown(type, registry.store.remove(type.storage, key) ?? candidate);
  }
  return shown(type, registry.store.put(type.storage, candidate));
}

/** Nothing holds back the removal of an object that is being deleted. */
function isFinalised(type: ResourceType, { metadata }: ApiObject): boolean {
  const isOver = !type.gracefulDeletion || metadata.deletionGracePeriodSeconds === 0;
  return isOver && (metadata.finalizers ?? []).length === 0;
}

function assertSameObject(
  type: ResourceType,
  wanted: JsonObject,
  { metadata }: ApiObject,
  options: UpdateOptions,
) {
  const name = textAt(wanted, 'metadata', 'name') ?? '';
  if (name !== metadata.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${metadata.name})`,
    );
  }
  const namespace = textAt(wanted, 'metadata', 'namespace') ?? '';
  if (type.namespaced && namespace !== '' && namespace !== metadata.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const uid = textAt(wanted, 'metadata', 'uid') ?? '';
  if (options.replaces && uid !== '' && uid !== metadata.uid) {
    throw conflict(
      type,
      metadata.name,
      `StorageError: invalid object, Code: 4, Key: /registry/${type.plural}/${type.namespaced ? `${metadata.namespace}/` : ''}${metadata.name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
    );
  }
  const version = textAt(wanted, 'metadata', 'resourceVersion') ?? '';
  if (version !== '' && version !== metadata.resourceVersion) {
    throw conflict(type, metadata.name, objectModified);
  }
}

/** The wanted object with everything put back that this request may not change. */
function candidateOf(
  type: ResourceType,
  wanted: JsonObject,
  stored: ApiObject,
  subresource: UpdateOptions['subresource'],
): ApiObject {
  const draft = type.convert === undefined ? copy(wanted) : type.convert.toStored(copy(wanted));
  const given = isObject(draft.metadata) ? draft.metadata : {};
  const { metadata: before } = stored;
  const metadata = {
    ...given,
    name: before.name,
    ...(before.namespace === undefined ? {} : { namespace: before.namespace }),
    uid: textAt(given, 'uid') || before.uid,
    creationTimestamp: textAt(given, 'creationTimestamp') || before.creationTimestamp,
    resourceVersion: before.resourceVersion,
  } as ApiObject['metadata'];
  const kept = ['generation', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'managedFields'] as const;
  for (const field of kept) {
    delete metadata[field];
    if (before[field] !== undefined) Object.assign(metadata, { [field]: copy(before[field]) });
  }
  const apiVersion = type.convert === undefined ? apiVersionOf(type) : stored.apiVersion;
  if (subresource === 'status') {
    if (before.labels === undefined) delete metadata.labels;
    else metadata.labels = { ...before.labels };
    return { ...copy(stored), metadata, status: draft.status };
  }
  const candidate: ApiObject = { ...draft, apiVersion, kind: type.kind, metadata };
  if (type.subresources.includes('status') && subresource !== 'binding') {
    if (stored.status === undefined) delete candidate.status;
    else candidate.status = copy(stored.status);
  }
  return candidate;
}

function setManagedFields(
  candidate: ApiObject,
  stored: ApiObject,
  options: UpdateOptions,
  time: string,
): void {
  const { applied, manager, subresource } = options;
  const writer = {
    manager,
    operation: applied === undefined ? 'Update' : 'Apply',
    subresource: subresource === 'binding' ? '' : subresource,
    time,
  } as const;
  candidate.metadata.managedFields =
    applied === undefined
      ? managedAfterUpdate(stored, candidate, writer)
      : managedAfterApply(candidate, applied.sent, writer, applied.taken);
  if (candidate.metadata.managedFields.length === 0 && stored.metadata.managedFields === undefined) {
    delete candidate.metadata.managedFields;
  }
}

/** True when anything but metadata and status differs. */
function specChanged(candidate: ApiObject, stored: ApiObject): boolean {
  const strip = ({ metadata, status, ...rest }: ApiObject & { status?: unknown }): JsonObject => rest;
  return !sameJson(strip(candidate), strip(stored));
}

function isSameObject(candidate: ApiObject, stored: ApiObject): boolean {
  return sameJson(candidate, stored);
}
