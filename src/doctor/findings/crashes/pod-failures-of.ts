import { compareText } from '../../../engine/collections/collections.js';
import { endedLogOf } from '../../../engine/objects/ended-log.js';
import type { Event } from '../../../engine/objects/event.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { decidingLineOf } from '../../log-lines/deciding-line.js';
import { classifyPod } from './classify-pod.js';
import type { PodFailure } from './pod-failure.js';

/** Every pod of the workload, of all revisions, terminal and terminating ones included, by name. */
export function podsOf(snapshot: Snapshot): readonly Pod[] {
  const { pods } = rolloutStateOf(snapshot);
  return [...pods].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** The failures of the workload's pods, pod by pod. */
export function podFailuresOf(snapshot: Snapshot): readonly PodFailure[] {
  return podsOf(snapshot).flatMap((pod) => podFailuresIn(snapshot, pod));
}

/** The failures of one pod of the snapshot. The pod may belong to any workload. */
export function podFailuresIn(snapshot: Snapshot, pod: Pod): readonly PodFailure[] {
  const { index, logs } = snapshot;
  return classifyPod(pod, {
    events: oldestFirst(index.eventsByUid.get(pod.metadata.uid) ?? []),
    node: index.nodes.get(pod.spec.nodeName ?? ''),
    reasonOf: (container) => decidingLineOf(endedLogOf(logs, pod, container)?.lines ?? [])?.line,
    now: nowOf(snapshot),
  });
}

/** Events of the same second keep one order, however they came. */
function oldestFirst(events: readonly Event[]): readonly Event[] {
  return events
    .map((event) => ({ event, at: Date.parse(event.lastSeen ?? '') || 0 }))
    .sort((a, b) => a.at - b.at || compareText(a.event.metadata.name, b.event.metadata.name))
    .map(({ event }) => event);
}
