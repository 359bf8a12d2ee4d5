import type { Deployment, ReplicaSet } from '../cluster/workload.js';
import { byCreation } from './creation-order.js';
import { hasRevisionHistoryLimit, revisionNumber } from './deployment-annotations.js';

/**
 * The old ReplicaSets beyond `revisionHistoryLimit` that are empty and settled, lowest revision first
 * (kubernetes `sync.go: cleanupDeployment`).
 */
export function expiredReplicaSets(
  deployment: Deployment,
  oldReplicaSets: readonly ReplicaSet[],
): readonly ReplicaSet[] {
  if (!hasRevisionHistoryLimit(deployment)) return [];
  const alive = oldReplicaSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const excess = alive.length - deployment.spec.revisionHistoryLimit;
  if (excess <= 0) return [];
  return [...alive].sort(byRevision).slice(0, excess).filter(isSettledAndEmpty);
}

function isSettledAndEmpty({ metadata, spec, status }: ReplicaSet): boolean {
  return (
    status.replicas === 0 && spec.replicas === 0 && (metadata.generation ?? 0) <= status.observedGeneration
  );
}

function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const revisionA = revisionNumber(a);
  const revisionB = revisionNumber(b);
  if (revisionA === undefined || revisionB === undefined || revisionA === revisionB) return byCreation(a, b);
  return revisionA - revisionB;
}
