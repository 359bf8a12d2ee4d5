import type { PodTemplate } from '../../../cluster/pod-spec.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { formerRevision, isLess, type LimitCut } from '../../crashes/limit-cut.js';

/** A limit of local storage that the present revision lowered, or set where there was none. */
export interface StorageCut extends LimitCut {
  readonly of: 'container' | 'volume';
  readonly name: string;
  readonly limit: string;
}

/** Empty when the failing pods are not of the present revision, or no former revision is kept. */
export function storageCutsOf(snapshot: Snapshot, { revision }: FailureGroup): readonly StorageCut[] {
  const kept = formerRevision(snapshot, revision);
  if (kept === undefined) return [];
  const former = limitsOf(kept.template);
  return limitsOf(snapshot.workload.spec.template).flatMap(({ of, name, limit }) => {
    if (limit === undefined) return [];
    const same = former.find((each) => each.of === of && each.name === name);
    if (same === undefined) return [];
    const isCut = same.limit === undefined || isLess(limit, same.limit);
    return isCut ? [{ of, name, limit, before: same.limit, revision: kept.revision }] : [];
  });
}

type StorageLimit = Pick<StorageCut, 'of' | 'name'> & { readonly limit: string | undefined };

function limitsOf({ spec }: PodTemplate): readonly StorageLimit[] {
  return [
    ...spec.containers.map(({ name, resources }) => ({
      of: 'container' as const,
      name,
      limit: resources.limits['ephemeral-storage'],
    })),
    ...spec.volumes.flatMap(({ name, emptyDir }) =>
      emptyDir === undefined ? [] : [{ of: 'volume' as const, name, limit: emptyDir.sizeLimit }],
    ),
  ];
}
