import { compareText } from '../cluster/cluster-objects.js';
import type { ObjectMeta } from '../cluster/metadata.js';

/** Epoch milliseconds of an API timestamp; `undefined` where it is absent or unreadable. */
export function epochOf(timestamp: string | undefined): number | undefined {
  if (timestamp === undefined) return undefined;
  const epoch = Date.parse(timestamp);
  return Number.isNaN(epoch) ? undefined : epoch;
}

/** RFC3339 as the API server writes it: whole seconds, UTC. */
export function apiTime(epoch: number): string {
  return `${new Date(Math.floor(epoch / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

type Created = { readonly metadata: ObjectMeta };

/**
 * Oldest first, then by name; an object without a creation time counts as the oldest
 * (kubernetes `controller_utils.go: ReplicaSetsByCreationTimestamp`).
 */
export function byCreation(a: Created, b: Created): number {
  const createdA = epochOf(a.metadata.creationTimestamp) ?? Number.NEGATIVE_INFINITY;
  const createdB = epochOf(b.metadata.creationTimestamp) ?? Number.NEGATIVE_INFINITY;
  if (createdA !== createdB) return createdA < createdB ? -1 : 1;
  return compareText(a.metadata.name, b.metadata.name);
}
