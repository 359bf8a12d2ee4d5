import { failedPrecondition, notFound } from '../api/status-error.js';
import { type ApiObject, objectKey } from '../api-object.js';
import { apiTime } from '../api-time.js';
import { copy, type JsonObject, numberAt, setAt } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import { type Registry, shown, type WriteOptions } from './registry.js';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteOptions extends WriteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagation?: Propagation | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/**
 * Finalizers that the garbage collector takes off (kubernetes `metav1.FinalizerDeleteDependents`,
 * `FinalizerOrphanDependents`).
 */
export const propagationFinalizers = { Foreground: 'foregroundDeletion', Orphan: 'orphan' } as const;

/**
 * Deletes one object: at once, or after its grace period (a pod on a node), or when its last finalizer is
 * taken off. Gives the body of the answer: a Status for what is gone, the object for what only began to go.
 *
 * @throws StatusError 403, 404, 409 for a failed precondition
 */
export function deleteObject(
  registry: Registry,
  type: ResourceType,
  namespace: string,
  name: string,
  options: DeleteOptions,
): JsonObject {
  const key = objectKey(type.namespaced ? namespace : undefined, name);
  const stored = registry.store.get(type.storage, key);
  if (stored === undefined) throw notFound(type, name);
  assertPreconditions(type, stored, options);
  const request = {
    operation: 'delete',
    type,
    namespace,
    name,
    subresource: '',
    previous: stored,
    options,
  } as const;
  for (const plugin of registry.admission) plugin(copy(stored), request);
  const marked = markedForDeletion(registry, type, stored, options);
  const grace = marked.metadata.deletionGracePeriodSeconds ?? 0;
  const waits =
    (marked.metadata.finalizers ?? []).length > 0 ||
    (type.gracefulDeletion && grace > 0) ||
    type.kind === 'Namespace';
  if (options.dryRun) return waits || type.gracefulDeletion ? shown(type, marked) : success(type, stored);
  if (waits) {
    const isNews = JSON.stringify(marked) !== JSON.stringify(stored);
    return shown(type, isNews ? registry.store.put(type.storage, marked) : stored);
  }
  const last = registry.store.remove(type.storage, key) ?? stored;
  return type.gracefulDeletion ? shown(type, last) : success(type, last);
}

/** The grace period that this deletion gives: a shorter one may follow a longer one, never the other way. */
function markedForDeletion(
  registry: Registry,
  type: ResourceType,
  stored: ApiObject,
  options: DeleteOptions,
): ApiObject {
  const now = registry.clock.now();
  const marked = copy(stored);
  const { metadata } = marked;
  const grace = type.gracefulDeletion ? graceOf(stored, options) : 0;
  const former = stored.metadata.deletionGracePeriodSeconds;
  if (metadata.deletionTimestamp === undefined || (former !== undefined && grace < former)) {
    metadata.deletionTimestamp = apiTime(now + grace * 1000);
    metadata.deletionGracePeriodSeconds = grace;
    if (metadata.generation !== undefined && stored.metadata.deletionTimestamp === undefined) {
      metadata.generation += 1;
    }
  }
  if (type.kind === 'Namespace') setAt(marked, ['status', 'phase'], 'Terminating');
  const { propagation } = options;
  if (propagation === 'Foreground' || propagation === 'Orphan') {
    const finalizer = propagationFinalizers[propagation];
    metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), finalizer])];
  }
  return marked;
}

/** Zero for a pod that no kubelet has: there is nobody to wait for. */
function graceOf(pod: ApiObject, options: DeleteOptions): number {
  const phase = (pod.status as JsonObject | undefined)?.phase;
  const hasKubelet = Boolean((pod.spec as JsonObject | undefined)?.nodeName);
  if (!hasKubelet || phase === 'Succeeded' || phase === 'Failed') return 0;
  return options.gracePeriodSeconds ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 30;
}

function assertPreconditions(type: ResourceType, { metadata }: ApiObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options;
  if (uid !== undefined && uid !== metadata.uid) {
    throw failedPrecondition(
      type,
      metadata.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw failedPrecondition(
      type,
      metadata.name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

function success(type: ResourceType, { metadata }: ApiObject): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: metadata.name,
      ...(type.group === '' ? {} : { group: type.group }),
      kind: type.plural,
      uid: metadata.uid,
    },
  };
}
