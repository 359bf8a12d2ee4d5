import type { Event } from '../../../engine/objects/event.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnrecorded } from '../../../engine/objects/unread.js';
import { priorityOf } from '../../../engine/scheduler/pod-defaults.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { recentMs, recentPodEvents } from '../../findings/pod-events.js';

/** One pod of the workload that the scheduler took away for another. */
export interface Preemption {
  /** Its name; the pod itself may be gone. */
  readonly pod: string;
  readonly node: string | undefined;
  /** RFC3339. */
  readonly at: string;
  readonly event: Event | undefined;
  /** Where it is still there: the pod. */
  readonly victim: Pod | undefined;
  /** The one it had to make way for: by uid since 1.29, by name until 1.26; as far as the event says. */
  readonly preemptor: Pod | undefined;
  readonly preemptorUid: string | undefined;
}

/**
 * What the scheduler took from this workload in the last hour, oldest first: by its events, and by the
 * condition of victims that are still there.
 *
 * Sources: `preemption/preemption.go: PreemptPod` (condition DisruptionTarget, reason PreemptionByScheduler;
 * event Preempted, "Preempted by pod UID on node N").
 */
export function preemptionsOf(snapshot: Snapshot): readonly Preemption[] {
  const now = nowOf(snapshot);
  const state = rolloutStateOf(snapshot);
  const found = new Map<string, Preemption>();
  for (const { name, at, event, pod: victim } of recentPodEvents(snapshot, 'Preempted')) {
    found.set(name, { pod: name, at, event, victim, ...partiesIn(snapshot, event.message) });
  }
  for (const victim of state.pods) {
    const condition = conditionOf(victim.status, 'DisruptionTarget');
    const at = condition?.lastTransitionTime;
    const { name } = victim.metadata;
    if (condition?.status !== 'True' || condition.reason !== 'PreemptionByScheduler') continue;
    if (at === undefined || found.has(name) || now - Date.parse(at) > recentMs) continue;
    const node = victim.spec.nodeName;
    found.set(name, {
      pod: name,
      node,
      at,
      event: undefined,
      victim,
      preemptor: undefined,
      preemptorUid: undefined,
    });
  }
  return [...found.values()].sort((a, b) => (a.at < b.at ? -1 : 1));
}

const byName = /Preempted by (?:pod )?([a-z0-9-]+)\/([a-z0-9.-]+) on node (\S+)/;
const byUid = /Preempted by pod ([0-9a-f][0-9a-f-]{7,}) on node (\S+)/;
const byAnybody = /on node (\S+)/;

function partiesIn(
  { index }: Snapshot,
  message: string,
): Pick<Preemption, 'node' | 'preemptor' | 'preemptorUid'> {
  const named = byName.exec(message);
  if (named !== null) {
    const [, namespace, name, node] = named;
    const preemptor = index.objects.Pod.find(
      ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
    );
    return { node, preemptor, preemptorUid: undefined };
  }
  const uid = byUid.exec(message);
  if (uid !== null) {
    const [, preemptorUid, node] = uid;
    const preemptor = index.objects.Pod.find(({ metadata }) => metadata.uid === preemptorUid);
    return { node, preemptor, preemptorUid };
  }
  return { node: byAnybody.exec(message)?.[1], preemptor: undefined, preemptorUid: undefined };
}

/**
 * A description prints the events of objects that exist, and a victim is gone. A pod of higher priority that
 * started when its replacement was there may be the one that the scheduler made room for.
 */
export function undecidedPreemption(snapshot: Snapshot): readonly string[] {
  // What one description states of the time of a pod is a bound.
  if (!isUnrecorded(snapshot, 'Pod', 'metadata.creationTimestamp')) return [];
  const { pods } = rolloutStateOf(snapshot);
  const isPreempted = pods.some(
    (pod) =>
      isActive(pod) &&
      !hasNode(pod) &&
      snapshot.index.objects.Pod.some(
        (other) =>
          isActive(other) &&
          hasNode(other) &&
          priorityOf(other) > priorityOf(pod) &&
          Date.parse(other.status.startTime ?? '') >= Date.parse(pod.metadata.creationTimestamp ?? ''),
      ),
  );
  return isPreempted ? ['Event'] : [];
}
