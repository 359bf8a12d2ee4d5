import type { Workload } from '../objects/workload.js';
import { entriesOf, ownedBy } from './declaration.js';
import { writersOf } from './writers.js';

const amounts = ['maxSurge', 'maxUnavailable'].map((name) => `spec.strategy.rollingUpdate.${name}`);

/**
 * Whether the API server would refuse Recreate in the owner's next apply. A server-side apply removes
 * `rollingUpdate` in every form only where the owner declares both counts and nobody else owns one; otherwise
 * values can stay, defaults included, and are forbidden beside Recreate (structured-merge-diff
 * `typed/merge.go: doMap`; `test/cluster/owners/kubectl.nightly.test.ts` tries the forms).
 * Kustomize-controller always applies server-side.
 */
export function refusesRecreate(workload: Workload): boolean {
  if (workload.kind !== 'Deployment' || workload.spec.strategy.type === 'Recreate') return false;
  const holding = entriesOf(workload).filter((entry) =>
    amounts.some((path) => ownedBy(entry, path) !== 'none'),
  );
  return writersOf(workload).some(({ type, manager }) => {
    const isOwn = (entry: (typeof holding)[number]): boolean =>
      entry.manager === manager && entry.operation === 'Apply';
    if (type !== 'kustomization' && !entriesOf(workload).some(isOwn)) return false;
    const declaresBoth = amounts.every((path) =>
      holding.some((entry) => isOwn(entry) && ownedBy(entry, path) !== 'none'),
    );
    return !declaresBoth || !holding.every(isOwn);
  });
}
