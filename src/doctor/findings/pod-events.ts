import type { Event } from '../../engine/objects/event.js';
import { isPod } from '../../engine/objects/metadata.js';
import type { Pod } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { kindNamed } from '../../engine/objects/workload.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';

/** An event about a pod of the workload. */
export interface PodEvent {
  /** Name of the pod. */
  readonly name: string;
  /** RFC3339. */
  readonly at: string;
  readonly event: Event;
  /** The pod, where it still exists. */
  readonly pod: Pod | undefined;
}

/** Events are kept for an hour; what is older is no news. */
export const recentMs = 3_600_000;

/**
 * Events with this reason about pods of the workload in the last hour, oldest first. A pod that is gone is
 * known by its name alone.
 */
export function recentPodEvents(snapshot: Snapshot, reason: string): readonly PodEvent[] {
  const { index, workload } = snapshot;
  const now = nowOf(snapshot);
  const { pods } = rolloutStateOf(snapshot);
  const found = index.objects.Event.flatMap((event): readonly PodEvent[] => {
    const { namespace, name } = event.involvedObject;
    const at = event.lastSeen;
    if (event.reason !== reason || !isPod(event.involvedObject) || at === undefined) return [];
    if (namespace !== workload.metadata.namespace || now - Date.parse(at) > recentMs) return [];
    const pod = pods.find(({ metadata }) => metadata.name === name);
    return pod !== undefined || isNamedLikeOwn(snapshot, name) ? [{ name, at, event, pod }] : [];
  });
  return found.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Its name is that of its controller and what the controller adds. */
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
