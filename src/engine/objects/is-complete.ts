import { hasObservedSpec, isRevisioned, type Workload } from './workload.js';

/** Whether all pods that the workload wants are ready and of its newest revision, by its own status. */
export function isComplete(workload: Workload): boolean {
  if (!hasObservedSpec(workload)) return false;
  if (workload.kind === 'DaemonSet') {
    const { desiredNumberScheduled, numberReady, updatedNumberScheduled } = workload.status;
    return numberReady >= desiredNumberScheduled && updatedNumberScheduled >= desiredNumberScheduled;
  }
  if (isRevisioned(workload)) return workload.revisions.next === undefined;
  const { readyReplicas, updatedReplicas, replicas } = workload.status;
  const wanted = workload.spec.replicas;
  return readyReplicas >= wanted && updatedReplicas >= wanted && replicas <= wanted;
}
