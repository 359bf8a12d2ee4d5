import { compareText } from '../collections/collections.js';
import type { ObjectMeta } from '../objects/metadata.js';

/** Epoch milliseconds of an API timestamp; `undefined` where it is absent or unreadable. */
export function epochOf(timestamp: string | undefined): number | undefined {
  if (timestamp === undefined) return undefined;
  const known = epochs.get(timestamp);
  if (known !== undefined) return known;
  const epoch = Date.parse(timestamp);
  if (Number.isNaN(epoch)) return undefined;
  if (epochs.size >= maxEpochs) epochs.clear();
  epochs.set(timestamp, epoch);
  return epoch;
}

/**
 * Sorting asks for the same times again and again, and reading one costs more than everything else about it.
 */
const epochs = new Map<string, number>();
const maxEpochs = 8192;

/** The last second of the year 9999: RFC3339 has no later one. */
const latestTime = 253_402_300_799_000;

/**
 * RFC3339 as the API server writes it: whole seconds, UTC. Times beyond its range are written as its ends.
 */
export function apiTime(epoch: number): string {
  const seconds = Math.floor(Math.max(0, Math.min(epoch, latestTime)) / 1000);
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
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
