import { type ApiObject, objectKey } from '../api-object.js';
import { copy, isObject, type JsonObject, numberAt, objectAt, setAt, textAt, valueAt } from '../json.js';
import { updateObject } from '../registry/update-object.js';
import { invalidValue } from '../resources/field-errors.js';
import { selectorText } from '../tables/cells.js';
import { type ApiAnswer, type ApiRequest, objectBody, writeOptionsOf } from './api-request.js';
import { patchOf } from './patch-request.js';
import { conflict, invalid, notFound, objectModified } from './status-error.js';

const scaleNamed = { group: 'autoscaling', plural: 'scales', kind: 'Scale' };

/** GET, PUT and PATCH of `…/scale`: `spec.replicas` alone, as `autoscaling/v1` Scale. */
export function scaleSubresource(request: ApiRequest): ApiAnswer {
  const { registry, type, namespace, name, verb } = request;
  const stored = registry.store.get(type.storage, objectKey(namespace, name));
  if (stored === undefined) throw notFound(type, name);
  if (verb === 'get') return { status: 200, body: scaleOf(stored) };
  const current = scaleOf(stored);
  const wanted = verb === 'update' ? objectBody(request) : patchOf({ ...request, type })(current);
  const replicas = numberAt(wanted, 'spec', 'replicas') ?? 0;
  const version = textAt(wanted, 'metadata', 'resourceVersion') ?? '';
  if (version !== '' && version !== stored.metadata.resourceVersion) {
    throw conflict(type, name, objectModified);
  }
  const uid = textAt(wanted, 'metadata', 'uid') ?? '';
  if (uid !== '' && uid !== stored.metadata.uid) {
    throw conflict(
      type,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${stored.metadata.uid}`,
    );
  }
  if (replicas < 0) {
    throw invalid(scaleNamed, name, [
      invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const updated = updateObject(registry, type, namespace, name, (object) => withReplicas(object, replicas), {
    ...writeOptionsOf(request),
    subresource: 'scale',
    replaces: false,
  });
  return { status: 200, body: scaleOf(updated) };
}

function withReplicas(object: ApiObject, replicas: number): JsonObject {
  const changed = copy<JsonObject>(object);
  setAt(changed, ['spec', 'replicas'], replicas);
  return changed;
}

function scaleOf(object: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = numberAt(object, 'spec', 'replicas') ?? 0;
  const selector = valueAt(object, 'spec', 'selector');
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    },
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(object, 'status', 'replicas') ?? 0,
      ...(isObject(selector) ? { selector: selectorText(objectAt(selector)) } : {}),
    },
  };
}
