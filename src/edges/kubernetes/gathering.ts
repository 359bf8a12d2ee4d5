import type { ClusterObjects, ObjectOf, ResourceKind } from '../../engine/objects/cluster-objects.js';
import { byNamespaceAndName, resourceKinds } from '../../engine/objects/cluster-objects.js';
import type { Unseen } from '../../engine/objects/snapshot.js';
import type { Unreadable } from '../../service/diagnose/cluster-reader.js';
import type { ApiCall } from './api-call.js';
import { cachedList } from './list-reading.js';
import { listObjects, type Read, readObject, type Selection } from './read-objects.js';

/**
 * The gathering decides how a list is read: from the cache, and not older than what was demanded of the kind.
 */
type Selected = Omit<Selection, 'reading'> & {
  /** A deadline of this list alone, in milliseconds. */
  readonly timeoutMs?: number;
};

type Place = { readonly namespace: string; readonly name: string };

/**
 * Collects what one diagnosis reads: every object once, in its newest state, however many reads return it,
 * and every read that failed as something unseen.
 */
export interface Gathering {
  /** Lists and keeps; a failure ends in `unseen` and gives an empty list. */
  list<Kind extends ResourceKind>(kind: Kind, selection: Selected): Promise<readonly ObjectOf<Kind>[]>;
  /** The same, and gives the failure. What does not exist where a kind is not served is an empty list. */
  tryList<Kind extends ResourceKind>(
    kind: Kind,
    selection: Selected,
  ): Promise<readonly ObjectOf<Kind>[] | Unreadable>;
  /** Reads one object from etcd and keeps it; a missing one is simply not there. */
  get<Kind extends ResourceKind>(kind: Kind, at: Place): Promise<ObjectOf<Kind> | undefined>;
  /** Reads an object that a list gave once more, from etcd; one that is gone is no longer kept. */
  confirm(kind: ResourceKind, at: Place): Promise<'same' | 'corrected' | 'unconfirmed'>;
  /** From now on lists of these kinds are not older than this version, as far as the cache reaches it. */
  demand(kinds: readonly ResourceKind[], resourceVersion: string): void;
  /**
   * What lists of this kind are not older than; `undefined` where nothing is demanded or the cache did not
   * reach it.
   */
  demanded(kind: ResourceKind): string | undefined;
  /** Kinds whose cache did not reach what was demanded. */
  older(): readonly ResourceKind[];
  keep<Kind extends ResourceKind>(kind: Kind, objects: readonly ObjectOf<Kind>[]): void;
  /**
   * Keeps objects that lack fields, beside those that were read whole. False, and nothing is kept, where one
   * of them was read in another state.
   */
  adopt<Kind extends ResourceKind>(kind: Kind, objects: readonly ObjectOf<Kind>[]): boolean;
  miss(what: Unseen['what'], namespace: string, failure: Pick<Unreadable, 'because' | 'message'>): void;
  objects(): ClusterObjects;
  unseen(): readonly Unseen[];
}

export function createGathering(call: ApiCall, signal: AbortSignal): Gathering {
  const kept = new Map<ResourceKind, Map<string, ObjectOf<ResourceKind>>>();
  const missed = new Map<string, Unseen>();
  const demanded = new Map<ResourceKind, string>();
  const older = new Set<ResourceKind>();
  /** Of kinds that did not change since they were asked for: thousands of nodes are not sorted each time. */
  const sorted = new Map<ResourceKind, readonly ObjectOf<ResourceKind>[]>();
  const sortedOf = (kind: ResourceKind): readonly ObjectOf<ResourceKind>[] => {
    const objects = sorted.get(kind) ?? [...(kept.get(kind)?.values() ?? [])].sort(byNamespaceAndName);
    sorted.set(kind, objects);
    return objects;
  };

  const gathering: Gathering = {
    async list(kind, selection) {
      const read = await gathering.tryList(kind, selection);
      return 'type' in read ? [] : read;
    },
    async tryList(kind, { timeoutMs, ...selection }) {
      const deadline =
        timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const resourceVersion = demanded.get(kind);
      const reading =
        resourceVersion === undefined ? cachedList : ({ type: 'not-older-than', resourceVersion } as const);
      const read = await listObjects(call, kind, { ...selection, reading }, deadline);
      if (read.type === 'unreadable') {
        // A kind that the cluster does not serve (an add-on's, a newer version's) has no objects.
        if (read.because === 'not-served') return [];
        gathering.miss(kind, selection.namespace ?? '', read);
        return read;
      }
      const { cut, malformed, isOlder, items } = read.value;
      if (cut) gathering.miss(kind, selection.namespace ?? '', { because: 'too-many', message: '' });
      if (malformed !== '') {
        gathering.miss(kind, selection.namespace ?? '', { because: 'malformed', message: malformed });
      }
      if (isOlder) {
        // Not waited for again: each list would take three seconds.
        demanded.delete(kind);
        older.add(kind);
      } else if (demanded.has(kind) && read.value.resourceVersion !== '') {
        demanded.set(kind, read.value.resourceVersion);
      }
      gathering.keep(kind, items);
      return items;
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
    async confirm(kind, at) {
      const read: Read<ObjectOf<ResourceKind>> = await readObject(call, kind, at, signal);
      if (read.type === 'unreadable') return 'unconfirmed';
      const objects = kept.get(kind);
      const known = objects?.get(keyOf(at));
      if (read.type === 'missing') {
        objects?.delete(keyOf(at));
        sorted.delete(kind);
        return 'corrected';
      }
      gathering.keep(kind, [read.value]);
      return isSame(read.value, known) ? 'same' : 'corrected';
    },
    demand(kinds, resourceVersion) {
      if (resourceVersion !== '') for (const kind of kinds) demanded.set(kind, resourceVersion);
    },
    demanded: (kind) => demanded.get(kind),
    older: () => [...older],
    keep(kind, objects) {
      const known = kept.get(kind) ?? new Map<string, ObjectOf<ResourceKind>>();
      kept.set(kind, known);
      sorted.delete(kind);
      for (const object of objects) {
        const key = keyOf(object.metadata);
        const before = known.get(key);
        if (before === undefined || !isOlderState(object, before)) known.set(key, object);
      }
    },
    adopt(kind, objects) {
      const known = kept.get(kind);
      const unread = objects.filter(({ metadata }) => known?.has(keyOf(metadata)) !== true);
      const isInOneState = objects.every(
        (object) => unread.includes(object) || isSame(object, known?.get(keyOf(object.metadata))),
      );
      if (isInOneState) gathering.keep(kind, unread);
      return isInOneState;
    },
    miss(what, namespace, { because, message }) {
      missed.set(`${what}/${namespace}/${because}`, { what, namespace, because, message });
    },
    objects() {
      return Object.fromEntries(resourceKinds.map((kind) => [kind, sortedOf(kind)])) as ClusterObjects;
    },
    unseen: () => [...missed.values()],
  };
  return gathering;
}

function isSame({ metadata }: ObjectOf<ResourceKind>, other: ObjectOf<ResourceKind> | undefined): boolean {
  return metadata.uid === other?.metadata.uid && metadata.resourceVersion === other.metadata.resourceVersion;
}

function keyOf({ namespace, name }: Place): string {
  return `${namespace}/${name}`;
}

type Versioned = { readonly metadata: { readonly uid: string; readonly resourceVersion: string } };

/**
 * Whether `other` is an older state of the same object. The resourceVersions of one kind are integers that
 * grow (KEP-5504); those that are not are taken for equal.
 */
function isOlderState(other: Versioned, known: Versioned): boolean {
  if (other.metadata.uid !== known.metadata.uid) return false;
  const [left, right] = [other.metadata.resourceVersion, known.metadata.resourceVersion];
  return isVersion(left) && isVersion(right) && !isAtLeast(left, right);
}

/** Whether a resourceVersion is this one or a later one; false for those that are no integers. */
export function isAtLeast(version: string, earliest: string): boolean {
  if (!isVersion(version) || !isVersion(earliest)) return false;
  return version.length === earliest.length ? version >= earliest : version.length > earliest.length;
}

function isVersion(text: string): boolean {
  return /^[1-9][0-9]{0,19}$/u.test(text);
}

/** Runs `task` on every item, at most `width` at a time; results keep the order of the items. */
export async function inTurns<Item, Result>(
  width: number,
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let position = next++; position < items.length; position = next++) {
      results[position] = await task(items[position] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}
