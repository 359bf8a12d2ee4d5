import type { ApiObject } from '../api-object.js';
import type { ClusterClock } from '../clock.js';
import type { JsonObject } from '../json.js';
import type { ResourceType } from '../resources/resource-type.js';
import type { ObjectStore } from '../store/object-store.js';

export type Operation = 'create' | 'update' | 'delete';

/** Who writes, and how. */
export interface WriteOptions {
  /** The `fieldManager`. */
  readonly manager: string;
  readonly user: string;
  readonly dryRun: boolean;
}

export interface AdmissionRequest {
  readonly operation: Operation;
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly previous: ApiObject | undefined;
  readonly options: WriteOptions;
}

/** Looks at a write before it is validated: may change the object, or throw a StatusError to refuse it. */
export type AdmissionPlugin = (object: JsonObject, request: AdmissionRequest) => void;

/** What the verbs work on. */
export interface Registry {
  readonly store: ObjectStore;
  readonly clock: ClusterClock;
  /** A random version 4 UUID; injectable so that a seed gives the same names each time. */
  readonly newUid: () => string;
  /** The five characters behind a `generateName`. */
  readonly newSuffix: () => string;
  readonly admission: readonly AdmissionPlugin[];
}

/** The stored object in the shape of this version. */
export function shown(type: ResourceType, stored: ApiObject): ApiObject {
  return type.convert === undefined ? stored : type.convert.toShown(stored);
}
