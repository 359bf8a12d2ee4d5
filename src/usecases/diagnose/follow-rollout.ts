import { fairnessKeyOf } from '../../core/alert/fairness-keys.js';
import { mainFindingOf } from '../../core/diagnosis/main-finding.js';
import type { Incident } from '../../core/incident/incident.js';
import { diagnosisStarted } from '../../core/incident/incident-transitions.js';
import type { DiagnosisJob } from '../../jobs/jobs.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { Clock, JobQueue } from '../records/process-ports.js';
import { updateIncident } from '../records/update-incident.js';

/** Pauses before the diagnoses that nobody asked for, in milliseconds; together some five minutes. */
export const followAfterMs = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000] as const;

/**
 * Queues a diagnosis that nobody asked for, where the one just made found nothing but the rollout is still
 * under way: what was seen between two steps of a controller may be a deadlock a second later.
 *
 * @param follow how many such diagnoses came before
 */
export async function followRollout(
  jobs: JobQueue,
  { id, look, phase, diagnosis, workload, requested }: Incident,
  follow: number,
): Promise<void> {
  const delayMs = followAfterMs[follow];
  if (delayMs === undefined || phase !== 'diagnosed' || diagnosis?.underWay === undefined) return;
  // Another diagnosis would take the review of the requested change away from the people who read it.
  if (mainFindingOf(diagnosis).main !== undefined || requested !== undefined) return;
  const job: DiagnosisJob = { v: 1, incidentId: id, look: look + 1, follow: follow + 1 };
  await jobs.enqueue('diagnosis', job, { delayMs, urgency: 'alert', fairnessKey: fairnessKeyOf(workload) });
}

/** Begins a diagnosis that nobody asked for, unless somebody looked or changed something meanwhile. */
export async function beginFollowing(
  { incidents, clock }: { readonly incidents: IncidentStore; readonly clock: Clock },
  { incidentId, look }: DiagnosisJob,
): Promise<void> {
  const at = clock.now().toISOString();
  await updateIncident(incidents, incidentId, (current) =>
    current.look === look - 1 && current.phase === 'diagnosed' ? diagnosisStarted(current, at) : undefined,
  );
}
