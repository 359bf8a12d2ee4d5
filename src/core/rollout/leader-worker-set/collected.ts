import { isLeader } from '../../cluster/leader-worker-set.js';
import { controllerOf } from '../../cluster/metadata.js';
import { hasNode, isTerminating, type Pod } from '../../cluster/pod.js';
import type { StatefulSet } from '../../cluster/workload.js';
import { apiTime } from '../creation-order.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import type { PodSet } from '../roster.js';
import { deletedPod } from '../simulated-pods.js';

/** The garbage collector removes what such a pod owns before the pod itself. */
const foreground = 'foregroundDeletion';

/** What the garbage collector of Kubernetes has done to the groups. */
export interface Collected {
  readonly statefulSets: readonly StatefulSet[];
  readonly deleted: readonly Pod[];
  readonly hasActed: boolean;
}

/**
 * A group goes with its leader. Where the leader was deleted in the foreground, its workers go first;
 * otherwise they go once the leader is gone (kubernetes `garbagecollector.go: attemptToDeleteItem`).
 */
export function collectGroups(podSet: PodSet, state: LeaderWorkerSetState): Collected {
  const deleted: Pod[] = [];
  let hasActed = false;
  const leaders = new Map(podSet.all().map((pod) => [pod.metadata.uid, pod]));
  const kept = state.statefulSets.flatMap((set): readonly StatefulSet[] => {
    const owner = controllerOf(set);
    if (owner?.kind !== 'Pod') return [set];
    const leader = leaders.get(owner.uid);
    if (leader !== undefined && !isLeaving(leader)) return [set];
    const { uid } = set.metadata;
    deleted.push(...deletePods(podSet, podSet.ownedBy(uid), state.now));
    const isGone = leader === undefined || podSet.ownedBy(uid).length === 0;
    const isMarked = set.metadata.deletionTimestamp !== undefined;
    hasActed ||= isGone || !isMarked;
    if (isGone) return [];
    return [
      isMarked ? set : { ...set, metadata: { ...set.metadata, deletionTimestamp: apiTime(state.now) } },
    ];
  });
  const owners = new Set(kept.map((set) => controllerOf(set)?.uid));
  for (const leader of podSet.all().filter((pod) => isLeader(pod) && isLeaving(pod))) {
    if (owners.has(leader.metadata.uid)) continue;
    release(podSet, leader);
    hasActed = true;
  }
  const uids = new Set(kept.map(({ metadata }) => metadata.uid));
  const orphans = podSet.all().filter((pod) => !isLeader(pod) && isOrphan(pod, uids));
  deleted.push(...deletePods(podSet, orphans, state.now));
  return { statefulSets: kept, deleted, hasActed: hasActed || deleted.length > 0 };
}

/** As the controller deletes a leader to have its group made anew. */
export function deleteInForeground(podSet: PodSet, leader: Pod, now: number): void {
  const [left] = deletedPod(leader, now);
  const { metadata } = left ?? leader;
  podSet.replace(leader, {
    ...(left ?? leader),
    metadata: {
      ...metadata,
      deletionTimestamp: metadata.deletionTimestamp ?? apiTime(now),
      deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds ?? 0,
      finalizers: [...metadata.finalizers, foreground],
    },
  });
}

function isLeaving(pod: Pod): boolean {
  return isTerminating(pod) && pod.metadata.finalizers.includes(foreground);
}

/** A pod without a node, or that its kubelet has ended, only waits for the finalizer. */
function release(podSet: PodSet, leader: Pod): void {
  const finalizers = leader.metadata.finalizers.filter((each) => each !== foreground);
  const isOver = !hasNode(leader) || leader.metadata.deletionGracePeriodSeconds === 0;
  if (isOver && finalizers.length === 0) podSet.remove(leader);
  else podSet.replace(leader, { ...leader, metadata: { ...leader.metadata, finalizers } });
}

function isOrphan(pod: Pod, setUids: ReadonlySet<string>): boolean {
  const owner = controllerOf(pod);
  return owner?.kind === 'StatefulSet' && !setUids.has(owner.uid);
}

function deletePods(podSet: PodSet, pods: readonly Pod[], now: number): readonly Pod[] {
  const leaving = pods.filter((pod) => !isTerminating(pod));
  for (const pod of leaving) {
    const [left] = deletedPod(pod, now);
    if (left === undefined) podSet.remove(pod);
    else podSet.replace(pod, left);
  }
  return leaving;
}
