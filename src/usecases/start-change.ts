import type { Approval } from '../core/incident/approval.js';
import { movedTo } from '../core/incident/approval-transitions.js';
import type { Incident } from '../core/incident/incident.js';
import { changeStarted } from '../core/incident/incident-transitions.js';
import type { ApprovalStore, Clock, IncidentStore, JobQueue } from './ports.js';
import { rewrite } from './rewrite.js';

export interface StartChangeDeps {
  readonly approvals: ApprovalStore;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly clock: Clock;
}

/**
 * Gives an approved change its incident and queues it. One incident carries one change at a time: when another one
 * has it, this approval is superseded. Calling it again for the same approval only queues again, which adds nothing.
 */
export async function startChange(
  { approvals, incidents, jobs, clock }: StartChangeDeps,
  approval: Approval,
): Promise<Incident | undefined> {
  const at = clock.now().toISOString();
  const stored = await rewrite(incidents, approval.incidentId, (incident) =>
    changeStarted(incident, approval, at),
  );
  const incident = stored ?? (await incidents.get(approval.incidentId));
  const holds = incident?.phase === 'applying' && incident.change?.approvalId === approval.id;
  if (incident === undefined || !holds) {
    const current = await approvals.get(approval.id);
    if (current?.state === 'approved') await approvals.replace(movedTo(current, 'superseded'));
    return undefined;
  }
  await jobs.enqueue('remediation', { v: 1, incidentId: incident.id, approvalId: approval.id });
  await jobs.enqueue('delivery', { v: 1, kind: 'card', incidentId: incident.id, version: incident.version });
  await jobs.enqueue('delivery', {
    v: 1,
    kind: 'thread',
    incidentId: incident.id,
    entry: { kind: 'approved', of: approval.id },
  });
  return incident;
}
