import { isReady } from '../cluster/pod.js';
import type { Snapshot } from '../cluster/snapshot.js';
import { waitsForPeople } from '../rollout/argo-rollout/waits.js';
import { newRevisionPods } from '../rollout/revisioned/revision-pods.js';
import { rolloutStateOf } from '../rollout/rollout-state.js';
import { rolloutStatus } from '../rollout/rollout-status.js';

/**
 * Pods of the new revision and pods wanted, while `kubectl rollout status` would still wait; `undefined` when
 * the rollout is complete, given up or paused.
 */
export function underWay(
  snapshot: Snapshot,
): { readonly updated: number; readonly wanted: number } | undefined {
  const { workload } = snapshot;
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
    case 'KnativeService':
    case 'RayService':
    case 'DynamoGraphDeployment': {
      const state = rolloutStateOf(snapshot);
      const ready = state.kind === 'Revisioned' ? newRevisionPods(state).filter(isReady).length : 0;
      return { updated: ready, wanted: workload.spec.replicas };
    }
    case 'DaemonSet':
      return {
        updated: workload.status.updatedNumberScheduled,
        wanted: workload.status.desiredNumberScheduled,
      };
  }
}
