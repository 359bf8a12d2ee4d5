import type { ClusterObjects } from './cluster-objects.js';
import { leaderWorkerSetOf } from './leader-worker-set.js';
import type { Workload } from './workload.js';

/**
 * The workloads that people own. StatefulSets of a LeaderWorkerSet are parts of it; where it could not be read, they
 * stay workloads of their own.
 */
export function ownedWorkloads(objects: ClusterObjects): readonly Workload[] {
  const { Deployment, StatefulSet, DaemonSet, Rollout, LeaderWorkerSet } = objects;
  const keys = new Set(LeaderWorkerSet.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
  const others = StatefulSet.filter(
    (set) => !keys.has(`${set.metadata.namespace}/${leaderWorkerSetOf(set) ?? ''}`),
  );
  return [...Deployment, ...others, ...DaemonSet, ...Rollout, ...LeaderWorkerSet];
}
