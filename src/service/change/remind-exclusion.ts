import type { Remediation } from '../../doctor/fixes/remediation.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { remindersOf } from '../../doctor/incidents/reminders.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import { enqueueEntry } from '../deliver/delivery-jobs.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import type { DiagnosisEngine } from '../diagnose/engine.js';
import { DoctorError } from '../errors.js';
import type { VerificationJob } from '../jobs/jobs.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { JobQueue } from '../records/process-ports.js';

interface RemindExclusionDeps {
  readonly approvals: ApprovalStore;
  readonly cluster: Pick<ClusterReader, 'snapshot'>;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly engine: DiagnosisEngine;
}

/**
 * Queues the reminders of an incident's fixes for the time when each is due. Queuing one again adds nothing.
 *
 * @param now in milliseconds since 1970
 * @param merged what the merged pull request of the incident changes
 */
export async function queueReminders(
  { jobs }: Pick<RemindExclusionDeps, 'jobs'>,
  incident: Incident,
  now: number,
  merged?: Remediation,
): Promise<void> {
  for (const { approvalId, dueAt } of remindersOf(incident, merged)) {
    const job = { v: 1, incidentId: incident.id, approvalId, remind: true } as const;
    await jobs.enqueue('verification', job, { delayMs: Math.max(0, dueAt - now) });
  }
}

/**
 * Says once in the thread that a workload is still kept off nodes, when its time has come and it is. Lifted
 * by anybody, or the workload gone: nothing is said. A lost record of the approval is replaced by what its
 * incident states.
 *
 * @throws DoctorError `cluster-unavailable`, retryable, when the workload cannot be read
 */
export function createRemindExclusion({ approvals, cluster, incidents, jobs, engine }: RemindExclusionDeps) {
  return async ({ incidentId, approvalId }: VerificationJob): Promise<void> => {
    const approval = await approvals.get(approvalId);
    const incident = await incidents.get(incidentId);
    if (incident === undefined || (approval !== undefined && approval.state !== 'done')) return;
    const made = approval ?? remindersOf(incident).find((each) => each.approvalId === approvalId);
    if (made === undefined) return;
    const read = await cluster.snapshot(incident.workload, new Set());
    if (read.type === 'not-found') return;
    if (read.type === 'unreadable') {
      throw new DoctorError({
        code: 'cluster-unavailable',
        message: 'the cluster could not be read for a reminder',
        retryable: true,
        ...(read.retryAfterMs === undefined ? {} : { retryAfterMs: read.retryAfterMs }),
      });
    }
    if (!(await engine.stands(made.remediation, read.snapshot))) return;
    await enqueueEntry(jobs, incidentId, { kind: 'reminder', of: approvalId });
  };
}
