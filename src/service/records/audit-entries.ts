import type { AuditEntry } from '../../doctor/audit/audit-entry.js';
import type { Approval } from '../../doctor/incidents/approval.js';
import type { Incident } from '../../doctor/incidents/incident.js';

/** What the audit keeps of a request or an event of an incident. */
export function incidentEntry(
  { id, workload }: Pick<Incident, 'id' | 'workload'>,
  action: AuditEntry['action'],
  {
    at,
    by,
    approvalId,
    details,
  }: Pick<AuditEntry, 'at' | 'details'> & {
    readonly by?: string | undefined;
    readonly approvalId?: string | undefined;
  },
): AuditEntry {
  return {
    at,
    incidentId: id,
    ...(approvalId === undefined ? {} : { approvalId }),
    action,
    ...(by === undefined ? {} : { by }),
    workload,
    details,
  };
}

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
    | 'started'
    | 'applied'
    | 'pull-request-opened'
    | 'apply-refused'
    | 'second-step-started'
    | 'second-step-ended'
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
