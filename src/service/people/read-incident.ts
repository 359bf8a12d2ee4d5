import { visibleIncident } from '../../doctor/incidents/visible-incident.js';
import { visibleIn } from '../../doctor/policy/view.js';
import { notice } from '../notices/notices.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { ReadIncident } from './conversation.js';
import type { Sights } from './sights.js';

export interface ReadIncidentDeps {
  readonly incidents: Pick<IncidentStore, 'get'>;
  readonly sights: Pick<Sights, 'ofPerson'>;
}

/**
 * Reads an incident for an answer that one person reads. For somebody who may not see its workload there is
 * none.
 */
export function createReadIncident({ incidents, sights }: ReadIncidentDeps): ReadIncident {
  return async ({ incidentId, by }) => {
    const [incident, sight] = await Promise.all([incidents.get(incidentId), sights.ofPerson(by)]);
    if (incident === undefined || !visibleIn(sight, incident.workload).workload) {
      return { type: 'refused', because: notice('incident-unknown', { id: incidentId }) };
    }
    return { type: 'incident', incident: visibleIncident(incident, sight) };
  };
}
