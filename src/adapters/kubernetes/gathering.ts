import {
  type ClusterObjects,
  clusterObjects,
  type ObjectOf,
  type ResourceKind,
} from '../../core/cluster/cluster-objects.js';
import type { Unseen } from '../../core/cluster/snapshot.js';
import type { Unreadable } from '../../usecases/ports.js';
import type { ApiCall } from './api-call.js';
import { listObjects, readObject, type Selection } from './read-objects.js';

/**
 * Collects what one look reads: every object once, however many reads return it, and every read that failed as
 * something unseen.
 */
export interface Gathering {
  /** Lists and keeps; a failure ends in `unseen` and gives an empty list. */
  list<Kind extends ResourceKind>(kind: Kind, selection: Selection): Promise<readonly ObjectOf<Kind>[]>;
  /** Reads one object and keeps it; a missing one is simply not there. */
  get<Kind extends ResourceKind>(
    kind: Kind,
    at: { readonly namespace: string; readonly name: string },
  ): Promise<ObjectOf<Kind> | undefined>;
  keep<Kind extends ResourceKind>(kind: Kind, objects: readonly ObjectOf<Kind>[]): void;
  miss(what: Unseen['what'], namespace: string, failure: Pick<Unreadable, 'because' | 'message'>): void;
  objects(): ClusterObjects;
  unseen(): readonly Unseen[];
}

export function createGathering(call: ApiCall, signal: AbortSignal): Gathering {
  const kept = new Map<ResourceKind, Map<string, ObjectOf<ResourceKind>>>();
  const missed = new Map<string, Unseen>();

  const gathering: Gathering = {
    async list(kind, selection) {
      const read = await listObjects(call, kind, selection, signal);
      if (read.type === 'unreadable') {
        // A kind that the cluster does not serve (an add-on's, a newer version's) has no objects.
        if (read.because !== 'not-served') gathering.miss(kind, selection.namespace ?? '', read);
        return [];
      }
      if (read.value.cut) {
        gathering.miss(kind, selection.namespace ?? '', { because: 'too-many', message: '' });
      }
      if (read.value.malformed !== '') {
        const { malformed } = read.value;
        gathering.miss(kind, selection.namespace ?? '', { because: 'malformed', message: malformed });
      }
      gathering.keep(kind, read.value.items);
      return read.value.items;
    },
    async get(kind, at) {
      const read = await readObject(call, kind, at, signal);
      if (read.type === 'missing') return undefined;
      if (read.type === 'unreadable') {
        gathering.miss(kind, at.namespace, read);
        return undefined;
      }
      gathering.keep(kind, [read.value]);
      return read.value;
    },
    keep(kind, objects) {
      const known = kept.get(kind) ?? new Map<string, ObjectOf<ResourceKind>>();
      kept.set(kind, known);
      for (const object of objects) {
        known.set(`${object.metadata.namespace}/${object.metadata.name}`, object);
      }
    },
    miss(what, namespace, { because, message }) {
      missed.set(`${what}/${namespace}/${because}`, { what, namespace, because, message });
    },
    objects() {
      const lists = [...kept].map(([kind, objects]) => [kind, [...objects.values()]]);
      return clusterObjects(Object.fromEntries(lists));
    },
    unseen: () => [...missed.values()],
  };
  return gathering;
}
