import type { Incident } from './incident.js';

/**
 * How long a diagnosis speaks for alerts that fire after it, in milliseconds. A storm of alerts about one
 * workload costs one diagnosis in this time.
 */
export const freshMs = 20_000;

const rests: ReadonlySet<Incident['phase']> = new Set(['diagnosed', 'awaiting', 'settled']);

/** Milliseconds until another diagnosis is due; 0 when it is due now, or when none was made yet. */
export function freshFor({ phase, diagnosis }: Incident, at: string): number {
  if (!rests.has(phase) || diagnosis === undefined) return 0;
  const age = Date.parse(at) - Date.parse(diagnosis.takenAt);
  // The diagnosis was perhaps made by another machine's clock: what lies far ahead of ours is no promise.
  return Math.abs(age) < freshMs ? freshMs - Math.max(0, age) : 0;
}
