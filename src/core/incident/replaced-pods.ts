import { isActive, isReady, isTerminating, type Pod } from '../cluster/pod.js';
import type { Snapshot } from '../cluster/snapshot.js';
import {
  daemonSetHash,
  isUpdatedDaemonPod,
  podRevisionName,
  statefulSetRevisions,
} from '../rollout/controller-revisions.js';
import { newGroupPods } from '../rollout/leader-worker-set/group-pods.js';
import { newRevisionPods } from '../rollout/revisioned/revision-pods.js';
import { newPods } from '../rollout/revisions.js';
import { type RolloutState, rolloutStateOf } from '../rollout/rollout-state.js';

/** Pods of the new revision that are ready: the steps of a rollout that are done. */
export function replacedPods(snapshot: Snapshot): number {
  return podsOfNewRevision(rolloutStateOf(snapshot)).filter(
    (pod) => isActive(pod) && !isTerminating(pod) && isReady(pod),
  ).length;
}

function podsOfNewRevision(state: RolloutState): readonly Pod[] {
  switch (state.kind) {
    case 'Deployment':
    case 'Rollout':
      return newPods(state);
    case 'StatefulSet': {
      const revisions = statefulSetRevisions(state);
      return state.pods.filter((pod) => podRevisionName(pod) === revisions?.update);
    }
    case 'LeaderWorkerSet':
      return newGroupPods(state);
    case 'Revisioned':
      return newRevisionPods(state);
    case 'DaemonSet': {
      const hash = daemonSetHash(state);
      return state.pods.filter((pod) => isUpdatedDaemonPod(pod, state.daemonSet, hash));
    }
  }
}
