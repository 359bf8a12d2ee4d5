import type { AuthenticApproval } from '../../doctor/incidents/approval.js';
import { awaitsSecondStep } from '../../doctor/incidents/approval-transitions.js';
import { type ApprovalAuthority, isDistrusted } from '../approve/approval-authority.js';
import { queueDiagnosis } from '../diagnose/diagnose-again.js';
import { DoctorError } from '../errors.js';
import type { JobSubject } from '../jobs/jobs.js';
import { notice } from '../notices/notices.js';
import { leaveSecondStep } from './apply-second-step.js';
import { close, notMade, type ReportChangeDeps, unknownChange, verifying } from './report-change.js';

interface FailRemediationDeps extends ReportChangeDeps {
  readonly authority: ApprovalAuthority;
}

/**
 * Ends a change that failed by itself, so that people see it. The incident alone tells which approval it was
 * about; the approval's record, which may be what cannot be read, only tells how far it came.
 */
export function createFailRemediation(deps: FailRemediationDeps) {
  return async (subject: JobSubject, reference: string): Promise<void> => {
    const known = subject.approvalId === undefined ? undefined : await readable(deps, subject.approvalId);
    const incidentId = subject.incidentId ?? known?.incidentId;
    const incident = incidentId === undefined ? undefined : await deps.incidents.get(incidentId);
    if (incident === undefined) return;
    const approvalId = subject.approvalId ?? incident.change?.approvalId;
    if (approvalId === undefined) return;
    const approval = await readable(deps, approvalId);
    if (approval?.applied !== undefined) {
      if (!awaitsSecondStep(approval)) return verifying(deps, approval);
      return leaveSecondStep(deps, approval, 'inside', reference);
    }
    const isCertain = approval?.state === 'approved';
    if (approval !== undefined) await close(deps, approvalId, 'failed', { because: 'inside', isCertain });
    const failure = isCertain
      ? notice('failed-inside', { reference })
      : unknownChange(incident, 'inside', reference);
    await notMade(deps, { id: approvalId, incidentId: incident.id }, failure);
    if (!isCertain) await queueDiagnosis(deps, incident.id);
  };
}

/** The record, or nothing where it cannot be understood or is not ours. */
async function readable(
  { approvals, authority }: FailRemediationDeps,
  id: string,
): Promise<AuthenticApproval | undefined> {
  try {
    const stored = await approvals.get(id);
    const approval = stored && authority.authenticate(id, stored);
    return approval === undefined || isDistrusted(approval) ? undefined : approval;
  } catch (error) {
    if (error instanceof DoctorError && error.code === 'record-malformed') return undefined;
    throw error;
  }
}
