import type { ClusterIndex } from '../objects/cluster-index.js';
import type { Event } from '../objects/event.js';

/** Reasons of the events by which a controller reports creations. */
type Reasons = { readonly failed: string; readonly created: string };

/** Of the controllers in kube-controller-manager. */
const builtIn: Reasons = { failed: 'FailedCreate', created: 'SuccessfulCreate' };

/** The last failure of this controller, unless it has created something since. */
export function failureEvent(
  index: ClusterIndex,
  now: number,
  uid: string,
  reasons: Reasons = builtIn,
): Event | undefined {
  const events = index.eventsByUid.get(uid) ?? [];
  const failed = events.findLast(({ reason, type }) => reason === reasons.failed && type === 'Warning');
  if (failed === undefined || instantOf(failed.lastSeen) > now + 60_000) return undefined;
  const created = events.findLast(({ reason }) => reason === reasons.created);
  return instantOf(created?.lastSeen) > instantOf(failed.lastSeen) ? undefined : failed;
}

/** Epoch milliseconds; before all others where the time is not known. */
export function instantOf(at: string | undefined): number {
  const time = Date.parse(at ?? '');
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}
