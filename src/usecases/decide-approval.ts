import type { Approval, Decision } from '../core/incident/approval.js';
import { decided, missingApprovers, movedTo, type Uncounted } from '../core/incident/approval-transitions.js';
import type { Incident } from '../core/incident/incident.js';
import { approvalClosed, awaitingMore, isChanging } from '../core/incident/incident-transitions.js';
import { redact } from '../core/redaction/redact.js';
import { canonicalPlan } from '../core/remediation/plan.js';
import { DoctorError } from '../errors.js';
import type { DecideApproval, Decided, Refused } from './conversation.js';
import { createLookAfresh, type LookAfreshDeps } from './look-afresh.js';
import { type LookAgainDeps, nameOf, queueLook } from './look-again.js';
import type { MayApprove } from './may-approve.js';
import { notice } from './notices.js';
import type { ApprovalStore, AuditEntry, AuditLog, Digest } from './ports.js';
import { rewrite } from './rewrite.js';
import { startChange } from './start-change.js';

export interface DecideApprovalDeps extends LookAfreshDeps, LookAgainDeps {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly digest: Digest;
  readonly mayApprove: MayApprove;
  readonly approvalTtlMs: number;
}

const attempts = 50;

/**
 * Counts one decision on one approval. Before an approval counts, the right is asked again and the plan is worked
 * out again from the cluster as it is now: only the very plan that was reviewed can be approved.
 */
export function createDecideApproval(deps: DecideApprovalDeps): DecideApproval {
  const lookAfresh = createLookAfresh(deps);
  return async ({ approvalId, by, decision, reason, typedName }) => {
    const approval = await deps.approvals.get(approvalId);
    const incident = approval && (await deps.incidents.get(approval.incidentId));
    if (approval === undefined || incident === undefined)
      return refuse('approval-unknown', { id: approvalId });
    const allowed = await deps.mayApprove(incident, by, approval.undoes ? 'undo' : approval.remediation.kind);
    if (allowed.type === 'refused') return refusedFor(deps, approval, by, allowed);

    if (decision === 'approve' && allowed.demands.typeName && typedName !== nameOf(approval)) {
      return refusedFor(deps, approval, by, refuse('name-not-typed', { workload: nameOf(approval) }));
    }
    const now = deps.clock.now();
    const wish: Decision = { by, at: now.toISOString(), decision, reason: redact(reason) };
    const rules = { notRequester: allowed.demands.notRequester, now: now.getTime() };
    const early = decided(approval, wish, rules);
    if ('type' in early) return uncounted(deps, approval, by, early);
    if (isChanging(incident) || incident.look !== approval.look) {
      await supersede(deps, approval.id);
      return refusedFor(
        deps,
        approval,
        by,
        isChanging(incident)
          ? refuse('change-under-way', { workload: nameOf(incident), by: incident.change?.approvedBy ?? [] })
          : refuse('plan-changed', { workload: nameOf(incident) }),
      );
    }
    if (decision === 'approve') {
      const fresh = await lookAfresh(incident, approval.undoes ? 'undo' : approval.remediation.id);
      const same = fresh.type === 'fresh' && deps.digest(canonicalPlan(fresh.plan)) === approval.digest;
      if (!same) {
        const because =
          fresh.type === 'refused' ? fresh.because : notice('plan-changed', { workload: nameOf(incident) });
        if (fresh.type === 'fresh' || fresh.stale) {
          await supersede(deps, approval.id);
          await queueLook(deps, incident.id);
        }
        return refusedFor(deps, approval, by, { type: 'refused', because });
      }
    }
    return count(deps, approvalId, wish, rules.notRequester);
  };
}

async function count(
  deps: DecideApprovalDeps,
  approvalId: string,
  wish: Decision,
  notRequester: boolean,
): Promise<Decided> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const current = await deps.approvals.get(approvalId);
    if (current === undefined) return refuse('approval-unknown', { id: approvalId });
    const next = decided(current, wish, { notRequester, now: deps.clock.now().getTime() });
    if ('type' in next) return uncounted(deps, current, wish.by, next);
    const stored = await deps.approvals.replace(next);
    if ('type' in stored) continue;
    await audit(deps, stored, wish.by, wish.decision === 'approve' ? 'approved' : 'rejected', {
      reason: wish.reason,
      digest: stored.digest,
      missing: missingApprovers(stored),
    });
    if (stored.state === 'rejected') return rejected(deps, stored);
    if (stored.state === 'open') return awaiting(deps, stored);
    const incident = await startChange(deps, stored);
    if (incident === undefined) return refuse('plan-changed', { workload: nameOf(stored) });
    return { type: 'approved', incident, approval: stored };
  }
  throw new DoctorError({
    code: 'record-conflict',
    message: 'an approval was written by others at every attempt',
    retryable: true,
  });
}

async function awaiting(deps: DecideApprovalDeps, approval: Approval): Promise<Decided> {
  const at = deps.clock.now().toISOString();
  const stored = await rewrite(deps.incidents, approval.incidentId, (incident) =>
    awaitingMore(incident, approval, at),
  );
  await showCard(deps, stored);
  return { type: 'awaiting', approval, missing: missingApprovers(approval) };
}

async function rejected(deps: DecideApprovalDeps, approval: Approval): Promise<Decided> {
  const at = deps.clock.now().toISOString();
  const stored = await rewrite(deps.incidents, approval.incidentId, (incident) =>
    approvalClosed(incident, approval.id, at),
  );
  await showCard(deps, stored);
  await deps.jobs.enqueue('delivery', {
    v: 1,
    kind: 'thread',
    incidentId: approval.incidentId,
    entry: { kind: 'rejected', of: approval.id },
  });
  return { type: 'rejected', approval };
}

async function supersede(deps: DecideApprovalDeps, approvalId: string): Promise<void> {
  const current = await deps.approvals.get(approvalId);
  if (current?.state !== 'open') return;
  const stored = await deps.approvals.replace(movedTo(current, 'superseded'));
  if ('type' in stored) return;
  const at = deps.clock.now().toISOString();
  await showCard(
    deps,
    await rewrite(deps.incidents, stored.incidentId, (incident) => approvalClosed(incident, approvalId, at)),
  );
}

async function showCard(deps: DecideApprovalDeps, incident: Incident | undefined): Promise<void> {
  if (incident === undefined) return;
  const { id, version } = incident;
  await deps.jobs.enqueue('delivery', { v: 1, kind: 'card', incidentId: id, version });
}

async function uncounted(
  deps: DecideApprovalDeps,
  approval: Approval,
  by: string,
  why: Uncounted,
): Promise<Refused> {
  switch (why.because) {
    case 'expired': {
      const stored = await deps.approvals.replace(movedTo(approval, 'expired'));
      if (!('type' in stored)) await audit(deps, stored, by, 'expired', {});
      const at = deps.clock.now().toISOString();
      await showCard(
        deps,
        await rewrite(deps.incidents, approval.incidentId, (incident) =>
          approvalClosed(incident, approval.id, at),
        ),
      );
      return refuse('approval-expired', { minutes: Math.round(deps.approvalTtlMs / 60_000) });
    }
    case 'already': {
      const now = deps.clock.now().getTime();
      const secondsAgo = why.at === undefined ? undefined : Math.max(0, (now - Date.parse(why.at)) / 1000);
      return refusedFor(
        deps,
        approval,
        by,
        refuse('already-decided', { by: why.by, secondsAgo, state: why.state }),
      );
    }
    case 'own-request':
      return refusedFor(deps, approval, by, refuse('own-request', { workload: nameOf(approval) }));
    case 'same-person':
      return refusedFor(deps, approval, by, refuse('same-person', { missing: missingApprovers(approval) }));
  }
}

async function refusedFor(
  deps: DecideApprovalDeps,
  approval: Approval,
  by: string,
  refusal: Refused,
): Promise<Refused> {
  await audit(deps, approval, by, 'approval-refused', { because: refusal.because.key });
  return refusal;
}

async function audit(
  { audit, clock }: DecideApprovalDeps,
  approval: Approval,
  by: string,
  action: AuditEntry['action'],
  details: AuditEntry['details'],
): Promise<void> {
  await audit.append({
    at: clock.now().toISOString(),
    incidentId: approval.incidentId,
    approvalId: approval.id,
    action,
    by,
    workload: approval.workload,
    details: { kind: approval.remediation.kind, undoes: approval.undoes, ...details },
  });
}

function refuse(...[key, values]: Parameters<typeof notice>): Refused {
  return { type: 'refused', because: notice(key, values) };
}
