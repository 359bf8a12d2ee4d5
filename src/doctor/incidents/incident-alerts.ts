import type { Incident, IncidentAlert } from './incident.js';
import { askedAgain, diagnosisStarted } from './incident-transitions.js';

/**
 * A job that is done twice is known by its alert: far more than fire for one workload while a worker is
 * replaced.
 */
const alertsMost = 50;

/**
 * The alert fires, for the first time or again: counted, and looked at afresh. Where others of the incident
 * fire and the last diagnosis is fresh, it is only counted; and the same process queues the diagnosis that is
 * owed. Firings that are counted already change nothing, so that a job may be done twice.
 *
 * @param uncounted firings that no incident counts yet, where this one does not know the alert
 */
export function alertFired(
  incident: Incident,
  alert: IncidentAlert,
  at: string,
  uncounted = 1,
): Incident | undefined {
  const known = incident.alerts?.find(({ id }) => id === alert.id);
  const more = known === undefined ? uncounted : firingsSince(known, alert);
  if (more === undefined || (more <= 0 && known?.status === 'firing')) return undefined;
  const isCovered = alertStatusOf(incident) === 'firing' && freshFor(incident, at) > 0;
  return {
    ...(isCovered ? { ...incident, version: incident.version + 1, updatedAt: at } : askedAgain(incident, at)),
    occurrences: incident.occurrences + Math.max(more, 0),
    alerts: withAlert(incident, alert),
  };
}

/**
 * The alert says that it is over. Firings before that, which nobody acted on, are counted, except where
 * another incident goes on with them. Once no alert of the incident fires, the rule itself is asked.
 */
export function alertResolved(incident: Incident, alert: IncidentAlert, at: string): Incident | undefined {
  const known = incident.alerts?.find(({ id }) => id === alert.id);
  if (known === undefined) return undefined;
  const since = firingsSince(known, alert);
  if (since === undefined) return undefined;
  const more = incident.successor === undefined ? Math.max(0, since) : 0;
  if (known.status === 'resolved' && more === 0) return undefined;
  const occurrences = incident.occurrences + more;
  const alerts = withAlert(incident, alert);
  const noted: Incident = { ...incident, version: incident.version + 1, updatedAt: at, occurrences, alerts };
  if (alerts.some(({ status }) => status === 'firing')) return noted;
  const started = diagnosisStarted(incident, at);
  return started === incident ? noted : { ...started, occurrences, alerts };
}

/** Whether all firings of the alert so far are counted in this incident. */
export function countsAll({ alerts = [], successor }: Incident, { id, firings }: IncidentAlert): boolean {
  return successor === undefined && alerts.some((known) => known.id === id && known.firings >= firings);
}

/**
 * All of a record that began later, since its alert had been forgotten. `undefined` for a state from before
 * the known one, which a slow worker still acts on.
 */
function firingsSince(known: IncidentAlert, { firings, recordedAt }: IncidentAlert): number | undefined {
  const more = firings - known.firings;
  if (recordedAt === undefined) return more;
  // An entry of an earlier version: its record began before its last signal.
  if (known.recordedAt === undefined) return recordedAt > known.at ? firings : more;
  if (recordedAt === known.recordedAt) return more < 0 ? undefined : more;
  return recordedAt > known.recordedAt ? firings : undefined;
}

function withAlert({ alerts = [] }: Incident, alert: IncidentAlert): readonly IncidentAlert[] {
  return [...alerts.filter(({ id }) => id !== alert.id), alert].slice(-alertsMost);
}

/** What the incident's alerts say together; `undefined` where there are none. */
export function alertStatusOf({ alerts = [] }: Incident): 'firing' | 'resolved' | undefined {
  if (alerts.length === 0) return undefined;
  return alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved';
}

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
