import type { AuditEntry } from '../../doctor/audit/audit-entry.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { DoctorError } from '../errors.js';
import type { IncidentStore } from './incident-store.js';

/** Far more than people and workers that write one incident at the same time. */
const maxAttempts = 50;

/**
 * Reads the incident, changes it and stores it by compare-and-set, again when somebody else wrote first.
 *
 * @param from its id; or the incident if it was read just now, which saves the first read
 * @param change pure; gives `undefined` or the same record when there is nothing to write
 * @param decisionOf gives the decision that is recorded in the same write
 * @returns the stored record, or `undefined` when the incident is gone or `change` wrote nothing
 * @throws DoctorError `record-conflict` when it never wins
 */
export async function updateIncident(
  incidents: IncidentStore,
  from: string | Incident,
  change: (incident: Incident) => Incident | undefined,
  decisionOf: (next: Incident) => AuditEntry | undefined = () => undefined,
): Promise<Incident | undefined> {
  let current = typeof from === 'string' ? await incidents.get(from) : from;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const next = current && change(current);
    if (next === undefined || next === current) return undefined;
    const stored = await incidents.replace(next, decisionOf(next));
    if (!('type' in stored)) return stored;
    current = await incidents.get(next.id);
  }
  throw new DoctorError({
    code: 'record-conflict',
    message: 'an incident was written by others at every attempt',
    retryable: true,
  });
}
