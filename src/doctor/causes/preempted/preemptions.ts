import type { Event } from '../../../engine/objects/event.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { kindNamed } from '../../../engine/objects/workload.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';

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

/** Events are kept for an hour; older losses are no news. */
const hourMs = 3_600_000;

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
  for (const event of snapshot.index.objects.Event) {
    const { kind, namespace, name } = event.involvedObject;
    if (event.reason !== 'Preempted' || kind !== 'Pod' || event.lastSeen === undefined) continue;
    if (namespace !== snapshot.workload.metadata.namespace || now - Date.parse(event.lastSeen) > hourMs)
      continue;
    const victim = state.pods.find(({ metadata }) => metadata.name === name);
    if (victim === undefined && !isNamedLikeOwn(snapshot, name)) continue;
    found.set(name, {
      pod: name,
      at: event.lastSeen,
      event,
      victim,
      ...partiesIn(snapshot, event.message),
    });
  }
  for (const victim of state.pods) {
    const condition = conditionOf(victim.status, 'DisruptionTarget');
    const at = condition?.lastTransitionTime;
    const { name } = victim.metadata;
    if (condition?.status !== 'True' || condition.reason !== 'PreemptionByScheduler') continue;
    if (at === undefined || found.has(name) || now - Date.parse(at) > hourMs) continue;
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

/** A pod that is gone is known by its name only: its controller's, and what the controller adds. */
function isNamedLikeOwn({ workload, index }: Snapshot, pod: string): boolean {
  const { name, uid } = workload.metadata;
  const { podSuffix } = kindNamed(workload.kind);
  if (podSuffix !== undefined) return hasSuffix(pod, name, podSuffix);
  return (index.replicaSetsByOwner.get(uid) ?? []).some(({ metadata }) =>
    hasSuffix(pod, metadata.name, /^[a-z0-9]{5}$/),
  );
}

function hasSuffix(pod: string, owner: string, suffix: RegExp): boolean {
  return pod.startsWith(`${owner}-`) && suffix.test(pod.slice(owner.length + 1));
}
