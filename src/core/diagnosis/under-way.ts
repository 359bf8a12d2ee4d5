import type { Snapshot } from '../cluster/snapshot.js';
import { waitsForPeople } from '../rollout/argo-rollout/waits.js';
import { rolloutStatus } from '../rollout/rollout-status.js';

/**
 * Pods of the new revision and pods wanted, while `kubectl rollout status` would still wait; `undefined` when the
 * rollout is complete, given up or paused.
 */
export function underWay({
  workload,
}: Snapshot): { readonly updated: number; readonly wanted: number } | undefined {
  if (rolloutStatus(workload).kind !== 'waiting') return undefined;
  switch (workload.kind) {
    case 'Deployment':
      if (workload.spec.paused) return undefined;
      return { updated: workload.status.updatedReplicas, wanted: workload.spec.replicas };
    case 'Rollout':
      if (waitsForPeople(workload)) return undefined;
      return { updated: workload.status.updatedReplicas, wanted: workload.spec.replicas };
    case 'StatefulSet':
    case 'LeaderWorkerSet':
      return { updated: workload.status.updatedReplicas, wanted: workload.spec.replicas };
    case 'DaemonSet':
      return {
        updated: workload.status.updatedNumberScheduled,
        wanted: workload.status.desiredNumberScheduled,
      };
  }
}
