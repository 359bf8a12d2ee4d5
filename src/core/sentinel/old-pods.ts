import type { DaemonSet, Deployment } from '../cluster/workload.js';

/**
 * Whether pods of an older revision are there, by the object's own status: without them no rollout holds itself up, and
 * the whole picture need not be read. `unobserved`: the status is older than the object.
 */
export function oldPodsOf(workload: Deployment | DaemonSet): 'some' | 'none' | 'unobserved' {
  const { metadata, status } = workload;
  if (status.observedGeneration < (metadata.generation ?? 0)) return 'unobserved';
  const [updated, all] =
    workload.kind === 'Deployment'
      ? [workload.status.updatedReplicas, workload.status.replicas]
      : [workload.status.updatedNumberScheduled, workload.status.currentNumberScheduled];
  return updated < all ? 'some' : 'none';
}
