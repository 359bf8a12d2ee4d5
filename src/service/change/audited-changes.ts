import { type AuditEntry, isDecision } from '../../doctor/audit/audit-entry.js';
import { type RemediationKind, remediationKinds } from '../../doctor/fixes/remediation.js';
import { type Verdict, verdicts } from '../../doctor/incidents/incident.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { LastWriter } from '../../engine/owners/declaration.js';

/** Somebody's decision, as the audit has it. */
interface AuditedDecision {
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  /** The issuer at which the person confirmed it, where the policy asked for the login. */
  readonly confirmedAt?: string | undefined;
}

/** One approval, from the first decision to the verdict, as far as the audit has it. */
export interface AuditedChange {
  readonly type: 'change';
  readonly approvalId: string;
  readonly incidentId: string | undefined;
  readonly workload: WorkloadRef;
  /** RFC3339 of its newest entry. */
  readonly at: string;
  /** Absent when only its end is in what was read. */
  readonly kind: RemediationKind | undefined;
  readonly undoes: boolean;
  readonly approved: readonly AuditedDecision[];
  readonly rejected: AuditedDecision | undefined;
  readonly expired: boolean;
  /** Who cancelled it before it was sent. */
  readonly cancelledBy: string | undefined;
  /**
   * RFC3339: when a worker began to send a change whose outcome is not recorded, or could not be determined.
   */
  readonly unknownSince: string | undefined;
  readonly appliedAt: string | undefined;
  /** RFC3339: when its pull request was opened; then nothing was sent to the cluster. */
  readonly openedAt?: string | undefined;
  /** The API server's reason not to make the change; foreign text. */
  readonly notApplied: string | undefined;
  /** How the second step of its plan ended; `because` is a code. */
  readonly secondStep?: AuditedSecondStep | undefined;
  readonly verdict: Verdict | undefined;
  /** Who wrote the fields again after the change, as far as the API server recorded it. */
  readonly revertedBy?: LastWriter | undefined;
}

type AuditedSecondStep = { readonly deleted: readonly string[]; readonly because: string | undefined };

/** A silence that began or was lifted. */
interface AuditedSilence {
  readonly type: 'silenced' | 'silence-lifted';
  readonly workload: WorkloadRef;
  readonly at: string;
  readonly by: string;
  readonly until: string | undefined;
  readonly reason: string;
}

/** The stop switch for all changes was operated. */
interface AuditedSwitch {
  readonly type: 'changes-stopped' | 'changes-allowed';
  readonly at: string;
  readonly by: string;
  readonly reason: string;
}

/** Somebody was put on an incident, or taken from it. */
interface AuditedAssignment {
  readonly type: 'assigned' | 'unassigned';
  readonly incidentId: string | undefined;
  readonly workload: WorkloadRef;
  readonly at: string;
  readonly by: string;
  /** Who is on it since; absent where nobody is. */
  readonly to: string | undefined;
}

export type Audited = AuditedChange | AuditedSilence | AuditedSwitch | AuditedAssignment;

/**
 * What people decided and what came of it: one line for each approval somebody decided on, and one for each
 * silence and each assignment, newest first. Reviews that were only opened, refusals and looks are left out.
 *
 * @param entries newest first
 */
export function auditedChanges(entries: readonly AuditEntry[]): readonly Audited[] {
  const byApproval = new Map<string, AuditEntry[]>();
  const lines: (Exclude<Audited, AuditedChange> | { readonly type: 'approval'; readonly id: string })[] = [];
  for (const entry of entries) {
    const { action, workload } = entry;
    if (action === 'changes-stopped' || action === 'changes-allowed') {
      lines.push({ type: action, ...decisionOf(entry) });
      continue;
    }
    if (workload === undefined) continue;
    if (action === 'silenced' || action === 'silence-lifted') {
      lines.push(silenceOf(entry, workload, action));
      continue;
    }
    if (action === 'assigned' || action === 'unassigned') {
      const { at, by = '', incidentId, details } = entry;
      const to = typeof details.to === 'string' ? details.to : undefined;
      lines.push({ type: action, incidentId, workload, at, by, to });
      continue;
    }
    if (entry.approvalId === undefined || !isDecision(entry)) continue;
    const known = byApproval.get(entry.approvalId);
    if (known === undefined) {
      byApproval.set(entry.approvalId, [entry]);
      lines.push({ type: 'approval', id: entry.approvalId });
    } else {
      known.push(entry);
    }
  }
  return lines.map((line) =>
    line.type === 'approval' ? changeOf(line.id, byApproval.get(line.id) ?? []) : line,
  );
}

function changeOf(approvalId: string, entries: readonly AuditEntry[]): AuditedChange {
  const newest = entries[0];
  if (newest?.workload === undefined) throw new RangeError('an approval without entries');
  const last = (action: AuditEntry['action']) => entries.find((entry) => entry.action === action);
  const rejected = last('rejected');
  const kind = entries.map(({ details }) => details.kind).find((value) => value !== undefined);
  const approved = entries
    .filter(({ action }) => action === 'approved')
    .map(decisionOf)
    .reverse();
  const refused = last('apply-refused');
  const isUnknown =
    last('started') !== undefined &&
    last('applied') === undefined &&
    last('pull-request-opened') === undefined &&
    (refused === undefined || refused.details.isCertain === false);
  const { verdict, revertedBy } = last('verdict')?.details ?? {};
  const undoes = entries.some(({ details }) => details.undoes === true);
  return {
    type: 'change',
    approvalId,
    incidentId: newest.incidentId,
    workload: newest.workload,
    at: newest.at,
    kind: remediationKinds.find((each) => each === kind),
    undoes,
    approved: approved.length > 0 ? approved : approversIn(entries),
    rejected: rejected === undefined ? undefined : decisionOf(rejected),
    expired: last('expired') !== undefined,
    cancelledBy: last('cancelled')?.by,
    unknownSince: isUnknown ? last('started')?.at : undefined,
    appliedAt: last('applied')?.at,
    openedAt: last('pull-request-opened')?.at,
    notApplied: refused === undefined || isUnknown ? undefined : String(refused.details.because ?? ''),
    secondStep: secondStepOf(last('second-step-ended')),
    verdict: verdicts.find((each) => each === verdict),
    ...(revertedBy === undefined ? {} : { revertedBy: LastWriter.safeParse(revertedBy).data }),
  };
}

function secondStepOf(entry: AuditEntry | undefined): AuditedSecondStep | undefined {
  if (entry === undefined) return undefined;
  const { deleted, because } = entry.details;
  return {
    deleted: Array.isArray(deleted) ? deleted.filter((pod) => typeof pod === 'string') : [],
    because: typeof because === 'string' ? because : undefined,
  };
}

function decisionOf({ at, by = '', details }: AuditEntry): AuditedDecision {
  const login = details.login as { readonly issuer?: unknown } | undefined;
  const confirmedAt = typeof login?.issuer === 'string' ? { confirmedAt: login.issuer } : {};
  return { at, by, reason: typeof details.reason === 'string' ? details.reason : '', ...confirmedAt };
}

/** Where the decisions themselves are older than what was read, the change still names who approved it. */
function approversIn(entries: readonly AuditEntry[]): readonly AuditedDecision[] {
  for (const { at, details } of entries) {
    if (!Array.isArray(details.approvedBy)) continue;
    return details.approvedBy
      .filter((by) => typeof by === 'string')
      .map((by: string) => ({ by, at, reason: '' }));
  }
  return [];
}

function silenceOf(entry: AuditEntry, workload: WorkloadRef, type: AuditedSilence['type']): AuditedSilence {
  const { until, reason } = entry.details;
  return {
    type,
    workload,
    at: entry.at,
    by: entry.by ?? '',
    until: typeof until === 'string' ? until : undefined,
    reason: typeof reason === 'string' ? reason : '',
  };
}
