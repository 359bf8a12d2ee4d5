import type { Incident } from './incident.js';

/** Everyone who asked for or triggered a diagnosis of the incident, each once. */
export function initiatorsOf({
  origin,
  askers = [],
}: Pick<Incident, 'origin' | 'askers'>): readonly string[] {
  return [...new Set([...(origin.by === undefined ? [] : [origin.by]), ...askers])];
}

/**
 * The record with this person among those who asked: `written` where another transition has just made the
 * next version of `incident`, a version of its own where it has not.
 */
export function withAsker(
  incident: Incident,
  written: Incident,
  by: string | undefined,
  at: string,
): Incident {
  if (by === undefined || incident.successor !== undefined || initiatorsOf(incident).includes(by)) {
    return written;
  }
  const askers = [...(incident.askers ?? []), by];
  return written === incident
    ? { ...incident, version: incident.version + 1, updatedAt: at, askers }
    : { ...written, askers };
}
