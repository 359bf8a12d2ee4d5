import { namespaceLifecycle } from './admission/namespace-lifecycle.js';
import {
  defaultTolerations,
  initialPodStatus,
  limitRangeDefaults,
  podPriority,
  serviceAccount,
} from './admission/pod-admission.js';
import { resourceQuota } from './admission/resource-quota.js';
import { webhookFaults } from './admission/webhook-faults.js';
import { createFaults, type Faults } from './api/faults.js';
import type { ApiObject } from './api-object.js';
import { apiTime } from './api-time.js';
import type { ClusterClock } from './clock.js';
import { copy, isObject, type JsonObject, textAt } from './json.js';
import { createLogStore, type LogStore } from './recording/log-store.js';
import { createNames } from './registry/names.js';
import type { Registry } from './registry/registry.js';
import { storageOf } from './resources/resource-row.js';
import { apiVersionOf } from './resources/resource-type.js';
import { resourceTypeOfKind, resourceTypes } from './resources/resource-types.js';
import { podFields } from './resources/selectable-fields.js';
import { createObjectStore } from './store/object-store.js';

/** A cluster without its HTTP server: objects, admission, logs and faults, on one clock. */
export interface ClusterState {
  readonly registry: Registry;
  readonly logs: LogStore;
  readonly faults: Faults;
  /**
   * Stores objects as they are, past defaults, admission and validation: uid, times and status stay, the
   * resourceVersion is new, and a uid or creation time that is missing is made.
   *
   * @throws when an object is of a kind that is not served
   */
  load(objects: readonly JsonObject[]): void;
}

const indexedPodFields = ['spec.nodeName', 'status.phase'] as const;

/** @param seed of names and uids: equal seeds give equal names */
export function createClusterState(clock: ClusterClock, seed: number): ClusterState {
  const podIndexes = Object.fromEntries(
    indexedPodFields.flatMap((field) => {
      const fieldOf = podFields[field];
      return fieldOf === undefined ? [] : [[field, fieldOf]];
    }),
  );
  const store = createObjectStore({ [storageOf('', 'pods')]: podIndexes });
  const faults = createFaults();
  const registry: Registry = {
    store,
    clock,
    ...createNames(seed),
    admission: [
      namespaceLifecycle(store),
      serviceAccount,
      defaultTolerations,
      podPriority(store),
      limitRangeDefaults(store),
      initialPodStatus,
      webhookFaults(faults),
      resourceQuota(store, clock),
    ],
  };
  return {
    registry,
    logs: createLogStore(),
    faults,
    load(objects) {
      const ordered = objects.map((object) => stored(registry, object)).sort((a, b) => rankOf(a) - rankOf(b));
      for (const object of ordered) {
        const type = resourceTypeOfKind(object.apiVersion, object.kind);
        if (type !== undefined) store.put(type.storage, object);
      }
    },
  };
}

/** In the order of the resource table, so that a namespace comes before what is in it. */
function rankOf({ apiVersion, kind }: ApiObject): number {
  return resourceTypes.findIndex((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
}

function stored(registry: Registry, given: JsonObject): ApiObject {
  const apiVersion = textAt(given, 'apiVersion') ?? '';
  const kind = textAt(given, 'kind') ?? '';
  const type = resourceTypeOfKind(apiVersion, kind);
  if (type === undefined) throw new Error(`the local cluster serves no ${kind} of ${apiVersion}`);
  const object = type.convert === undefined ? copy(given) : type.convert.toStored(copy(given));
  const metadata = isObject(object.metadata) ? object.metadata : {};
  return {
    ...object,
    apiVersion: textAt(object, 'apiVersion') ?? apiVersion,
    kind,
    metadata: {
      ...metadata,
      name: textAt(metadata, 'name') ?? '',
      ...(type.namespaced ? { namespace: textAt(metadata, 'namespace') ?? 'default' } : {}),
      uid: textAt(metadata, 'uid') ?? registry.newUid(),
      creationTimestamp: textAt(metadata, 'creationTimestamp') ?? apiTime(registry.clock.now()),
      resourceVersion: '',
      ...(type.countsGenerations ? { generation: Number(metadata.generation ?? 1) } : {}),
    },
  };
}
