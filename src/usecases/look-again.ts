import type { Incident } from '../core/incident/incident.js';
import { isChanging, lookedAgain } from '../core/incident/incident-transitions.js';
import type { LookAgain } from './conversation.js';
import { notice } from './notices.js';
import type { Clock, IncidentStore, JobQueue } from './ports.js';
import { rewrite } from './rewrite.js';

export interface LookAgainDeps {
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly clock: Clock;
}

/** A fresh look at an incident's workload, for whoever presses the button; looking needs no right. */
export function createLookAgain(deps: LookAgainDeps): LookAgain {
  return async ({ incidentId }) => {
    const incident = await deps.incidents.get(incidentId);
    if (incident === undefined) {
      return { type: 'refused', because: notice('incident-unknown', { id: incidentId }) };
    }
    const workload = nameOf(incident);
    if (isChanging(incident)) {
      return {
        type: 'refused',
        because: notice('change-under-way', { workload, by: incident.change?.approvedBy ?? [] }),
      };
    }
    return { type: 'queued', incident: (await queueLook(deps, incidentId)) ?? incident };
  };
}

/** Queues a fresh look, unless one is queued or a change is under way. */
export async function queueLook(
  { incidents, jobs, clock }: LookAgainDeps,
  incidentId: string,
): Promise<Incident | undefined> {
  const at = clock.now().toISOString();
  const incident = await rewrite(incidents, incidentId, (current) => lookedAgain(current, at));
  if (incident === undefined) return undefined;
  // It may be put off for the alerts of a storm: a person waits for it now.
  await jobs.enqueue('diagnosis', { v: 1, incidentId, look: incident.look }, { urgency: 'person' });
  await jobs.enqueue('delivery', { v: 1, kind: 'card', incidentId, version: incident.version });
  return incident;
}

/** `namespace/name`, as people write it. */
export function nameOf({ workload }: Pick<Incident, 'workload'>): string {
  return `${workload.namespace}/${workload.name}`;
}
