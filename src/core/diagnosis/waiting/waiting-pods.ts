import { controllerOf } from '../../cluster/metadata.js';
import { isActive, type Pod } from '../../cluster/pod.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import { groupBy } from '../../collections/collections.js';
import { isFixedPoint } from '../../rollout/fixed-point.js';
import { newestUidOf } from '../../rollout/revisions.js';
import { rolloutStateOf } from '../../rollout/rollout-state.js';
import { isUnschedulable } from '../stuck-rollout.js';

/**
 * Pods that are the same to the scheduler: of one ReplicaSet, or a single pod of a StatefulSet or DaemonSet.
 */
export type WaitingGroup = readonly [Pod, ...Pod[]];

/** Pods of StatefulSets and DaemonSets are looked at one by one; more of them tell nothing new. */
const maxSingle = 30;

/**
 * The workload's pods that the scheduler has refused, those of the new revision first. Waiting pods of old
 * ReplicaSets count only once the controller would leave them be.
 */
export function waitingGroups(snapshot: Snapshot): readonly WaitingGroup[] {
  const state = rolloutStateOf(snapshot);
  const waiting = state.pods.filter((pod) => isActive(pod) && isUnschedulable(pod));
  if (waiting.length === 0) return [];
  if (state.kind !== 'Deployment') return waiting.slice(0, maxSingle).map((pod): WaitingGroup => [pod]);
  const newest = newestUidOf(state);
  const settled = waiting.every((pod) => controllerOf(pod)?.uid === newest) || isFixedPoint(state);
  return [...groupBy(waiting, (pod) => controllerOf(pod)?.uid ?? '')]
    .filter(([owner]) => owner === newest || settled)
    .sort(([a], [b]) => Number(b === newest) - Number(a === newest))
    .map(([, group]) => group);
}
