import type { ApprovalStore } from '../approve/approval-ports.js';
import { enqueueEntry } from '../deliver/delivery-jobs.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import type { DiagnosisEngine } from '../diagnose/engine.js';
import { DoctorError } from '../errors.js';
import type { VerificationJob } from '../jobs/jobs.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { JobQueue } from '../records/process-ports.js';

export interface RemindExclusionDeps {
  readonly approvals: ApprovalStore;
  readonly cluster: Pick<ClusterReader, 'snapshot'>;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly engine: DiagnosisEngine;
}

/**
 * Says once in the thread that a workload is still kept off nodes, when its time has come and it is. Lifted
 * by anybody, or the workload gone: nothing is said.
 *
 * @throws DoctorError `cluster-unavailable`, retryable, when the workload cannot be read
 */
export function createRemindExclusion({ approvals, cluster, incidents, jobs, engine }: RemindExclusionDeps) {
  return async ({ incidentId, approvalId }: VerificationJob): Promise<void> => {
    const approval = await approvals.get(approvalId);
    const incident = await incidents.get(incidentId);
    if (approval?.state !== 'done' || incident === undefined) return;
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
    if (!(await engine.stands(approval.remediation, read.snapshot))) return;
    await enqueueEntry(jobs, incidentId, { kind: 'reminder', of: approvalId });
  };
}
