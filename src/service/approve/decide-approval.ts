import { canonicalPlan, isSame } from '../../doctor/fixes/plan.js';
import { restoredTemplate } from '../../doctor/fixes/template-changes.js';
import type { Approval, AuthenticApproval, Decision } from '../../doctor/incidents/approval.js';
import { loginFacts, mustConfirmByName } from '../../doctor/incidents/approval-authority.js';
import type { CountingRules, Uncounted } from '../../doctor/incidents/approval-transitions.js';
import { decided, missingApprovers, movedTo, peopleIn } from '../../doctor/incidents/approval-transitions.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { approvalClosed, awaitingMore } from '../../doctor/incidents/incident-approvals.js';
import { initiatorsOf, isChanging } from '../../doctor/incidents/incident-transitions.js';
import { redact } from '../../doctor/redaction/redact.js';
import { codeOf } from '../../engine/language/statement.js';
import { startChange, startPullRequest } from '../change/start-change.js';
import { enqueueCard, enqueueEntry } from '../deliver/delivery-jobs.js';
import type { DiagnoseAgainDeps, ViewDeps } from '../diagnose/diagnose-again.js';
import { incidentFor, nameOf, queueDiagnosis } from '../diagnose/diagnose-again.js';
import { DoctorError } from '../errors.js';
import { notice, refuse } from '../notices/notices.js';
import type { DecideApproval, Decided, Refused } from '../people/conversation.js';
import { approvalEntry } from '../records/audit-entries.js';
import { updateIncident } from '../records/incident-store.js';
import type { AuditLog, Digest, SharedClock } from '../records/process-ports.js';
import { isDistrusted } from './approval-authority.js';
import type { ApprovalStore, Distrust } from './approval-ports.js';
import type { CheckBrakes } from './check-brakes.js';
import type { Allowed, MayApprove } from './may-approve.js';
import type { FreshPlan, PlanAgainDeps, RefusedAgain } from './plan-again.js';
import { createPlanAgain, proposalOf, readInPart, undoInGit } from './plan-again.js';
import { actionOf, findValidApprovers } from './valid-approvers.js';

interface DecideApprovalDeps extends PlanAgainDeps, DiagnoseAgainDeps, Pick<ViewDeps, 'sights'> {
  readonly approvals: ApprovalStore;
  readonly sharedClock: SharedClock;
  readonly audit: AuditLog;
  readonly checkBrakes: CheckBrakes;
  readonly digest: Digest;
  readonly mayApprove: MayApprove;
  readonly approvalTtlMs: number;
}

const attempts = 50;

/**
 * Counts one decision on one approval. Before an approval counts, the record's seal is checked, the right is
 * asked again for everyone who counts, and the plan is worked out again from the cluster as it is now: only
 * the very plan that was reviewed can be approved.
 */
export function createDecideApproval(deps: DecideApprovalDeps): DecideApproval {
  const planAgain = createPlanAgain(deps);
  return async ({ approvalId, by, decision, reason, typedName, login }) => {
    const stored = await deps.approvals.get(approvalId);
    if (stored === undefined) return refuse('approval-unknown', { id: approvalId });
    const approval = deps.authority.authenticate(approvalId, stored);
    if (isDistrusted(approval)) return distrust(deps, stored, approvalId, by, approval.because);
    const incident = await incidentFor(deps, approval.incidentId, by);
    if (incident === undefined) return refuse('approval-unknown', { id: approvalId });
    if (!isSame(incident.workload, approval.workload)) {
      return refusedFor(deps, approval, by, refuse('plan-changed', { workload: nameOf(approval) }));
    }
    const allowed = await deps.mayApprove(approval, by, actionOf(approval));
    if (allowed.type === 'refused') return refusedFor(deps, approval, by, allowed);
    const mustType = allowed.demands.typeName || mustConfirmByName(approval);
    if (decision === 'approve' && mustType && typedName !== nameOf(approval)) {
      return refusedFor(deps, approval, by, refuse('name-not-typed', { workload: nameOf(approval) }));
    }
    const now = await deps.sharedClock.now();
    const wish: Decision = {
      by,
      at: now.toISOString(),
      decision,
      reason: redact(reason),
      ...(typedName === undefined ? {} : { typedName }),
      ...(login === undefined ? {} : { login }),
    };
    if (login !== undefined && !deps.authority.isConfirmed(approval, wish)) {
      return refusedFor(deps, approval, by, refuse('login-distrusted', { workload: nameOf(approval) }));
    }
    const { notRequester, approvers } = allowed.demands;
    const asked = initiatorsOf(incident);
    const own = await allowed.idsAmong([...asked, ...peopleIn(approval)]);
    if (decision === 'approve' && notRequester && asked.some((id) => own.has(id))) {
      return refusedFor(deps, approval, by, refuse('own-request', { workload: nameOf(approval) }));
    }
    const rules = { notRequester, needs: approvers, now: now.getTime() };
    const lost = await lostApprovers(deps, approval);
    const early = decided(approval, wish, { ...rules, lost, own });
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
      const braked = await deps.checkBrakes(approval);
      if (braked !== undefined) {
        return refusedFor(deps, approval, by, { type: 'refused', because: braked.because });
      }
      const undo = approval.gitTarget === undefined ? 'undo' : undoInGit;
      const fresh = await planAgain(incident, approval.undoes ? undo : approval.remediation.id);
      const refusal = fresh.type === 'refused' ? fresh : otherPlan(deps, approval, incident, fresh);
      if (refusal !== undefined) {
        const { because, stale } = refusal;
        if (stale) {
          await supersede(deps, approval.id);
          await queueDiagnosis(deps, incident.id);
        }
        return refusedFor(deps, approval, by, { type: 'refused', because });
      }
      if (allowed.demands.login && login === undefined) return { type: 'login', approval };
    }
    return count(deps, approvalId, wish, { ...rules, idsAmong: allowed.idsAmong });
  };
}

/** The refusal of a plan that is not the reviewed one. */
function otherPlan(
  deps: DecideApprovalDeps,
  approval: AuthenticApproval,
  incident: Incident,
  fresh: FreshPlan,
): RefusedAgain | undefined {
  if (isReviewed(deps, approval, fresh)) return undefined;
  const because = notice('plan-changed', { workload: nameOf(incident) });
  return readInPart(incident, fresh.diagnosis) ?? { type: 'refused', because, stale: true };
}

/**
 * Whether the plan of this moment is the reviewed one, to the template of the revision it restores. A change
 * that has to be confirmed now, and did not at its review, is another one.
 */
function isReviewed(deps: DecideApprovalDeps, approval: AuthenticApproval, fresh: FreshPlan): boolean {
  if (deps.digest(canonicalPlan(fresh.plan)) !== approval.digest) return false;
  if (mustConfirmByName(proposalOf(fresh, approval.undoes)) && !mustConfirmByName(approval)) return false;
  const template = restoredTemplate(fresh.plan, fresh.snapshot);
  return template === undefined || deps.authority.isSealedTemplate(template, approval.template);
}

async function lostApprovers(
  deps: DecideApprovalDeps,
  approval: AuthenticApproval,
): Promise<ReadonlySet<string>> {
  if (approval.state !== 'open' || approval.decisions.length === 0) return new Set();
  return new Set((await findValidApprovers(deps, approval)).lost);
}

async function count(
  deps: DecideApprovalDeps,
  approvalId: string,
  wish: Decision,
  rules: Pick<CountingRules, 'notRequester' | 'needs'> & Pick<Allowed, 'idsAmong'>,
): Promise<Decided> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await deps.approvals.get(approvalId);
    if (found === undefined) return refuse('approval-unknown', { id: approvalId });
    const current = deps.authority.authenticate(approvalId, found);
    if (isDistrusted(current)) return distrust(deps, found, approvalId, wish.by, current.because);
    const lost = await lostApprovers(deps, current);
    const now = (await deps.sharedClock.now()).getTime();
    const own = await rules.idsAmong(peopleIn(current));
    const next = decided(current, wish, { ...rules, lost, own, now });
    if ('type' in next) return uncounted(deps, current, wish.by, next);
    const entry = approvalEntry(next, wish.decision === 'approve' ? 'approved' : 'rejected', {
      at: deps.clock.now(),
      by: wish.by,
      details: {
        reason: wish.reason,
        digest: next.digest,
        missing: missingApprovers(next),
        ...(wish.login === undefined ? {} : { login: loginFacts(wish.login) }),
        ...(lost.size === 0 ? {} : { lost: [...lost] }),
      },
    });
    const stored = await deps.approvals.replace(deps.authority.seal(next), entry);
    if ('type' in stored) continue;
    if (stored.state === 'rejected') return rejected(deps, stored);
    if (stored.state === 'open') return awaiting(deps, stored);
    const start = stored.gitTarget === undefined ? startChange : startPullRequest;
    const incident = (await start(deps, stored)) ?? (await carriedOut(deps, stored));
    if (incident === undefined) return refuse('plan-changed', { workload: nameOf(stored) });
    return { type: 'approved', incident, approval: stored };
  }
  throw new DoctorError({
    code: 'record-conflict',
    message: 'an approval was written by others at every attempt',
    retryable: true,
  });
}

/** The incident, where a worker was faster and has carried this very change out already. */
async function carriedOut(
  { incidents }: DecideApprovalDeps,
  { id, incidentId }: Approval,
): Promise<Incident | undefined> {
  const incident = await incidents.get(incidentId);
  return incident?.change?.approvalId === id && incident.change.failure === undefined ? incident : undefined;
}

/** A record that this installation did not sign decides nothing; a new review opens one of its own. */
function distrust(
  deps: DecideApprovalDeps,
  stored: Approval,
  id: string,
  by: string,
  because: Distrust,
): Promise<Refused> {
  return refusedFor(deps, stored, by, refuse('approval-distrusted', { id, because }));
}

async function awaiting(deps: DecideApprovalDeps, approval: Approval): Promise<Decided> {
  const at = deps.clock.now().toISOString();
  const stored = await updateIncident(deps.incidents, approval.incidentId, (incident) =>
    awaitingMore(incident, approval, at),
  );
  await showCard(deps, stored);
  return { type: 'awaiting', approval, missing: missingApprovers(approval) };
}

async function rejected(deps: DecideApprovalDeps, approval: Approval): Promise<Decided> {
  const at = deps.clock.now().toISOString();
  const stored = await updateIncident(deps.incidents, approval.incidentId, (incident) =>
    approvalClosed(incident, approval.id, at),
  );
  await showCard(deps, stored);
  await enqueueEntry(deps.jobs, approval.incidentId, { kind: 'rejected', of: approval.id });
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
    await updateIncident(deps.incidents, stored.incidentId, (incident) =>
      approvalClosed(incident, approvalId, at),
    ),
  );
}

async function showCard({ jobs }: DecideApprovalDeps, incident: Incident | undefined): Promise<void> {
  if (incident !== undefined) await enqueueCard(jobs, incident);
}

async function uncounted(
  deps: DecideApprovalDeps,
  approval: Approval,
  by: string,
  why: Uncounted,
): Promise<Refused> {
  switch (why.because) {
    case 'expired': {
      const now = deps.clock.now();
      await deps.approvals.replace(
        movedTo(approval, 'expired'),
        approvalEntry(approval, 'expired', { at: now, by }),
      );
      const at = now.toISOString();
      await showCard(
        deps,
        await updateIncident(deps.incidents, approval.incidentId, (incident) =>
          approvalClosed(incident, approval.id, at),
        ),
      );
      return refuse('approval-expired', { minutes: Math.round(deps.approvalTtlMs / 60_000) });
    }
    case 'already': {
      const now = (await deps.sharedClock.now()).getTime();
      const secondsAgo = why.at === undefined ? undefined : Math.max(0, (now - Date.parse(why.at)) / 1000);
      return refusedFor(
        deps,
        approval,
        by,
        refuse('already-decided', { by: why.by, secondsAgo, state: why.state }),
      );
    }
    case 'dry-run':
      return refusedFor(deps, approval, by, refuse('dry-run-missing', { workload: nameOf(approval) }));
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
  const entry = { at: deps.clock.now(), by, details: { because: codeOf(refusal.because) } };
  await deps.audit.append(approvalEntry(approval, 'approval-refused', entry));
  return refusal;
}
