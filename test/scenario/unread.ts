import { indexObjects } from '#src/core/cluster/cluster-index.js';
import { type ResourceKind, resourceKinds } from '#src/core/cluster/cluster-objects.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';

/** Kinds of which the snapshot contains objects, except that of the workload. */
export function readKinds({ workload, index }: Snapshot): readonly ResourceKind[] {
  return resourceKinds.filter((kind) => kind !== workload.kind && index.objects[kind].length > 0);
}

/** The same snapshot without the right to read that kind. */
export function without(snapshot: Snapshot, kind: ResourceKind): Snapshot {
  const refused = { what: kind, namespace: '', because: 'forbidden', message: 'not allowed' } as const;
  return {
    ...snapshot,
    index: indexObjects({ ...snapshot.index.objects, [kind]: [] }),
    unseen: [...snapshot.unseen.filter(({ what }) => what !== kind), refused],
  };
}
