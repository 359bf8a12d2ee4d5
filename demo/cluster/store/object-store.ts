import { type ApiObject, keyOf } from '../api-object.js';
import { deepFreeze } from '../json.js';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write. `object` carries the change's own resourceVersion, also when it was deleted. */
export interface Change {
  readonly type: ChangeType;
  readonly revision: number;
  /** `group/plural` of the stored resource. */
  readonly resource: string;
  readonly key: string;
  readonly object: ApiObject;
  readonly previous: ApiObject | undefined;
}

/** What an index is asked by: the value of one field selector, such as `spec.nodeName`. */
export type IndexedFields = Readonly<Record<string, (object: ApiObject) => string>>;

export interface ObjectStore {
  readonly revision: number;
  /** The newest revision that is no longer in the history; watches and snapshots cannot begin before it. */
  readonly compactedRevision: number;
  get(resource: string, key: string): ApiObject | undefined;
  /** In the order of keys. Before `revision` was compacted, the collection as it was then. */
  list(resource: string, revision?: number): readonly ApiObject[];
  /** Objects whose indexed field has that value; `undefined` when the field has no index. */
  indexed(resource: string, field: string, value: string): readonly ApiObject[] | undefined;
  /** Stores with the next revision stamped into `metadata.resourceVersion`. */
  put(resource: string, object: ApiObject): ApiObject;
  /** Gives the object as it last was, with the revision of its deletion; `undefined` when there was none. */
  remove(resource: string, key: string): ApiObject | undefined;
  /** Changes after that revision, oldest first. */
  changesSince(revision: number): readonly Change[];
  subscribe(listener: (change: Change) => void): () => void;
  /** Forgets all history up to now, as etcd's compaction does every five minutes. */
  compact(): void;
  readonly resources: readonly string[];
}

/** Changes kept for watches that reconnect. */
const historyLength = 20_000;

/**
 * Objects in memory with one revision counter for all, as in etcd. It knows nothing of kinds.
 *
 * @param indexes by resource; keeps `spec.nodeName` look-ups from scanning every pod
 */
export function createObjectStore(
  indexes: Readonly<Record<string, IndexedFields>>,
  start = 1000,
): ObjectStore {
  const collections = new Map<string, Map<string, ApiObject>>();
  const byField = new Map<string, Map<string, Map<string, ApiObject>>>();
  const listeners = new Set<(change: Change) => void>();
  let history: Change[] = [];
  let revision = start;
  let compactedRevision = start;

  function collection(resource: string): Map<string, ApiObject> {
    let found = collections.get(resource);
    if (found === undefined) {
      found = new Map();
      collections.set(resource, found);
    }
    return found;
  }

  function reindex(
    resource: string,
    key: string,
    before: ApiObject | undefined,
    after: ApiObject | undefined,
  ) {
    for (const [field, fieldOf] of Object.entries(indexes[resource] ?? {})) {
      const name = `${resource} ${field}`;
      const values = byField.get(name) ?? new Map<string, Map<string, ApiObject>>();
      byField.set(name, values);
      if (before !== undefined) values.get(fieldOf(before))?.delete(key);
      if (after === undefined) continue;
      const value = fieldOf(after);
      const members = values.get(value) ?? new Map<string, ApiObject>();
      members.set(key, after);
      values.set(value, members);
    }
  }

  function record(change: Change): void {
    history.push(change);
    if (history.length > historyLength * 1.5) {
      const dropped = history.splice(0, history.length - historyLength);
      compactedRevision = dropped.at(-1)?.revision ?? compactedRevision;
    }
    for (const listener of [...listeners]) listener(change);
  }

  function stamped(object: ApiObject): ApiObject {
    revision += 1;
    return deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
  }

  function asOf(resource: string, past: number): Map<string, ApiObject> {
    const objects = new Map(collection(resource));
    for (let index = history.length - 1; index >= 0; index -= 1) {
      const change = history[index];
      if (change === undefined || change.revision <= past) break;
      if (change.resource !== resource) continue;
      if (change.previous === undefined) objects.delete(change.key);
      else objects.set(change.key, change.previous);
    }
    return objects;
  }

  return {
    get revision() {
      return revision;
    },
    get compactedRevision() {
      return compactedRevision;
    },
    get resources() {
      return [...collections.keys()].sort();
    },
    get: (resource, key) => collection(resource).get(key),
    list(resource, past) {
      const objects = past === undefined || past >= revision ? collection(resource) : asOf(resource, past);
      return inOrder(objects);
    },
    indexed(resource, field, value) {
      if (indexes[resource]?.[field] === undefined) return undefined;
      return inOrder(byField.get(`${resource} ${field}`)?.get(value) ?? new Map());
    },
    put(resource, object) {
      const key = keyOf(object);
      const previous = collection(resource).get(key);
      const stored = stamped(object);
      collection(resource).set(key, stored);
      reindex(resource, key, previous, stored);
      const type = previous === undefined ? 'ADDED' : 'MODIFIED';
      record({ type, revision, resource, key, object: stored, previous });
      return stored;
    },
    remove(resource, key) {
      const previous = collection(resource).get(key);
      if (previous === undefined) return undefined;
      const last = stamped(previous);
      collection(resource).delete(key);
      reindex(resource, key, previous, undefined);
      record({ type: 'DELETED', revision, resource, key, object: last, previous });
      return last;
    },
    changesSince: (past) => {
      const from = history.findIndex((change) => change.revision > past);
      return from === -1 ? [] : history.slice(from);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    compact() {
      history = [];
      compactedRevision = revision;
    },
  };
}

function inOrder(objects: ReadonlyMap<string, ApiObject>): readonly ApiObject[] {
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}
