import { fairnessKeyOf } from '../../core/alert/fairness-keys.js';
import type { Incident } from '../../core/incident/incident.js';
import { comesBack, successorOf } from '../../core/incident/incident-succession.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { Clock, JobQueue, Urgency } from '../records/process-ports.js';
import { updateIncident } from '../records/update-incident.js';

/**
 * Opens the incident that goes on where another one is over, or takes the earlier one up again, and has it
 * look. Its id stands in the one that is over, so that a job that is done twice opens it once.
 */
export async function openSuccessor(
  {
    incidents,
    jobs,
    clock,
  }: { readonly incidents: IncidentStore; readonly jobs: JobQueue; readonly clock: Clock },
  over: Incident,
  urgency: Urgency = 'alert',
): Promise<void> {
  const { successor } = over;
  if (successor === undefined) return;
  const at = clock.now().toISOString();
  await incidents.open(successorOf(over, successor, at));
  await updateIncident(incidents, successor, (earlier) => comesBack(earlier, over, at));
  const now = await incidents.get(successor);
  const turn = { urgency, fairnessKey: fairnessKeyOf(over.workload) };
  for (const incident of now === undefined ? [over] : [over, now]) await enqueueCard(jobs, incident, turn);
  if (now?.phase !== 'diagnosing') return;
  await jobs.enqueue('diagnosis', { v: 1, incidentId: now.id, look: now.look }, turn);
}
