import { pullRequestBody } from '../../core/git-change/pull-request-body.js';
import type { AuthenticApproval } from '../../core/incident/approval.js';
import { movedTo } from '../../core/incident/approval-transitions.js';
import type { Incident } from '../../core/incident/incident.js';
import { hasPullRequest } from '../../core/incident/pull-request-transitions.js';
import type { Tell } from '../../core/language/catalogue.js';
import { codeOf, type Statement } from '../../core/language/statement.js';
import { DoctorError } from '../../errors.js';
import type { JobSubject } from '../../jobs/job-subject.js';
import type { PullRequestJob } from '../../jobs/jobs.js';
import { type ApprovalAuthority, isDistrusted } from '../approve/approval-authority.js';
import type { Distrust } from '../approve/approval-ports.js';
import type { CheckBrakes } from '../approve/check-brakes.js';
import type { VerifyApproval } from '../approve/verify-approval.js';
import type { StartChangeDeps } from '../change/start-change.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import { notice } from '../notices/notices.js';
import { changeEntry } from '../records/audit-entries.js';
import type { SharedClock } from '../records/process-ports.js';
import { type FollowDeps, followPullRequest, movePullRequest } from './follow-pull-request.js';
import type { HostPullRequest } from './git-host.js';
import { gitStatement } from './git-text.js';
import { type GitWriter, isForGit, type Previewed, type PullRequestText } from './git-writer.js';
import { startPullRequest } from './start-pull-request.js';

export interface RunPullRequestDeps extends StartChangeDeps, FollowDeps {
  readonly authority: ApprovalAuthority;
  readonly checkBrakes: CheckBrakes;
  readonly verifyApproval: VerifyApproval;
  readonly sharedClock: SharedClock;
  /** Absent where this process has no access to Git. */
  readonly gitWriter: GitWriter | undefined;
  readonly tell: Tell;
  readonly onDistrusted?: (approvalId: string, because: Distrust) => void;
}

interface Later {
  readonly afterMs: number;
}

const hostSilentMs = 30_000;

/**
 * Opens an approved pull request, and follows it until it is closed, or merged and in effect. The stored
 * record is not trusted: its seal, people and expiry are verified first. A worker that dies at any step
 * leaves it `opening`; the next attempt reads the host before it writes. A host that does not answer delays
 * it and uses up no attempt.
 */
export function createRunPullRequest(deps: RunPullRequestDeps) {
  return async (job: PullRequestJob): Promise<Later | undefined> => {
    try {
      return await run(deps, job);
    } catch (error) {
      if (!(error instanceof DoctorError) || error.code !== 'git-unavailable') throw error;
      return { afterMs: error.retryAfterMs ?? hostSilentMs };
    }
  };
}

/** Makes a pull request that failed by itself visible on its card. */
export function createFailPullRequest(deps: Pick<RunPullRequestDeps, 'incidents' | 'jobs' | 'clock'>) {
  return async ({ incidentId, approvalId }: JobSubject, reference: string): Promise<void> => {
    const incident = incidentId === undefined ? undefined : await deps.incidents.get(incidentId);
    if (incident?.pullRequest === undefined || approvalId === undefined) return;
    const isOpening = incident.pullRequest.state === 'opening';
    const failure = notice('failed-inside', { reference });
    await movePullRequest(deps, incident, approvalId, {
      state: isOpening ? 'failed' : 'unfollowed',
      failure,
    });
  };
}

async function run(deps: RunPullRequestDeps, { approvalId }: PullRequestJob): Promise<Later | undefined> {
  const stored = await deps.approvals.get(approvalId);
  if (stored === undefined) return undefined;
  const approval = deps.authority.authenticate(approvalId, stored);
  if (isDistrusted(approval)) {
    deps.onDistrusted?.(approvalId, approval.because);
    await deps.approvals.replace(movedTo(stored, 'failed'));
    const incident = await deps.incidents.get(stored.incidentId);
    const failure = notice('approval-distrusted', { id: approvalId, because: approval.because });
    if (incident?.pullRequest?.state === 'opening') {
      await movePullRequest(deps, incident, approvalId, { state: 'failed', failure });
    }
    return undefined;
  }
  if (approval.state === 'approved' && (await startPullRequest(deps, approval)) === undefined)
    return undefined;
  const incident = await deps.incidents.get(approval.incidentId);
  if (incident === undefined || !hasPullRequest(incident, approvalId)) return undefined;
  return incident.pullRequest?.state === 'opening'
    ? open(deps, incident, approval)
    : followPullRequest(deps, incident, approval);
}

async function open(
  deps: RunPullRequestDeps,
  incident: Incident,
  approval: AuthenticApproval,
): Promise<Later | undefined> {
  const { gitWriter } = deps;
  if (gitWriter === undefined || !isForGit(approval)) {
    return giveUp(deps, incident, approval, gitStatement('no-source', { workload: nameOf(incident) }));
  }
  try {
    if (approval.state !== 'approved' && approval.state !== 'running') {
      // A worker died after it had recorded how the approval ended.
      const known = await gitWriter.findOpened(approval);
      if (known !== undefined) return await opened(deps, incident, approval, known);
      return await giveUp(deps, incident, approval, notice('failed-inside', { reference: approval.id }));
    }
    const verification = await deps.verifyApproval(approval);
    if (verification.type === 'later') return { afterMs: verification.afterMs };
    if (verification.type !== 'verified') {
      // An attempt before this one may have opened it.
      const known = approval.state === 'running' ? await gitWriter.findOpened(approval) : undefined;
      if (known !== undefined) return await opened(deps, incident, approval, known);
      const { because } = verification;
      return await giveUp(
        deps,
        incident,
        approval,
        verification.type === 'refused'
          ? verification.because
          : notice('approval-distrusted', { id: approval.id, because: String(because) }),
      );
    }
    if (approval.state === 'approved') {
      const braked = await deps.checkBrakes(approval);
      if (braked !== undefined) return await giveUp(deps, incident, approval, braked.because);
    }
    // The limit of changes an hour compares it with the clock of Redis: clocks of workers may differ by
    // hours.
    const startedAt = await deps.sharedClock.now();
    const consumed = await deps.approvals.consume(approval.id, (started) =>
      changeEntry(started, 'started', startedAt),
    );
    if ('type' in consumed) return undefined;
    const outcome = await gitWriter.open(
      { ...verification.approval, gitTarget: approval.gitTarget },
      (checked) => textOf(deps, approval, checked),
    );
    return outcome.type === 'refused'
      ? await giveUp(deps, incident, approval, outcome.because)
      : await opened(deps, incident, approval, outcome.pullRequest);
  } catch (error) {
    if (!(error instanceof DoctorError) || error.code !== 'git-refused' || error.tells === undefined)
      throw error;
    return giveUp(deps, incident, approval, error.tells);
  }
}

async function textOf(
  { incidents, tell }: RunPullRequestDeps,
  approval: AuthenticApproval,
  { edit, check }: Previewed,
): Promise<PullRequestText> {
  const incident = await incidents.get(approval.incidentId);
  const finding = incident?.diagnosis?.findings.find(({ cause }) => cause === approval.cause);
  const { remediation, workload, plan, undoes } = approval;
  const { cluster } = workload;
  const { survival = [] } = plan;
  const about = { workload: nameOf(approval), cluster, remediation, undoes, finding, edit, check, survival };
  return pullRequestBody(about, { tell, language: incident?.language ?? 'en' });
}

async function opened(
  deps: RunPullRequestDeps,
  incident: Incident,
  approval: AuthenticApproval,
  { number, url }: HostPullRequest,
): Promise<Later> {
  const now = deps.clock.now();
  const current = await deps.approvals.get(approval.id);
  if (current !== undefined && current.state !== 'done') {
    const entry = changeEntry(current, 'pull-request-opened', now, { url });
    await deps.approvals.replace(movedTo(current, 'done'), entry);
  }
  await movePullRequest(deps, incident, approval.id, {
    state: 'open',
    number,
    url,
    openedAt: now.toISOString(),
  });
  return { afterMs: 0 };
}

/** Nothing more is written to Git; the card says why. */
async function giveUp(
  deps: RunPullRequestDeps,
  incident: Incident,
  approval: AuthenticApproval,
  failure: Statement,
): Promise<undefined> {
  const current = await deps.approvals.get(approval.id);
  if (current?.state === 'approved' || current?.state === 'running') {
    const entry = changeEntry(current, 'apply-refused', deps.clock.now(), {
      because: codeOf(failure),
      isCertain: true,
    });
    await deps.approvals.replace(movedTo(current, 'failed'), entry);
  }
  await movePullRequest(deps, incident, approval.id, { state: 'failed', failure });
  return undefined;
}
