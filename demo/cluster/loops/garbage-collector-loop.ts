import type { ApiObject } from '../api-object.js';
import { propagationFinalizers } from '../registry/delete-object.js';
import type { Registry } from '../registry/registry.js';
import type { ResourceType } from '../resources/resource-type.js';
import { resourceTypes } from '../resources/resource-types.js';
import { attempt, remove, writeFields } from './controller-writes.js';
import type { Loop, LoopFactory } from './loop.js';

const collected = resourceTypes.filter((type) => !type.isReview && type.convert === undefined);

/**
 * Deletes what belongs to a deleted owner, and carries out the propagation finalizers. Only an owner that was
 * deleted here counts: what a recording leaves out is no reason to delete what it holds.
 */
export const garbageCollectorLoop: LoopFactory = () => {
  const gone = new Set<string>();
  let seen: number | undefined;
  const loop: Loop = ({ registry }) => {
    const { store } = registry;
    const from = seen;
    seen = store.revision;
    if (from === store.revision) return;
    const changes = store.changesSince(from ?? 0);
    for (const change of changes) {
      if (change.type === 'DELETED') gone.add(change.object.metadata.uid);
    }
    const isConcerned = changes.some(
      ({ type, object }) => type === 'DELETED' || object.metadata.deletionTimestamp !== undefined,
    );
    if (!isConcerned) return;
    const all = collected.flatMap((type) => store.list(type.storage).map((object) => ({ type, object })));
    for (const { type, object } of all) {
      const owners = object.metadata.ownerReferences ?? [];
      const isOrphan = owners.length > 0 && owners.every(({ uid }) => gone.has(uid));
      if (isOrphan && object.metadata.deletionTimestamp === undefined)
        attempt(() => remove(registry, type, object));
      attempt(() => propagate(registry, type, object, all));
    }
  };
  return loop;
};

interface Owned {
  readonly type: ResourceType;
  readonly object: ApiObject;
}

function propagate(registry: Registry, type: ResourceType, owner: ApiObject, all: readonly Owned[]): void {
  const { deletionTimestamp, finalizers = [], uid } = owner.metadata;
  if (deletionTimestamp === undefined) return;
  const dependents = all.filter(({ object }) =>
    object.metadata.ownerReferences?.some((each) => each.uid === uid),
  );
  if (finalizers.includes(propagationFinalizers.Orphan)) {
    for (const { type: kind, object } of dependents) {
      const others = object.metadata.ownerReferences?.filter((each) => each.uid !== uid) ?? [];
      writeFields(registry, kind, object, [
        [['metadata', 'ownerReferences'], others.length === 0 ? undefined : others],
      ]);
    }
    takeOff(registry, type, owner, propagationFinalizers.Orphan);
  } else if (finalizers.includes(propagationFinalizers.Foreground)) {
    for (const { type: kind, object } of dependents) {
      if (object.metadata.deletionTimestamp === undefined) remove(registry, kind, object);
    }
    if (dependents.length === 0) takeOff(registry, type, owner, propagationFinalizers.Foreground);
  }
}

function takeOff(
  registry: Registry,
  type: ResourceType,
  { metadata, ...object }: ApiObject,
  finalizer: string,
): void {
  const left = metadata.finalizers?.filter((each) => each !== finalizer) ?? [];
  writeFields(registry, type, { ...object, metadata } as ApiObject, [
    [['metadata', 'finalizers'], left.length === 0 ? undefined : left],
  ]);
}
