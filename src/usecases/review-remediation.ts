import type { Approval } from '../core/incident/approval.js';
import { isExpired, movedTo } from '../core/incident/approval-transitions.js';
import type { Incident } from '../core/incident/incident.js';
import { isChanging } from '../core/incident/incident-transitions.js';
import { canonicalPlan } from '../core/remediation/plan.js';
import type { Refused, ReviewRemediation } from './conversation.js';
import { createLookAfresh, type FreshPlan, type LookAfreshDeps } from './look-afresh.js';
import { type LookAgainDeps, nameOf, queueLook } from './look-again.js';
import type { MayApprove } from './may-approve.js';
import { notice } from './notices.js';
import type { ApprovalStore, AuditLog, Digest, WorkloadPatcher } from './ports.js';

export interface ReviewRemediationDeps extends LookAfreshDeps, LookAgainDeps {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly digest: Digest;
  readonly mayApprove: MayApprove;
  readonly patcher: WorkloadPatcher;
  /** How long a review counts, in milliseconds. */
  readonly approvalTtlMs: number;
}

/**
 * Lays a plan open for decision. Opening changes nothing in the cluster: the API server only tries it. People who
 * review the same plan at the same time share one approval, so that one decision ends it for all.
 */
export function createReviewRemediation(deps: ReviewRemediationDeps): ReviewRemediation {
  const lookAfresh = createLookAfresh(deps);
  return async ({ incidentId, remediationId, by, change }) => {
    const incident = await deps.incidents.get(incidentId);
    if (incident === undefined) return refuse('incident-unknown', { id: incidentId });
    const workload = nameOf(incident);
    if (isChanging(incident)) {
      return refuse('change-under-way', { workload, by: incident.change?.approvedBy ?? [] });
    }
    if (incident.phase === 'diagnosing' || incident.diagnosis === undefined) {
      return refuse('still-looking', { workload });
    }
    const undoes = remediationId === 'undo';
    if (undoes && change !== undefined && incident.change?.approvalId !== change) {
      return refuse('change-overtaken', { workload });
    }
    const known = incident.diagnosis.findings
      .flatMap(({ remediations }) => remediations)
      .find(({ id }) => id === remediationId);
    if (known === undefined && !undoes) return refuse('remediation-unknown', { id: remediationId });
    const allowed = await deps.mayApprove(incident, by, known === undefined ? 'undo' : known.kind);
    if (allowed.type === 'refused') {
      await record(deps, incident, by, 'review-refused', { remediationId, because: allowed.because.key });
      return allowed;
    }

    const fresh = await lookAfresh(incident, remediationId);
    if (fresh.type === 'refused') {
      if (fresh.stale) await queueLook(deps, incidentId);
      await record(deps, incident, by, 'review-refused', { remediationId, because: fresh.because.key });
      return { type: 'refused', because: fresh.because };
    }
    const dryRun = await deps.patcher.dryRun(incident.workload.cluster, fresh.plan);
    const dryRunAt = deps.clock.now().toISOString();
    if (dryRun.type !== 'accepted') {
      const { because, message } = dryRun;
      await record(deps, incident, by, 'dry-run', { remediationId, outcome: because });
      return dryRun.type === 'refused'
        ? refuse('dry-run-refused', { workload, because, message })
        : refuse('unreadable', { workload, cluster: incident.workload.cluster, because, message });
    }
    const approval = await openApproval(deps, incident, fresh, undoes, allowed.demands.approvers);
    await record(
      deps,
      incident,
      by,
      'review-opened',
      { remediationId, digest: approval.digest },
      approval.id,
    );
    return { type: 'review', incident, approval, dryRun, dryRunAt, demands: allowed.demands };
  };
}

/** Opens the approval for this plan, or gives the open one. A closed one for the same plan is followed by a new one. */
async function openApproval(
  deps: ReviewRemediationDeps,
  incident: Incident,
  { plan, remediation, cause }: FreshPlan,
  undoes: boolean,
  needs: number,
): Promise<Approval> {
  const digest = deps.digest(canonicalPlan(plan));
  for (let round = 1; ; round += 1) {
    const now = deps.clock.now();
    const opened = await deps.approvals.open({
      v: 1,
      id: deps.digest([incident.id, incident.look, undoes, digest, round].join(' ')).slice(0, 32),
      version: 1,
      state: 'open',
      incidentId: incident.id,
      look: incident.look,
      workload: incident.workload,
      cause,
      remediation,
      undoes,
      plan,
      digest,
      ...(incident.origin.by === undefined ? {} : { requester: incident.origin.by }),
      needs,
      decisions: [],
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + deps.approvalTtlMs).toISOString(),
    });
    if (isExpired(opened, now.getTime())) await deps.approvals.replace(movedTo(opened, 'expired'));
    else if (!['expired', 'rejected', 'superseded', 'failed'].includes(opened.state)) return opened;
  }
}

async function record(
  { audit, clock }: ReviewRemediationDeps,
  incident: Incident,
  by: string,
  action: 'review-opened' | 'review-refused' | 'dry-run',
  details: { readonly [name: string]: unknown },
  approvalId?: string,
): Promise<void> {
  await audit.append({
    at: clock.now().toISOString(),
    incidentId: incident.id,
    action,
    by,
    workload: incident.workload,
    details,
    ...(approvalId === undefined ? {} : { approvalId }),
  });
}

function refuse(...[key, values]: Parameters<typeof notice>): Refused {
  return { type: 'refused', because: notice(key, values) };
}
