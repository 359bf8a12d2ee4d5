import { freshFor } from './fresh-diagnosis.js';
import type { Incident, IncidentAlert } from './incident.js';
import { askedAgain, diagnosisStarted } from './incident-transitions.js';

/** A job that is done twice is known by its alert: far more than fire for one workload while a worker is replaced. */
const alertsMost = 50;

/**
 * The alert fires, for the first time or again: counted, and looked at afresh. Where others of the incident fire and the
 * last look is fresh, it is only counted; and the same process queues the look that is owed. Firings that are counted
 * already change nothing, so that a job may be done twice.
 */
export function alertFired(incident: Incident, alert: IncidentAlert, at: string): Incident | undefined {
  const known = incident.alerts?.find(({ id }) => id === alert.id);
  const more = known === undefined ? 1 : alert.firings - known.firings;
  if (more <= 0 && known?.status === 'firing') return undefined;
  const isCovered = alertStatusOf(incident) === 'firing' && freshFor(incident, at) > 0;
  return {
    ...(isCovered ? { ...incident, version: incident.version + 1, updatedAt: at } : askedAgain(incident, at)),
    occurrences: incident.occurrences + Math.max(more, 0),
    alerts: withAlert(incident, alert),
  };
}

/** The alert says that it is over. Once no alert of the incident fires, the rule itself is asked. */
export function alertResolved(incident: Incident, alert: IncidentAlert, at: string): Incident | undefined {
  const known = incident.alerts?.find(({ id }) => id === alert.id);
  if (known === undefined || known.status === 'resolved') return undefined;
  const alerts = withAlert(incident, alert);
  const noted: Incident = { ...incident, version: incident.version + 1, updatedAt: at, alerts };
  if (alerts.some(({ status }) => status === 'firing')) return noted;
  const looked = diagnosisStarted(incident, at);
  return looked === incident ? noted : { ...looked, alerts };
}

function withAlert({ alerts = [] }: Incident, alert: IncidentAlert): readonly IncidentAlert[] {
  return [...alerts.filter(({ id }) => id !== alert.id), alert].slice(-alertsMost);
}

/** What the incident's alerts say together; `undefined` where there are none. */
export function alertStatusOf({ alerts = [] }: Incident): 'firing' | 'resolved' | undefined {
  if (alerts.length === 0) return undefined;
  return alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved';
}
