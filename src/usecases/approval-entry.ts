import type { AuditEntry } from '../core/audit/audit-entry.js';
import type { Approval } from '../core/incident/approval.js';

/** What the audit keeps of a step in the life of an approval. */
export function approvalEntry(
  approval: Approval,
  action: AuditEntry['action'],
  { at, by, details = {} }: { readonly at: Date } & Partial<Pick<AuditEntry, 'by' | 'details'>>,
): AuditEntry {
  const { id, incidentId, workload, remediation, undoes } = approval;
  return {
    at: at.toISOString(),
    incidentId,
    approvalId: id,
    action,
    ...(by === undefined ? {} : { by }),
    workload,
    details: { kind: remediation.kind, undoes, ...details },
  };
}

/** The same for a step that carries the change out: what was changed, and who approved it. */
export function changeEntry(
  approval: Approval,
  action: Extract<
    AuditEntry['action'],
    'started' | 'applied' | 'apply-refused' | 'second-step-started' | 'second-step-ended'
  >,
  at: Date,
  details: AuditEntry['details'] = {},
): AuditEntry {
  return approvalEntry(approval, action, {
    at,
    details: {
      digest: approval.digest,
      changes: approval.plan.changes,
      approvedBy: approval.decisions.filter(({ decision }) => decision === 'approve').map(({ by }) => by),
      ...details,
    },
  });
}
