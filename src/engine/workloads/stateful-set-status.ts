import { isAvailable, isReady, isTerminating, type Pod } from '../objects/pod.js';
import type { StatefulSet } from '../objects/workload.js';
import { podRevisionName, type StatefulSetRevisions } from './controller-revisions.js';
import type { StatefulSetState } from './rollout-state.js';

/** The number after the last dash of a pod's name; -1 without one. */
export function ordinalOf(pod: Pod): number {
  const digits = /-(\d+)$/.exec(pod.metadata.name)?.[1];
  const ordinal = digits === undefined ? -1 : Number(digits);
  return ordinal <= 2_147_483_647 ? ordinal : -1;
}

/** Counts over all pods, and the end of a rolling update (`updateStatus`, `completeRollingUpdate`). */
export function statefulSetStatus(
  { statefulSet, pods, now }: StatefulSetState,
  { current, update }: StatefulSetRevisions,
): StatefulSet['status'] {
  const { replicas, minReadySeconds, updateStrategy } = statefulSet.spec;
  const members = pods.filter((pod) => ordinalOf(pod) >= 0);
  const ready = members.filter((pod) => pod.status.phase === 'Running' && isReady(pod));
  const staying = members.filter((pod) => !isTerminating(pod));
  const ofRevision = (name: string) => staying.filter((pod) => podRevisionName(pod) === name).length;
  const counts = {
    ...statefulSet.status,
    observedGeneration: statefulSet.metadata.generation ?? 0,
    replicas: members.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
    currentReplicas: ofRevision(current),
    updatedReplicas: ofRevision(update),
    currentRevision: current,
    updateRevision: update,
  };
  const isDone =
    updateStrategy.type === 'RollingUpdate' &&
    [counts.updatedReplicas, counts.readyReplicas, counts.replicas].every((count) => count === replicas);
  return isDone ? { ...counts, currentReplicas: counts.updatedReplicas, currentRevision: update } : counts;
}
