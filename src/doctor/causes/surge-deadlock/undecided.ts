import { hasNode, isActive } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnrecorded } from '../../../engine/objects/unread.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { isUnschedulable } from '../../findings/stuck-rollout.js';
import { ownPods } from '../../findings/waiting/holding.js';
import { sentenceOf } from '../../findings/waiting/sentence.js';

/**
 * What text leaves out and decides whether old pods keep the place of a new one. Without the scheduler's
 * words, the affinity of the pods may be why nodes with capacity refuse them. Without the update strategy of
 * a DaemonSet, its old pods may stay until somebody deletes them.
 */
export function undecidedSurge(snapshot: Snapshot): readonly string[] {
  const waiting = rolloutStateOf(snapshot).pods.filter((pod) => isActive(pod) && !hasNode(pod));
  if (waiting.length === 0) return [];
  const isAffinityOpen =
    isUnrecorded(snapshot, 'Pod', 'spec.affinity') &&
    ownPods(snapshot).predecessors.length > 0 &&
    waiting.some((pod) => isUnschedulable(pod) && sentenceOf(pod) === undefined);
  return [
    ...(isAffinityOpen ? ['Pod spec.affinity'] : []),
    ...(isStrategyOpen(snapshot) ? ['DaemonSet spec.updateStrategy'] : []),
  ];
}

/** A DaemonSet has an update under way, and the text does not show how it replaces its pods. */
function isStrategyOpen(snapshot: Snapshot): boolean {
  return (
    isUnrecorded(snapshot, 'DaemonSet', 'spec.updateStrategy') &&
    snapshot.index.objects.DaemonSet.some(
      ({ kind, metadata, status: { updatedNumberScheduled, desiredNumberScheduled } }) =>
        updatedNumberScheduled < desiredNumberScheduled &&
        !(kind === snapshot.workload.kind && metadata.uid === snapshot.workload.metadata.uid),
    )
  );
}
