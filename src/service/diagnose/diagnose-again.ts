import type { Incident } from '../../doctor/incidents/incident.js';
import { diagnosisStarted, isChanging } from '../../doctor/incidents/incident-transitions.js';
import { visibleIn } from '../../doctor/policy/view.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';
import { notice } from '../notices/notices.js';
import type { DiagnoseAgain } from '../people/conversation.js';
import type { Sights } from '../people/sights.js';
import type { IncidentStore } from '../records/incident-store.js';
import { updateIncident } from '../records/incident-store.js';
import type { Clock, JobQueue } from '../records/process-ports.js';

export interface DiagnoseAgainDeps {
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly clock: Clock;
}

/** A fresh diagnosis of an incident's workload, for those who press the button and may see the workload. */
export function createDiagnoseAgain(deps: DiagnoseAgainDeps & Pick<ViewDeps, 'sights'>): DiagnoseAgain {
  return async ({ incidentId, by }) => {
    const incident = await incidentFor(deps, incidentId, by);
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
    return { type: 'queued', incident: (await queueDiagnosis(deps, incidentId, { by })) ?? incident };
  };
}

export interface ViewDeps {
  readonly incidents: Pick<IncidentStore, 'get'>;
  readonly sights: Pick<Sights, 'ofPerson'>;
}

/** The incident, for somebody who may see its workload; for everybody else there is none. */
export async function incidentFor(
  { incidents, sights }: ViewDeps,
  incidentId: string,
  by: string,
): Promise<Incident | undefined> {
  const [incident, sight] = await Promise.all([incidents.get(incidentId), sights.ofPerson(by)]);
  return incident !== undefined && visibleIn(sight, incident.workload).workload ? incident : undefined;
}

/**
 * Queues a fresh diagnosis, unless one is queued or a change is under way.
 *
 * @param by the person who asked; absent where the card's own state did
 * @param follow of a diagnosis whose thread should hear only of another cause
 */
export async function queueDiagnosis(
  { incidents, jobs, clock }: DiagnoseAgainDeps,
  incidentId: string,
  { by, follow }: { readonly by?: string | undefined; readonly follow?: number } = {},
): Promise<Incident | undefined> {
  const at = clock.now().toISOString();
  const incident = await updateIncident(incidents, incidentId, (current) =>
    diagnosisStarted(current, at, by),
  );
  if (incident === undefined) return undefined;
  // It may be put off for the alerts of a storm: a person waits for it now.
  const job = { v: 1, incidentId, look: incident.look, ...(follow === undefined ? {} : { follow }) } as const;
  await jobs.enqueue('diagnosis', job, { urgency: 'person' });
  await enqueueCard(jobs, incident);
  return incident;
}

/** `namespace/name`, as people write it. */
export function nameOf({ workload }: Pick<Incident, 'workload'>): string {
  return `${workload.namespace}/${workload.name}`;
}
