import type { Snapshot } from '../cluster/snapshot.js';

/** Ready pods of those wanted, by the workload's own status: what its users are served by. */
export function readinessOf({ workload }: Snapshot): { readonly pods: number; readonly wanted: number } {
  switch (workload.kind) {
    case 'Deployment':
      return { pods: workload.status.readyReplicas, wanted: workload.spec.replicas };
    case 'StatefulSet':
    case 'Rollout':
      return { pods: workload.status.readyReplicas, wanted: workload.spec.replicas };
    case 'DaemonSet':
      return { pods: workload.status.numberReady, wanted: workload.status.desiredNumberScheduled };
  }
}
