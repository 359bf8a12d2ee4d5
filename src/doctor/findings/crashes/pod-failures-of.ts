import { compareText } from '../../../engine/collections/collections.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
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
  const known = sortedPods.get(snapshot);
  if (known !== undefined) return known;
  const pods = [...rolloutStateOf(snapshot).pods].sort((a, b) =>
    a.metadata.name < b.metadata.name ? -1 : 1,
  );
  sortedPods.set(snapshot, pods);
  return pods;
}

/** Every rule about crashes asks for them. */
const sortedPods = new WeakMap<Snapshot, readonly Pod[]>();

/** The failures of the workload's pods, pod by pod. */
export function podFailuresOf(snapshot: Snapshot): readonly PodFailure[] {
  return podsOf(snapshot).flatMap((pod) => podFailuresIn(snapshot, pod));
}

/** The failures of one pod of the snapshot. The pod may belong to any workload. */
export function podFailuresIn(snapshot: Snapshot, pod: Pod): readonly PodFailure[] {
  const computed = failuresKnownOf(snapshot);
  const before = computed.get(pod);
  if (before !== undefined) return before;
  const failures = failuresOf(snapshot, pod);
  computed.set(pod, failures);
  return failures;
}

/**
 * Several rules and the picture ask for the same pods, and the workloads of a scan for those of each other:
 * by index, as long as logs and moment are the same.
 */
const known = new WeakMap<
  ClusterIndex,
  Pick<Snapshot, 'logs' | 'takenAt'> & { readonly byPod: Map<Pod, readonly PodFailure[]> }
>();

function failuresKnownOf({ index, logs, takenAt }: Snapshot): Map<Pod, readonly PodFailure[]> {
  const before = known.get(index);
  if (before?.logs === logs && before.takenAt === takenAt) return before.byPod;
  const byPod = new Map<Pod, readonly PodFailure[]>();
  known.set(index, { logs, takenAt, byPod });
  return byPod;
}

function failuresOf(snapshot: Snapshot, pod: Pod): readonly PodFailure[] {
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
