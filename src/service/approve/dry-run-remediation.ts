import { isDoneByHand } from '../../doctor/git-edits/edits-of-plan.js';
import type { GitEdit } from '../../doctor/git-edits/git-target.js';
import type { AuthenticApproval } from '../../doctor/incidents/approval.js';
import { type DryRun, isDryRunAccepted, nextDryRunAsk } from '../../doctor/incidents/approval.js';
import { isExpired } from '../../doctor/incidents/approval-transitions.js';
import { codeOf, type Statement } from '../../engine/language/statement.js';
import type { WorkloadPatcher } from '../change/workload-patcher.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import { DoctorError } from '../errors.js';
import { gitStatement } from '../git/git-text.js';
import { type GitWriter, isForGit } from '../git/git-writer.js';
import type { DryRunJob, JobSubject } from '../jobs/jobs.js';
import { notice } from '../notices/notices.js';
import { approvalEntry } from '../records/audit-entries.js';
import type { AuditLog, Clock, SharedClock } from '../records/process-ports.js';
import { type ApprovalAuthority, isDistrusted } from './approval-authority.js';
import type { ApprovalStore, Distrust } from './approval-ports.js';
import type { MayApprove } from './may-approve.js';
import { actionOf } from './valid-approvers.js';

interface DryRunRemediationDeps {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly authority: ApprovalAuthority;
  readonly clock: Clock;
  readonly sharedClock: SharedClock;
  readonly mayApprove: MayApprove;
  readonly patcher: Pick<WorkloadPatcher, 'dryRun'>;
  /** Absent where no pull request is offered. */
  readonly gitWriter?: Pick<GitWriter, 'preview'> | undefined;
  /** Gets every record that claims to be an approval and is none; for the log. */
  readonly onDistrusted?: (approvalId: string, because: Distrust) => void;
}

/** What a dry run came to, before the record says when and of which plan. */
type Outcome =
  | { readonly type: 'accepted'; readonly mutated: readonly string[]; readonly edit?: GitEdit }
  | {
      readonly type: 'refused';
      readonly because: Statement;
      readonly byHand?: boolean;
      readonly snippet?: string;
    }
  | { readonly type: 'unknown'; readonly because: Statement };

/**
 * Has the API server try a plan under review, and writes its answer into the signed approval. The stored
 * record is not trusted: its seal and plan are verified, and the policy is asked for the people who reviewed
 * it, before anything is sent. An answered request is not repeated, so that a job that runs again changes
 * nothing.
 *
 * @throws DoctorError retryable, while Redis does not take the answer or Slack does not say who may review
 */
export function createDryRunRemediation(deps: DryRunRemediationDeps) {
  return async ({ approvalId, ask }: DryRunJob): Promise<undefined> => {
    const approval = await awaiting(deps, approvalId, ask);
    if (approval === undefined) return undefined;
    const refusal = await refusalFor(deps, approval);
    const outcome = refusal ?? (await tryPlan(deps, approval));
    if (outcome !== undefined) await recordAnswer(deps, approval, ask, outcome);
    return undefined;
  };
}

/** Answers a dry run that failed by itself, so that the people who wait learn it. */
export function createFailDryRun(deps: DryRunRemediationDeps) {
  return async ({ approvalId, ask }: JobSubject, reference: string, code: string): Promise<void> => {
    if (approvalId === undefined || ask === undefined) return;
    const approval = await awaiting(deps, approvalId, ask);
    if (approval === undefined) return;
    const because = code.startsWith('slack-')
      ? notice('reviewers-unknown', { workload: nameOf(approval) })
      : notice('failed-inside', { reference });
    await recordAnswer(deps, approval, ask, { type: 'unknown', because });
  };
}

/** The approval, if it is authentic and this request is the one that it waits for. */
async function awaiting(
  { approvals, authority, sharedClock, onDistrusted }: DryRunRemediationDeps,
  id: string,
  ask: number,
): Promise<AuthenticApproval | undefined> {
  const stored = await approvals.get(id);
  if (stored === undefined) return undefined;
  const approval = authority.authenticate(id, stored);
  if (isDistrusted(approval)) {
    onDistrusted?.(id, approval.because);
    return undefined;
  }
  if (approval.state !== 'open' || isExpired(approval, (await sharedClock.now()).getTime())) return undefined;
  return nextDryRunAsk(approval) === ask && !isDryRunAccepted(approval) ? approval : undefined;
}

/** Why none of the people who reviewed the plan may do so any more. */
async function refusalFor(
  { mayApprove }: DryRunRemediationDeps,
  approval: AuthenticApproval,
): Promise<Outcome | undefined> {
  let because = notice('reviewers-unknown', { workload: nameOf(approval) });
  for (const by of approval.reviewers ?? []) {
    const answer = await mayApprove(approval, by, actionOf(approval));
    if (answer.type === 'allowed') return undefined;
    because = answer.because;
  }
  return { type: 'refused', because };
}

async function tryPlan(
  { patcher, gitWriter }: DryRunRemediationDeps,
  approval: AuthenticApproval,
): Promise<Outcome | undefined> {
  const workload = nameOf(approval);
  if (isForGit(approval)) return tryInGit(gitWriter, approval);
  const answer = await patcher.dryRun(approval);
  switch (answer.type) {
    case 'accepted':
      return { type: 'accepted', mutated: answer.mutated.map(({ path }) => path) };
    case 'refused': {
      const { because, message } = answer;
      if (because === 'dropped') {
        const { kind, namespace, name } = approval.plan.target;
        const object = `${kind} ${namespace}/${name}`;
        return { type: 'refused', because: notice('dry-run-dropped', { object, fields: message }) };
      }
      return { type: 'refused', because: notice('dry-run-refused', { workload, because, message }) };
    }
    case 'unreadable': {
      const { because, message } = answer;
      const { cluster } = approval.workload;
      return { type: 'unknown', because: notice('dry-run-unknown', { workload, cluster, because, message }) };
    }
    // Nothing was sent, and a record that does not hold any more takes no answer.
    case 'lapsed':
      return undefined;
  }
}

/** The edit of the tree as it is now, and the check of the changed manifest; nothing is written. */
async function tryInGit(
  gitWriter: DryRunRemediationDeps['gitWriter'],
  approval: Parameters<GitWriter['preview']>[0],
): Promise<Outcome> {
  if (gitWriter === undefined) {
    return { type: 'refused', because: gitStatement('no-source', { workload: nameOf(approval) }) };
  }
  try {
    const answer = await gitWriter.preview(approval);
    if (answer.type === 'previewed') return { type: 'accepted', mutated: [], edit: answer.edit };
    const { because, reason, snippet } = answer;
    const byHand = { byHand: true, ...(snippet === undefined ? {} : { snippet }) };
    return { type: 'refused', because, ...(isDoneByHand(reason) ? byHand : {}) };
  } catch (error) {
    if (!(error instanceof DoctorError)) throw error;
    if (error.code === 'git-refused' && error.tells !== undefined) {
      return { type: 'refused', because: error.tells };
    }
    if (error.code !== 'git-unavailable') throw error;
    const { repository } = approval.gitTarget;
    return { type: 'unknown', because: gitStatement('host-silent', { repository }) };
  }
}

/** Far more than people and workers that write one approval at the same time. */
const attempts = 50;

async function recordAnswer(
  deps: DryRunRemediationDeps,
  tried: AuthenticApproval,
  ask: number,
  outcome: Outcome,
): Promise<void> {
  const now = deps.clock.now();
  const dryRun: DryRun = { ...outcome, ask, at: now.toISOString(), digest: tried.digest };
  await deps.audit.append(
    approvalEntry(tried, 'dry-run', {
      at: now,
      details: {
        outcome: outcome.type,
        ...(outcome.type === 'accepted' ? {} : { because: codeOf(outcome.because) }),
      },
    }),
  );
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const current = await awaiting(deps, tried.id, ask);
    if (current === undefined || current.digest !== tried.digest) return;
    const next = { ...current, version: current.version + 1, dryRun };
    if (!('type' in (await deps.approvals.replace(deps.authority.seal(next))))) return;
  }
  throw new DoctorError({
    code: 'record-conflict',
    message: 'an approval was written by others at every attempt',
    retryable: true,
  });
}
