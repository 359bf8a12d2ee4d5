import type { Approval } from '../../doctor/incidents/approval.js';
import { movedTo } from '../../doctor/incidents/approval-transitions.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { changeStarted } from '../../doctor/incidents/incident-transitions.js';
import { hasPullRequest, pullRequestStarted } from '../../doctor/incidents/pull-request-transitions.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import { enqueueCard, enqueueEntry } from '../deliver/delivery-jobs.js';
import { approvalEntry } from '../records/audit-entries.js';
import type { IncidentStore } from '../records/incident-store.js';
import { updateIncident } from '../records/incident-store.js';
import type { Clock, JobQueue } from '../records/process-ports.js';

export interface StartChangeDeps extends ClaimIncidentDeps {
  readonly jobs: JobQueue;
}

/**
 * Gives an approved change its incident and queues it. Only for an approval whose seal was checked. One
 * incident carries one change at a time: when another one has it, this approval is superseded. Calling it
 * again for the same approval only queues again, which adds nothing.
 */
export async function startChange(deps: StartChangeDeps, approval: Approval): Promise<Incident | undefined> {
  const incident = await claimIncident(deps, approval, {
    started: changeStarted,
    holds: ({ phase, change }, { id }) => phase === 'applying' && change?.approvalId === id,
  });
  if (incident === undefined) return undefined;
  const { jobs } = deps;
  const job = { v: 1, incidentId: incident.id, approvalId: approval.id } as const;
  const delayMs = (approval.cancelSeconds ?? 0) * 1_000;
  await jobs.enqueue('remediation', job, delayMs > 0 ? { delayMs } : {});
  await enqueueCard(jobs, incident);
  await enqueueEntry(jobs, incident.id, { kind: 'approved', of: approval.id });
  return incident;
}

/** The same for an approved pull request. */
export async function startPullRequest(
  deps: StartChangeDeps,
  approval: Approval,
): Promise<Incident | undefined> {
  const incident = await claimIncident(deps, approval, {
    started: pullRequestStarted,
    holds: (of, { id }) => hasPullRequest(of, id),
  });
  if (incident === undefined) return undefined;
  await deps.jobs.enqueue('pull-request', { v: 1, incidentId: incident.id, approvalId: approval.id });
  await enqueueCard(deps.jobs, incident);
  return incident;
}

/** Milliseconds in which the approved change can still be cancelled before a worker may start it. */
export function cancellableMs({ cancelSeconds = 0, decisions }: Approval, now: Date): number {
  const last = Math.max(0, ...decisions.map(({ at }) => Date.parse(at)));
  return Math.max(0, Math.min(cancelSeconds * 1_000, last + cancelSeconds * 1_000 - now.getTime()));
}

interface ClaimIncidentDeps {
  readonly approvals: ApprovalStore;
  readonly incidents: IncidentStore;
  readonly clock: Clock;
}

interface Claim {
  /** The incident with the approved change; `undefined` where it has no place for it. */
  readonly started: (incident: Incident, approval: Approval, at: string) => Incident | undefined;
  readonly holds: (incident: Incident, approval: Approval) => boolean;
}

/**
 * Gives an approved change its incident. When another change has it, this approval is superseded. Calling it
 * again for the approval that has the incident only returns the incident.
 */
async function claimIncident(
  { approvals, incidents, clock }: ClaimIncidentDeps,
  approval: Approval,
  { started, holds }: Claim,
): Promise<Incident | undefined> {
  const now = clock.now();
  const at = now.toISOString();
  const stored = await updateIncident(incidents, approval.incidentId, (incident) =>
    started(incident, approval, at),
  );
  const incident = stored ?? (await incidents.get(approval.incidentId));
  if (incident !== undefined && holds(incident, approval)) return incident;
  const current = await approvals.get(approval.id);
  if (current?.state === 'approved') {
    await approvals.replace(
      movedTo(current, 'superseded'),
      approvalEntry(current, 'superseded', { at: now }),
    );
  }
  return undefined;
}
