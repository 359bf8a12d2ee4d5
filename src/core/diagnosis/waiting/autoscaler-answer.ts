import type { Event } from '../../cluster/event.js';
import type { Pod } from '../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../cluster/snapshot.js';
import { declinedFor, orderFor, type ScaleUp } from '../scale-up-under-way.js';

/** What an autoscaler has said of pods for which no order is under way. */
export type AutoscalerAnswer =
  /** It says that a new node would not help, or that it may not make one. */
  | { readonly kind: 'declined'; readonly event: Event }
  /** It ordered a node, the time for it has passed, and the pods still wait. */
  | { readonly kind: 'expired'; readonly order: ScaleUp }
  /** No word of any autoscaler: there is none, or its events are gone. */
  | { readonly kind: 'silent' };

/** The newest answer about any of the pods. Ask only when `scaleUpUnderWay` knows of no order. */
export function autoscalerAnswer(snapshot: Snapshot, pods: readonly Pod[]): AutoscalerAnswer {
  const declined = newest(pods.map((pod) => declinedFor(snapshot, pod)));
  const order = pods
    .map((pod) => orderFor(snapshot, pod))
    .filter((each) => each !== undefined)
    .filter(({ until }) => Date.parse(until) <= nowOf(snapshot))
    .sort((a, b) => (a.since < b.since ? 1 : -1))[0];
  if (declined !== undefined && (order === undefined || (declined.lastSeen ?? '') > order.since)) {
    return { kind: 'declined', event: declined };
  }
  return order === undefined ? { kind: 'silent' } : { kind: 'expired', order };
}

function newest(events: readonly (Event | undefined)[]): Event | undefined {
  return events
    .filter((event) => event !== undefined)
    .sort((a, b) => ((a.lastSeen ?? '') < (b.lastSeen ?? '') ? 1 : -1))[0];
}
