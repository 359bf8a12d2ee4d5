import { byCreation } from '../creation-order.js';
import type { Reconciliation } from './reconciliation.js';

/**
 * Deletes ReplicaSets beyond `revisionHistoryLimit` that are empty and settled, the oldest first
 * (`sync.go: reconcileRevisionHistoryLimit`). One of the oldest that is not empty keeps its place, and is not
 * replaced by a younger.
 */
export function removeExpired({ rollout, roles, writes }: Reconciliation): void {
  const alive = roles.others.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const excess = alive.length - rollout.spec.revisionHistoryLimit;
  if (excess <= 0) return;
  for (const replicaSet of [...alive].sort(byCreation).slice(0, excess)) {
    const { metadata, spec, status } = replicaSet;
    const isSettled = (metadata.generation ?? 0) <= status.observedGeneration;
    if (status.replicas === 0 && spec.replicas === 0 && isSettled) writes.remove(replicaSet);
  }
}
