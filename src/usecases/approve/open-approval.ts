import type { CurrentPolicy } from '../../core/authorization/policy.js';
import type { GitTarget } from '../../core/git-change/git-target.js';
import type { Approval, AuthenticApproval } from '../../core/incident/approval.js';
import { isExpired, movedTo } from '../../core/incident/approval-transitions.js';
import { originFields } from '../../core/incident/change-origin.js';
import type { Incident } from '../../core/incident/incident.js';
import { initiatorsOf } from '../../core/incident/initiators.js';
import { mustConfirmByName } from '../../core/incident/must-confirm.js';
import { canonicalPlan } from '../../core/remediation/plan.js';
import { restoredTemplate } from '../../core/remediation/restored-template.js';
import { DoctorError } from '../../errors.js';
import { approvalEntry } from '../records/audit-entries.js';
import type { Digest, SharedClock } from '../records/process-ports.js';
import { type ApprovalAuthority, isDistrusted } from './approval-authority.js';
import type { ApprovalStore } from './approval-ports.js';
import { type FreshPlan, proposalOf } from './plan-again.js';

export interface OpenApprovalDeps {
  readonly approvals: ApprovalStore;
  readonly authority: ApprovalAuthority;
  readonly sharedClock: SharedClock;
  readonly digest: Digest;
  readonly policy: CurrentPolicy;
  /** How long a review counts, in milliseconds. */
  readonly approvalTtlMs: number;
}

export interface Opening {
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
export async function openApproval(
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
