import type { AuditEntry } from '../../doctor/audit/audit-entry.js';
import type { Approval, AuthenticApproval } from '../../doctor/incidents/approval.js';
import { finalApprovalStates } from '../../doctor/incidents/approval.js';
import { movedTo } from '../../doctor/incidents/approval-transitions.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { approvalLost } from '../../doctor/incidents/incident-approvals.js';
import { changeApplied, changeFailed } from '../../doctor/incidents/incident-transitions.js';
import type { Statement } from '../../engine/language/statement.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import { enqueueCard, enqueueEntry } from '../deliver/delivery-jobs.js';
import { type DiagnoseAgainDeps, nameOf, queueDiagnosis } from '../diagnose/diagnose-again.js';
import type { ThreadEntry } from '../jobs/jobs.js';
import { notice } from '../notices/notices.js';
import { approvalEntry, changeEntry, incidentEntry } from '../records/audit-entries.js';
import { updateIncident } from '../records/incident-store.js';
import type { AuditLog } from '../records/process-ports.js';
import { queueReminders } from './remind-exclusion.js';

export interface ReportChangeDeps extends DiagnoseAgainDeps {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  /** How long after the change the verdict must be given at the latest, in milliseconds. */
  readonly verifyWithinMs: number;
}

/** The API server accepted the change, and no step of it is left: the verification begins, unless it has. */
export async function verifying(deps: ReportChangeDeps, approval: AuthenticApproval): Promise<undefined> {
  const at = deps.clock.now();
  const stored = await updateIncident(deps.incidents, approval.incidentId, (incident) =>
    changeApplied(incident, {
      approvalId: approval.id,
      at: at.toISOString(),
      generation: approval.applied?.generation,
      undo: approval.undoes ? undefined : approval.plan.undo,
      secondStep: approval.secondStep?.type === 'ended' ? approval.secondStep : undefined,
      verifyUntil: new Date(at.getTime() + deps.verifyWithinMs).toISOString(),
    }),
  );
  const { incidentId, id } = approval;
  await deps.jobs.enqueue('verification', { v: 1, incidentId, approvalId: id });
  const shown = stored ?? (await deps.incidents.get(incidentId));
  if (shown === undefined) return undefined;
  await queueReminders(deps, shown, at.getTime());
  await show(deps, shown, { kind: 'applied', of: id });
  return undefined;
}

/** The incident that carries this change says why it was not made. */
export async function notMade(
  deps: ReportChangeDeps,
  approval: Pick<Approval, 'id' | 'incidentId'>,
  failure: Statement,
): Promise<undefined> {
  const at = deps.clock.now().toISOString();
  const stored = await updateIncident(deps.incidents, approval.incidentId, (incident) =>
    changeFailed(incident, approval.id, failure, at),
  );
  if (stored === undefined) return undefined;
  await show(deps, stored, { kind: 'refused', of: approval.id });
  return undefined;
}

/**
 * The record of an approval is gone, for example after Redis started without its data. The incident that
 * waits for the approval or for its change states this, and the workload is diagnosed again.
 *
 * @returns whether an incident was waiting for it
 */
export async function reportLostApproval(
  deps: Pick<ReportChangeDeps, 'incidents' | 'jobs' | 'clock' | 'audit'>,
  { incidentId, approvalId }: { readonly incidentId: string; readonly approvalId: string },
): Promise<boolean> {
  const at = deps.clock.now().toISOString();
  const incident = await updateIncident(deps.incidents, incidentId, (current) =>
    approvalLost(current, approvalId, unknownChange(current, 'record-lost', ''), at),
  );
  if (incident === undefined) return false;
  const details = { because: 'record-lost', isCertain: false };
  await deps.audit.append(incidentEntry(incident, 'apply-refused', { at, approvalId, details }));
  await show(deps, incident, { kind: 'refused', of: approvalId });
  await queueDiagnosis(deps, incidentId, { follow: 0 });
  return true;
}

/** Queues the card and one entry of the thread. */
export async function show(
  { jobs }: Pick<ReportChangeDeps, 'jobs'>,
  incident: Incident,
  entry: ThreadEntry,
): Promise<void> {
  await enqueueCard(jobs, incident);
  await enqueueEntry(jobs, incident.id, entry);
}

/**
 * Ends the approval and records its end in one write; one that was written by others meanwhile is left to
 * them. So is one that has ended: a worker that lost the lock of its job may come after the one that took it
 * up.
 *
 * @param details `isCertain: false` where an attempt may have made the change
 */
export async function close(
  { approvals, clock }: ReportChangeDeps,
  id: string,
  state: 'expired' | 'failed',
  details: AuditEntry['details'] = {},
): Promise<void> {
  const current = await approvals.get(id);
  if (current === undefined || finalApprovalStates.some((final) => final === current.state)) return;
  const at = clock.now();
  const entry =
    state === 'expired'
      ? approvalEntry(current, 'expired', { at, details })
      : changeEntry(current, 'apply-refused', at, details);
  await approvals.replace(movedTo(current, state), entry);
}

/** An attempt may have made the change, and nobody knows. */
export function unknownChange(
  about: Pick<Approval, 'workload'>,
  because: string,
  message: string,
): Statement {
  const { cluster } = about.workload;
  return notice('change-unknown', { workload: nameOf(about), cluster, because, message });
}
