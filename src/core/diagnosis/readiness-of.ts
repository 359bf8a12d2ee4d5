import { isActive, isReady, type Pod } from '../cluster/pod.js';
import type { Snapshot } from '../cluster/snapshot.js';
import type { Workload } from '../cluster/workload.js';
import {
  daemonSetHash,
  isUpdatedDaemonPod,
  podRevisionName,
  statefulSetRevisions,
} from '../rollout/controller-revisions.js';
import { oldPods } from '../rollout/revisions.js';
import { rolloutStateOf } from '../rollout/rollout-state.js';

/** What the users of a workload are served by. */
export interface Readiness {
  /** Ready pods, by the workload's own status. */
  readonly pods: number;
  readonly wanted: number;
  /** Those of them that are of an earlier revision; absent where none is, or where the revisions are not known. */
  readonly old?: number;
}

/** Ready pods of those wanted. */
export function readinessOf(snapshot: Snapshot): Readiness {
  const counted = countedBy(snapshot.workload);
  const old = Math.min(counted.pods, readyPodsOfEarlierRevisions(snapshot).length);
  return { ...counted, ...(old === 0 ? {} : { old }) };
}

function countedBy(workload: Workload): Readiness {
  switch (workload.kind) {
    case 'Deployment':
    case 'StatefulSet':
    case 'Rollout':
      return { pods: workload.status.readyReplicas, wanted: workload.spec.replicas };
    case 'DaemonSet':
      return { pods: workload.status.numberReady, wanted: workload.status.desiredNumberScheduled };
  }
}

function readyPodsOfEarlierRevisions(snapshot: Snapshot): readonly Pod[] {
  return podsOfEarlierRevisions(snapshot).filter((pod) => isActive(pod) && isReady(pod));
}

function podsOfEarlierRevisions(snapshot: Snapshot): readonly Pod[] {
  const state = rolloutStateOf(snapshot);
  switch (state.kind) {
    case 'Deployment':
    case 'Rollout':
      return oldPods(state);
    case 'StatefulSet': {
      const update = statefulSetRevisions(state)?.update;
      return update === undefined ? [] : state.pods.filter((pod) => podRevisionName(pod) !== update);
    }
    case 'DaemonSet': {
      const hash = daemonSetHash(state);
      if (hash === undefined) return [];
      return state.pods.filter((pod) => !isUpdatedDaemonPod(pod, state.daemonSet, hash));
    }
  }
}
