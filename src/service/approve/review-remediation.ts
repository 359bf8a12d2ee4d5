import { hiddenNamesOf, withoutStatedNames } from '../../doctor/findings/visible-diagnosis.js';
import { canonicalPlan } from '../../doctor/fixes/plan.js';
import { restoredTemplate } from '../../doctor/fixes/template-changes.js';
import { hasGitForm, isRefusedByApply, snippetOf } from '../../doctor/git-edits/edits-of-plan.js';
import type { GitTarget } from '../../doctor/git-edits/git-target.js';
import type { Approval, AuthenticApproval } from '../../doctor/incidents/approval.js';
import { isDryRunAccepted, nextDryRunAsk } from '../../doctor/incidents/approval.js';
import { mustConfirmByName } from '../../doctor/incidents/approval-authority.js';
import { isExpired, movedTo } from '../../doctor/incidents/approval-transitions.js';
import { originFields } from '../../doctor/incidents/change-origin.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { initiatorsOf, isChanging } from '../../doctor/incidents/incident-transitions.js';
import { isPullRequestUnderWay } from '../../doctor/incidents/pull-request-transitions.js';
import { visibleApproval, visibleIncident } from '../../doctor/incidents/visible-incident.js';
import type { CurrentPolicy } from '../../doctor/policy/policy.js';
import { codeOf } from '../../engine/language/statement.js';
import type { DiagnoseAgainDeps, ViewDeps } from '../diagnose/diagnose-again.js';
import { incidentFor, nameOf, queueDiagnosis } from '../diagnose/diagnose-again.js';
import { DoctorError } from '../errors.js';
import type { FindGitTarget } from '../git/find-git-target.js';
import { gitStatement } from '../git/git-text.js';
import { refuse } from '../notices/notices.js';
import type { ReadablePlan, ReviewedDryRun, ReviewRemediation } from '../people/conversation.js';
import { approvalEntry, incidentEntry } from '../records/audit-entries.js';
import type { AuditLog, Digest, SharedClock } from '../records/process-ports.js';
import { type ApprovalAuthority, isDistrusted } from './approval-authority.js';
import type { ApprovalStore } from './approval-ports.js';
import { shownRemediation } from './ask-for-approval.js';
import { type CheckBrakes, showBrake } from './check-brakes.js';
import type { MayApprove } from './may-approve.js';
import { createPlanAgain, type FreshPlan, type PlanAgainDeps, proposalOf, undoInGit } from './plan-again.js';

interface ReviewRemediationDeps
  extends PlanAgainDeps,
    DiagnoseAgainDeps,
    OpenApprovalDeps,
    Pick<ViewDeps, 'sights'> {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly checkBrakes: CheckBrakes;
  readonly mayApprove: MayApprove;
  /** Absent where no pull request is offered. */
  readonly findGitTarget?: FindGitTarget | undefined;
}

/**
 * Lays a plan open for decision. Nothing is sent to the cluster: the remediation worker has the API server
 * try the plan of the signed approval. People who review the same plan at the same time share one approval
 * and one dry run, so that one decision ends it for all.
 */
export function createReviewRemediation(deps: ReviewRemediationDeps): ReviewRemediation {
  const planAgain = createPlanAgain(deps);
  return review;

  /**
   * The plan of this moment, where there is one, for somebody who sees the workload and may not approve its
   * changes.
   */
  async function readablePlan(
    incident: Incident,
    remediationId: string,
    by: string,
    approvers: ReadablePlan['approvers'],
  ): Promise<ReadablePlan | undefined> {
    const fresh = await planAgain(incident, remediationId);
    if (fresh.type === 'refused') return undefined;
    const { plan, remediation, origin, warnings, diagnosis } = fresh;
    const undoes = remediationId === 'undo';
    const sight = await deps.sights.ofPerson(by);
    const names = hiddenNamesOf(diagnosis, sight);
    return {
      incident: visibleIncident(incident, sight),
      remediationId,
      approvers,
      proposal: withoutStatedNames({ plan, remediation, undoes, ...originFields(origin) }, names),
      warnings: withoutStatedNames(warnings, names),
    };
  }

  async function review({
    incidentId,
    remediationId,
    by,
    change,
    inGit = false,
  }: Parameters<ReviewRemediation>[0]): ReturnType<ReviewRemediation> {
    const incident = await incidentFor(deps, incidentId, by);
    if (incident === undefined) return refuse('incident-unknown', { id: incidentId });
    const workload = nameOf(incident);
    if (isChanging(incident)) {
      return refuse('change-under-way', { workload, by: incident.change?.approvedBy ?? [] });
    }
    const undoes = remediationId === 'undo';
    const made = inGit ? incident.pullRequest : incident.change;
    if (undoes && change !== undefined && made?.approvalId !== change) {
      return refuse('change-overtaken', { workload });
    }
    if (incident.phase === 'diagnosing' || incident.diagnosis === undefined) {
      return refuse('still-looking', { workload });
    }
    const { findGitTarget } = deps;
    if (inGit && findGitTarget === undefined) {
      return { type: 'refused', because: gitStatement('no-source', { workload }) };
    }
    if (inGit && isPullRequestUnderWay(incident)) {
      return { type: 'refused', because: gitStatement('already-open', { url: incident.pullRequest?.url }) };
    }
    const declined = inGit ? declinedUrl(incident, remediationId) : undefined;
    if (declined !== undefined) {
      return { type: 'refused', because: gitStatement('declined', { url: declined }) };
    }
    const known = shownRemediation(incident, remediationId);
    if (known === undefined && !undoes) return refuse('remediation-unknown', { id: remediationId });
    const kind = known === undefined ? 'undo' : known.kind;
    const allowed = await deps.mayApprove(incident, by, inGit ? 'open-pull-request' : kind);
    if (allowed.type === 'refused') {
      await record(deps, incident, by, 'review-refused', { remediationId, because: codeOf(allowed.because) });
      if (allowed.approvers === undefined) return allowed;
      const readable = await readablePlan(incident, remediationId, by, allowed.approvers);
      return { type: 'refused', because: allowed.because, ...(readable === undefined ? {} : { readable }) };
    }

    const braked = await deps.checkBrakes({ workload: incident.workload, undoes });
    await showBrake(deps, incident.id, braked?.because);
    if (braked !== undefined) {
      await record(deps, incident, by, 'review-refused', { remediationId, because: braked.brake.type });
      return { type: 'refused', because: braked.because };
    }
    const fresh = await planAgain(incident, undoes && inGit ? undoInGit : remediationId);
    if (fresh.type === 'refused') {
      if (fresh.stale) await queueDiagnosis(deps, incidentId);
      await record(deps, incident, by, 'review-refused', { remediationId, because: codeOf(fresh.because) });
      return { type: 'refused', because: fresh.because };
    }
    const source = inGit ? findGitTarget?.(fresh.snapshot, fresh.plan) : undefined;
    if (source?.type === 'refused') {
      const byHand = snippetOf(fresh.plan);
      return { ...source, ...(byHand === undefined ? {} : { byHand }) };
    }
    const gitTarget = source?.target;
    if (gitTarget !== undefined && !hasGitForm(fresh.plan)) {
      return { type: 'refused', because: gitStatement('no-form', { workload }) };
    }
    if (gitTarget !== undefined && isRefusedByApply(fresh.plan, fresh.snapshot.workload)) {
      return { type: 'refused', because: gitStatement('recreate-refused', { workload }) };
    }
    const needs = allowed.demands.approvers;
    const mustConfirm = mustConfirmByName(proposalOf(fresh, undoes));
    const demands = { ...allowed.demands, typeName: allowed.demands.typeName || mustConfirm };
    const approval = await openApproval(deps, incident, fresh, { undoes, needs, by, gitTarget });
    await record(
      deps,
      incident,
      by,
      'review-opened',
      { remediationId, digest: approval.digest },
      approval.id,
    );
    const asked = await askForDryRun(deps, approval);
    const own = allowed.demands.notRequester ? await allowed.idsAmong(approval.initiators) : undefined;
    const mayDecide = (own?.size ?? 0) === 0;
    const sight = await deps.sights.ofPerson(by);
    const visible = visibleApproval(approval, incident, sight);
    const dryRun = asked ?? visible.dryRun;
    if (dryRun === undefined) return refuse('dry-run-missing', { workload });
    return {
      type: 'review',
      incident: visibleIncident(incident, sight),
      approval: visible,
      dryRun,
      demands,
      warnings: withoutStatedNames(fresh.warnings, hiddenNamesOf(fresh.diagnosis, sight)),
      mayDecide,
    };
  }
}

/** The pull request of this fix that a person closed. */
function declinedUrl({ pullRequest }: Incident, remediationId: string): string | undefined {
  const isSame =
    pullRequest?.state === 'closed' &&
    pullRequest.undoes !== true &&
    pullRequest.remediationId === remediationId;
  return isSame ? pullRequest.url : undefined;
}

/**
 * Queues the dry run of an open approval that the API server has not accepted yet; everybody who asks now
 * shares it.
 */
async function askForDryRun(
  { jobs }: ReviewRemediationDeps,
  approval: Approval,
): Promise<Extract<ReviewedDryRun, { readonly type: 'asked' }> | undefined> {
  if (approval.state !== 'open' || isDryRunAccepted(approval)) return undefined;
  const ask = nextDryRunAsk(approval);
  const { id, incidentId } = approval;
  await jobs.enqueue('dry-run', { v: 1, incidentId, approvalId: id, ask }, { again: true });
  return { type: 'asked', ask };
}

async function record(
  { audit, clock }: ReviewRemediationDeps,
  incident: Incident,
  by: string,
  action: 'review-opened' | 'review-refused',
  details: { readonly [name: string]: unknown },
  approvalId?: string,
): Promise<void> {
  const at = clock.now().toISOString();
  await audit.append(incidentEntry(incident, action, { at, by, details, approvalId }));
}

interface OpenApprovalDeps {
  readonly approvals: ApprovalStore;
  readonly authority: ApprovalAuthority;
  readonly sharedClock: SharedClock;
  readonly digest: Digest;
  readonly policy: CurrentPolicy;
  /** How long a review counts, in milliseconds. */
  readonly approvalTtlMs: number;
}

interface Opening {
  readonly gitTarget: GitTarget | undefined;
  readonly undoes: boolean;
  readonly needs: number;
  /** The person whose review opens it. */
  readonly by: string;
}

/** Approvals that one plan of one diagnosis can have: each rejected or expired one is followed by another. */
const maxRounds = 50;

/**
 * Opens the approval for this plan, or gives the open one. A closed one for the same plan is followed by a
 * new one, and so is a stored one that this installation did not sign.
 */
async function openApproval(
  deps: OpenApprovalDeps,
  incident: Incident,
  fresh: FreshPlan,
  { undoes, needs, by, gitTarget }: Opening,
): Promise<Approval> {
  const { plan, remediation, origin, snapshot } = fresh;
  const digest = deps.digest(canonicalPlan(plan));
  const confirmed = mustConfirmByName(proposalOf(fresh, undoes)) ? ['confirmed'] : [];
  const place = gitTarget === undefined ? [] : ['git', JSON.stringify(gitTarget)];
  const template = restoredTemplate(plan, snapshot);
  const asked = initiatorsOf(incident);
  for (let round = 1; round <= maxRounds; round += 1) {
    const now = await deps.sharedClock.now();
    const id = deps
      .digest([incident.id, incident.look, undoes, digest, round, ...confirmed, ...place].join(' '))
      .slice(0, 32);
    const stored = await deps.approvals.open(
      deps.authority.seal({
        v: 1,
        id,
        version: 1,
        state: 'open',
        incidentId: incident.id,
        look: incident.look,
        workload: incident.workload,
        ...originFields(origin),
        remediation,
        undoes,
        plan,
        ...(gitTarget === undefined ? {} : { gitTarget }),
        digest,
        initiators: [...new Set([...asked, by])],
        reviewers: [by],
        needs,
        cancelSeconds: deps.policy().brakes.cancelSeconds,
        decisions: [],
        createdAt: now.toISOString(),
        expiresAt: new Date(now.getTime() + deps.approvalTtlMs).toISOString(),
        ...(template === undefined ? {} : { template: deps.authority.sealTemplate(template) }),
      }),
    );
    const opened = deps.authority.authenticate(id, stored);
    if (isDistrusted(opened)) continue;
    if (isExpired(opened, now.getTime())) {
      await deps.approvals.replace(movedTo(opened, 'expired'), approvalEntry(opened, 'expired', { at: now }));
    } else if (!closed.has(opened.state)) return tightened(deps, opened, { needs, asked, by });
  }
  throw new DoctorError({
    code: 'record-conflict',
    message: 'every approval of this plan is closed or not ours',
    retryable: false,
  });
}

const closed: ReadonlySet<Approval['state']> = new Set([
  'expired',
  'rejected',
  'superseded',
  'failed',
  'cancelled',
]);

/** People of one approval for whom the worker asks the policy before a dry run. */
const maxReviewers = 20;

/**
 * An approval opened earlier also takes what the policy asks for today, who asked since, and who reviews it
 * now.
 */
async function tightened(
  { approvals, authority }: OpenApprovalDeps,
  opened: AuthenticApproval,
  { needs, asked, by }: Pick<Opening, 'needs' | 'by'> & { readonly asked: readonly string[] },
): Promise<Approval> {
  const initiators = [...new Set([...opened.initiators, ...asked])];
  if (opened.state !== 'open') return opened;
  const known = opened.reviewers ?? [];
  const reviewers = [...new Set([...known, by])].slice(0, maxReviewers);
  const isSame = initiators.length === opened.initiators.length && reviewers.length === known.length;
  if (needs <= opened.needs && isSame) return opened;
  const version = opened.version + 1;
  const next = { ...opened, version, needs: Math.max(needs, opened.needs), initiators, reviewers };
  const stored = await approvals.replace(authority.seal(next));
  return 'type' in stored ? opened : stored;
}
