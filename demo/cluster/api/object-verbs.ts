import { objectKey } from '../api-object.js';
import { apiTime } from '../api-time.js';
import { isObject, type JsonObject, numberAt, textAt, valueAt } from '../json.js';
import { createObject } from '../registry/create-object.js';
import { type DeleteOptions, deleteObject, type Propagation } from '../registry/delete-object.js';
import { shown } from '../registry/registry.js';
import { updateObject } from '../registry/update-object.js';
import type { IncludeObject } from '../tables/table.js';
import { type ApiAnswer, type ApiRequest, decoded, objectBody, writeOptionsOf } from './api-request.js';
import { listObjects } from './list-objects.js';
import { isSelected, parseListOptions } from './list-options.js';
import { applyContentType, applyRequestOf, patchOf } from './patch-request.js';
import { representationOf, showList, showObject, type View } from './representation.js';
import { badRequest, notFound } from './status-error.js';

export function viewOf(request: ApiRequest): View {
  const include = request.query.get('includeObject');
  return {
    type: request.type,
    as: representationOf(request.accept),
    include: include === 'None' || include === 'Object' ? (include satisfies IncludeObject) : 'Metadata',
    now: request.registry.clock.now(),
  };
}

export function getObject(request: ApiRequest): ApiAnswer {
  const { registry, type, namespace, name } = request;
  const view = viewOf(request);
  const stored = registry.store.get(type.storage, objectKey(type.namespaced ? namespace : undefined, name));
  if (stored === undefined) throw notFound(type, name);
  return { status: 200, body: showObject(view, shown(type, stored)) };
}

export function listCollection(request: ApiRequest): ApiAnswer {
  const { registry, type, namespace, query } = request;
  const view = viewOf(request);
  const { items, metadata } = listObjects(registry, type, namespace, parseListOptions(type, query));
  return { status: 200, body: showList(view, items, metadata) };
}

export function createOne(request: ApiRequest): ApiAnswer {
  const { registry, type, namespace } = request;
  const view = viewOf(request);
  const options = writeOptionsOf(request);
  const created = createObject(registry, type, namespace, objectBody(request), options);
  return { status: 201, body: showObject(view, created) };
}

export function replaceOne(request: ApiRequest): ApiAnswer {
  const { registry, type, namespace, name } = request;
  const view = viewOf(request);
  const body = objectBody(request);
  const updated = updateObject(registry, type, namespace, name, () => body, {
    ...writeOptionsOf(request),
    subresource: request.subresource === 'status' ? 'status' : '',
    replaces: true,
  });
  return { status: 200, body: showObject(view, updated) };
}

export function patchOne(request: ApiRequest): ApiAnswer {
  if (request.contentType === applyContentType) return applyOne(request);
  const { registry, type, namespace, name } = request;
  const view = viewOf(request);
  const patched = updateObject(registry, type, namespace, name, patchOf(request), {
    ...writeOptionsOf(request),
    subresource: request.subresource === 'status' ? 'status' : '',
    replaces: false,
  });
  return { status: 200, body: showObject(view, patched) };
}

/** Server-side apply: creates what is not there. */
function applyOne(request: ApiRequest): ApiAnswer {
  const { registry, type, namespace, name } = request;
  const view = viewOf(request);
  const options = writeOptionsOf(request);
  const apply = applyRequestOf(request);
  const live = registry.store.get(type.storage, objectKey(type.namespaced ? namespace : undefined, name));
  if (live === undefined) {
    const created = createObject(registry, type, namespace, apply.sent, { ...options, operation: 'Apply' });
    return { status: 201, body: showObject(view, created) };
  }
  const { object, taken } = apply.onto(live, options.manager, apiTime(registry.clock.now()));
  const applied = updateObject(registry, type, namespace, name, () => object, {
    ...options,
    subresource: request.subresource === 'status' ? 'status' : '',
    replaces: false,
    applied: { sent: apply.sent, taken },
  });
  return { status: 200, body: showObject(view, applied) };
}

export function deleteOne(request: ApiRequest): ApiAnswer {
  const { registry, type, namespace, name } = request;
  const body = deleteObject(registry, type, namespace, name, deleteOptionsOf(request));
  return { status: 200, body };
}

export function deleteCollection(request: ApiRequest): ApiAnswer {
  const { registry, type, namespace, query } = request;
  const options = deleteOptionsOf(request);
  const selection = parseListOptions(type, query);
  const selected = registry.store
    .list(type.storage)
    .filter((object) => namespace === '' || object.metadata.namespace === namespace)
    .filter((object) => isSelected(type, selection, object));
  for (const { metadata } of selected) {
    deleteObject(registry, type, metadata.namespace ?? '', metadata.name, options);
  }
  const view = viewOf(request);
  const items = selected.map((object) => shown(type, object));
  return { status: 200, body: showList(view, items, { resourceVersion: String(registry.store.revision) }) };
}

/** `DeleteOptions` from the body, or from the query where there is none. */
function deleteOptionsOf(request: ApiRequest): DeleteOptions {
  const { body, query } = request;
  const given: JsonObject = body.length === 0 ? {} : optionsBody(request);
  const grace = numberAt(given, 'gracePeriodSeconds') ?? queryNumber(query.get('gracePeriodSeconds'));
  const propagation = textAt(given, 'propagationPolicy') ?? query.get('propagationPolicy') ?? undefined;
  return {
    ...writeOptionsOf(request, { dryRun: valueAt(given, 'dryRun') }),
    gracePeriodSeconds: grace,
    propagation: isPropagation(propagation) ? propagation : undefined,
    uid: textAt(given, 'preconditions', 'uid'),
    resourceVersion: textAt(given, 'preconditions', 'resourceVersion'),
  };
}

function optionsBody({ body }: ApiRequest): JsonObject {
  const value = decoded(body.toString(), false, (problem) => badRequest(problem));
  if (!isObject(value)) throw badRequest('the body of a deletion must be DeleteOptions');
  return value;
}

function queryNumber(text: string | null): number | undefined {
  return text === null || !/^\d+$/.test(text) ? undefined : Number(text);
}

function isPropagation(text: string | undefined): text is Propagation {
  return text === 'Background' || text === 'Foreground' || text === 'Orphan';
}
