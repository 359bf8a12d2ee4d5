import {
  hasObservedSpec,
  type StatefulSet,
  type Workload,
  type WorkloadKind,
  workloadKinds,
} from '../../engine/objects/workload.js';

/** Kinds that start new pods beside old ones. A StatefulSet stops each old pod first. */
export type WatchedKind = Exclude<WorkloadKind, 'StatefulSet'>;

export function isWatchedKind(kind: string): kind is WatchedKind {
  return kind !== 'StatefulSet' && workloadKinds.some((each) => each === kind);
}

/**
 * Whether pods of an older revision are there, by the object's own status: without them no rollout holds
 * itself up, and the whole picture need not be read. `unobserved`: the status is older than the object.
 */
export function oldPodsOf(workload: Exclude<Workload, StatefulSet>): 'some' | 'none' | 'unobserved' {
  if (!hasObservedSpec(workload)) return 'unobserved';
  switch (workload.kind) {
    case 'KnativeService':
    case 'RayService':
    case 'DynamoGraphDeployment': {
      const { next, former } = workload.revisions;
      return next !== undefined && former.length > 0 ? 'some' : 'none';
    }
    case 'DaemonSet':
      return isLess(workload.status.updatedNumberScheduled, workload.status.currentNumberScheduled);
    case 'Deployment':
    case 'Rollout':
    case 'LeaderWorkerSet':
      return isLess(workload.status.updatedReplicas, workload.status.replicas);
  }
}

function isLess(updated: number, all: number): 'some' | 'none' {
  return updated < all ? 'some' : 'none';
}
