import type { Approval } from '../core/incident/approval.js';
import { movedTo } from '../core/incident/approval-transitions.js';
import { changeApplied, changeFailed } from '../core/incident/incident-transitions.js';
import type { Statement } from '../core/language/statement.js';
import { DoctorError } from '../errors.js';
import type { JobSubject } from '../jobs/job-subject.js';
import type { RemediationJob, ThreadEntry } from '../jobs/jobs.js';
import { type LookAgainDeps, nameOf, queueLook } from './look-again.js';
import { notice } from './notices.js';
import type { ApprovalStore, AuditEntry, AuditLog, ChangeOutcome, WorkloadPatcher } from './ports.js';
import { rewrite } from './rewrite.js';
import { startChange } from './start-change.js';

export interface ApplyRemediationDeps extends LookAgainDeps {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly patcher: WorkloadPatcher;
  /** How long after the change the verdict must be given at the latest, in milliseconds. */
  readonly verifyWithinMs: number;
}

const hourMs = 3_600_000;

/**
 * Carries out one approved plan. A worker that dies at any step leaves the approval `approved` or `running`; the
 * next attempt comes here again, and the patcher recognises a change that was made already by its mark on the object.
 *
 * @param lastAttempt no retry follows: an unanswered change is reported as unknown
 * @throws DoctorError `cluster-unavailable`, retryable, while it is unknown whether the change was made
 */
export function createApplyRemediation(deps: ApplyRemediationDeps) {
  return async (job: RemediationJob, { lastAttempt }: { readonly lastAttempt: boolean }): Promise<void> => {
    const approval = await deps.approvals.get(job.approvalId);
    if (approval === undefined) return;
    const now = deps.clock.now();
    if (approval.state === 'approved') {
      if ((await startChange(deps, approval)) === undefined) return;
      if (now.getTime() >= Date.parse(approval.expiresAt)) {
        const minutes = Math.round(
          (Date.parse(approval.expiresAt) - Date.parse(approval.createdAt)) / 60_000,
        );
        await deps.approvals.replace(movedTo(approval, 'expired'));
        return notMade(deps, approval, notice('approval-expired', { minutes }));
      }
    }
    if (approval.state === 'done') return verifying(deps, approval, undefined);
    const consumed = await deps.approvals.consume(job.approvalId);
    if ('type' in consumed)
      return notMade(deps, approval, notice('failed-inside', { reference: job.approvalId }));

    const outcome = await deps.patcher.apply(consumed);
    const workload = nameOf(approval);
    switch (outcome.type) {
      case 'accepted':
        await audit(deps, approval, 'applied', {
          generation: outcome.generation,
          mutated: outcome.mutated.length,
        });
        await close(deps, approval.id, 'done');
        return verifying(deps, approval, outcome);
      case 'refused': {
        const { because, message } = outcome;
        await audit(deps, approval, 'apply-refused', { because });
        await close(deps, approval.id, 'failed');
        await notMade(deps, approval, notice('apply-refused', { workload, because, message }));
        if (because === 'stale' || because === 'gone') await queueLook(deps, approval.incidentId);
        return;
      }
      case 'unreadable': {
        if (!lastAttempt) {
          throw new DoctorError({
            code: 'cluster-unavailable',
            message: 'the cluster did not answer a change',
            retryable: true,
            ...(outcome.retryAfterMs === undefined ? {} : { retryAfterMs: outcome.retryAfterMs }),
          });
        }
        const { because, message } = outcome;
        const { cluster } = approval.workload;
        await audit(deps, approval, 'apply-refused', { because });
        await close(deps, approval.id, 'failed');
        await notMade(deps, approval, notice('change-unknown', { workload, cluster, because, message }));
        await queueLook(deps, approval.incidentId);
        return;
      }
    }
  };
}

/**
 * Ends a change that failed by itself, so that people see it. The incident alone tells which approval it was about;
 * the approval's record, which may be what cannot be read, only tells how far it came.
 */
export function createFailRemediation(deps: ApplyRemediationDeps) {
  return async (subject: JobSubject, reference: string): Promise<void> => {
    const known = subject.approvalId === undefined ? undefined : await readable(deps, subject.approvalId);
    const incidentId = subject.incidentId ?? known?.incidentId;
    const incident = incidentId === undefined ? undefined : await deps.incidents.get(incidentId);
    if (incident === undefined) return;
    const approvalId = subject.approvalId ?? incident.change?.approvalId;
    if (approvalId === undefined) return;
    const approval = await readable(deps, approvalId);
    if (approval?.state === 'done') return verifying(deps, approval, undefined);
    if (approval !== undefined) await close(deps, approvalId, 'failed');
    const { cluster } = incident.workload;
    const failure =
      approval?.state === 'approved'
        ? notice('failed-inside', { reference })
        : notice('change-unknown', {
            workload: nameOf(incident),
            cluster,
            because: 'inside',
            message: reference,
          });
    await notMade(deps, { id: approvalId, incidentId: incident.id }, failure);
    if (approval?.state !== 'approved') await queueLook(deps, incident.id);
  };
}

/** The record, or nothing where it cannot be understood. */
async function readable({ approvals }: ApplyRemediationDeps, id: string): Promise<Approval | undefined> {
  try {
    return await approvals.get(id);
  } catch (error) {
    if (error instanceof DoctorError && error.code === 'record-malformed') return undefined;
    throw error;
  }
}

async function verifying(
  deps: ApplyRemediationDeps,
  approval: Approval,
  outcome: Extract<ChangeOutcome, { readonly type: 'accepted' }> | undefined,
): Promise<void> {
  const at = deps.clock.now();
  const stored = await rewrite(deps.incidents, approval.incidentId, (incident) =>
    changeApplied(incident, {
      approvalId: approval.id,
      at: at.toISOString(),
      generation: outcome?.generation,
      undo: approval.undoes ? undefined : approval.plan.undo,
      verifyUntil: new Date(at.getTime() + deps.verifyWithinMs).toISOString(),
    }),
  );
  const { incidentId, id } = approval;
  await deps.jobs.enqueue('verification', { v: 1, incidentId, approvalId: id });
  const { remediation, undoes } = approval;
  if (remediation.kind === 'exclude-nodes' && !undoes) {
    const reminder = { v: 1, incidentId, approvalId: id, remind: true } as const;
    await deps.jobs.enqueue('verification', reminder, { delayMs: remediation.remindAfterHours * hourMs });
  }
  const shown = stored ?? (await deps.incidents.get(incidentId));
  if (shown === undefined) return;
  await show(deps, incidentId, shown.version, { kind: 'applied', of: id });
}

async function notMade(
  deps: ApplyRemediationDeps,
  approval: Pick<Approval, 'id' | 'incidentId'>,
  failure: Statement,
): Promise<void> {
  const at = deps.clock.now().toISOString();
  const stored = await rewrite(deps.incidents, approval.incidentId, (incident) =>
    changeFailed(incident, approval.id, failure, at),
  );
  if (stored === undefined) return;
  await show(deps, approval.incidentId, stored.version, { kind: 'refused', of: approval.id });
}

async function show(
  { jobs }: ApplyRemediationDeps,
  incidentId: string,
  version: number,
  entry: ThreadEntry,
): Promise<void> {
  await jobs.enqueue('delivery', { v: 1, kind: 'card', incidentId, version });
  await jobs.enqueue('delivery', { v: 1, kind: 'thread', incidentId, entry });
}

async function close(
  { approvals }: ApplyRemediationDeps,
  id: string,
  state: 'done' | 'failed',
): Promise<void> {
  const current = await approvals.get(id);
  if (current !== undefined && current.state !== state) await approvals.replace(movedTo(current, state));
}

async function audit(
  { audit, clock }: ApplyRemediationDeps,
  approval: Approval,
  action: AuditEntry['action'],
  details: AuditEntry['details'],
): Promise<void> {
  await audit.append({
    at: clock.now().toISOString(),
    incidentId: approval.incidentId,
    approvalId: approval.id,
    action,
    workload: approval.workload,
    details: {
      kind: approval.remediation.kind,
      undoes: approval.undoes,
      changes: approval.plan.changes,
      approvedBy: approval.decisions.map(({ by }) => by),
      ...details,
    },
  });
}
