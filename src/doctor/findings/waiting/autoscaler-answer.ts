import { hasClusterAutoscaler } from '../../../engine/objects/cluster-autoscaler.js';
import type { Event } from '../../../engine/objects/event.js';
import { hasKarpenter } from '../../../engine/objects/karpenter.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { declinedFor, failedOrders, type ScaleUp } from '../scale-up-under-way.js';
import { refusedSince } from '../stuck-rollout.js';
import { backoffWords } from './cloud-refusal.js';
import { isEveryGroupShut } from './node-group-door.js';
import { isEveryPoolShut } from './node-pool-door.js';

/** What an autoscaler has said of pods for which no order is under way. */
export type AutoscalerAnswer =
  /** It says that a new node would not help, or that it may not make one. */
  | { readonly kind: 'declined'; readonly event: Event }
  /** It ordered a node, the time for it has passed, and the pods still wait. */
  | { readonly kind: 'expired'; readonly order: ScaleUp }
  /** It ordered a node, the scale-up failed, and it does not try these groups for some time. */
  | { readonly kind: 'failed'; readonly order: ScaleUp }
  /** No word of any autoscaler: there is none, or its events are gone. */
  | { readonly kind: 'silent' };

/** The newest answer about any of the pods. Ask only when `scaleUpUnderWay` knows of no order. */
export function autoscalerAnswer(snapshot: Snapshot, pods: readonly Pod[]): AutoscalerAnswer {
  const declined = newest(pods.map((pod) => declinedFor(snapshot, pod)));
  const [{ order, isRefused } = { order: undefined, isRefused: false }] = failedOrders(snapshot, pods);
  if (declined !== undefined && (order === undefined || (declined.lastSeen ?? '') > order.since)) {
    return { kind: 'declined', event: declined };
  }
  if (order === undefined) return { kind: 'silent' };
  return { kind: isRefused ? 'failed' : 'expired', order };
}

function newest(events: readonly (Event | undefined)[]): Event | undefined {
  return events
    .filter((event) => event !== undefined)
    .sort((a, b) => ((a.lastSeen ?? '') < (b.lastSeen ?? '') ? 1 : -1))[0];
}

/** Karpenter collects pods for up to 10 s and then simulates; the cluster autoscaler looks every 10 s. */
const answersWithinMs = 60_000;

/**
 * True if the cluster has an autoscaler and it has not answered for any of the pods, the newest of which was
 * refused less than a minute ago: it may order a node at any moment. No autoscaler orders nodes for pods of a
 * DaemonSet. False where its limits let it add none.
 */
export function isAnswerPending(snapshot: Snapshot, pods: readonly Pod[]): boolean {
  if (snapshot.workload.kind === 'DaemonSet' || !hasAutoscaler(snapshot)) return false;
  if (isEveryAdmissionClosed(snapshot, pods)) return false;
  if (autoscalerAnswer(snapshot, pods).kind !== 'silent') return false;
  const now = nowOf(snapshot);
  return pods.some((pod) => now - Date.parse(refusedSince(pod) ?? '') < answersWithinMs);
}

/**
 * True where a scale-up for one of the pods failed or gave no node in time: after a backoff,
 * cluster-autoscaler tries the node groups again, without a change by people.
 */
export function isScaleUpRetried(snapshot: Snapshot, pods: readonly Pod[]): boolean {
  if (snapshot.workload.kind === 'DaemonSet') return false;
  const answer = autoscalerAnswer(snapshot, pods);
  if (answer.kind === 'declined') return answer.event.message.includes(backoffWords);
  return answer.kind === 'failed' || answer.kind === 'expired';
}

function hasAutoscaler({ index }: Snapshot): boolean {
  return hasKarpenter(index.objects) || hasClusterAutoscaler(index.objects);
}

/** True where every autoscaler that the objects show is kept from adding a node for any of the pods. */
export function isEveryAdmissionClosed(snapshot: Snapshot, pods: readonly Pod[]): boolean {
  const { objects } = snapshot.index;
  const [karpenter, groups] = [hasKarpenter(objects), hasClusterAutoscaler(objects)];
  if (!karpenter && !groups) return false;
  return (!karpenter || isEveryPoolShut(snapshot, pods)) && (!groups || isEveryGroupShut(snapshot));
}
