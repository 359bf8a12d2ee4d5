import { isExpired, movedTo } from '../core/incident/approval-transitions.js';
import type { ApprovalStore, Clock, IncidentStore, JobQueue } from './ports.js';
import { startChange } from './start-change.js';

export interface SweepDeps {
  readonly approvals: ApprovalStore;
  readonly clock: Clock;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
}

/**
 * Picks up what a process that died left between a record and its job: every unsettled incident gets the job of its
 * phase again. Deterministic job ids make that harmless where the job is still there.
 *
 * @returns how many incidents and approvals were touched
 */
export function createSweep({ approvals, clock, incidents, jobs }: SweepDeps) {
  return async (): Promise<number> => {
    let touched = 0;
    for (const id of await approvals.underway()) {
      const approval = await approvals.get(id);
      if (approval?.state !== 'approved' && approval?.state !== 'running') continue;
      touched += 1;
      if (approval.state === 'approved') await startChange({ approvals, clock, incidents, jobs }, approval);
      else await jobs.enqueue('remediation', { v: 1, incidentId: approval.incidentId, approvalId: id });
    }
    for (const id of await incidents.unsettled()) {
      const incident = await incidents.get(id);
      if (incident === undefined) continue;
      touched += 1;
      await jobs.enqueue('delivery', { v: 1, kind: 'card', incidentId: id, version: incident.version });
      if (incident.phase === 'diagnosing') {
        await jobs.enqueue('diagnosis', { v: 1, incidentId: id, look: incident.look });
      }
      if (incident.phase === 'verifying' && incident.change !== undefined) {
        await jobs.enqueue('verification', { v: 1, incidentId: id, approvalId: incident.change.approvalId });
      }
      if (incident.phase === 'awaiting' && incident.approvalId !== undefined) {
        const approval = await approvals.get(incident.approvalId);
        if (approval !== undefined && isExpired(approval, clock.now().getTime())) {
          await approvals.replace(movedTo(approval, 'expired'));
        }
      }
    }
    return touched;
  };
}
