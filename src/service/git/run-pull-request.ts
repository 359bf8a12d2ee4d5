import { isAbsent } from '../../doctor/findings/main-finding.js';
import { changedOwner, undoneObjectOf } from '../../doctor/fixes/owner-target.js';
import { lostFields } from '../../doctor/fixes/plan-undo.js';
import { hasReachedWorkload, type Remediation } from '../../doctor/fixes/remediation.js';
import { pullRequestBody } from '../../doctor/git-edits/pull-request-body.js';
import type { AuthenticApproval } from '../../doctor/incidents/approval.js';
import { movedTo } from '../../doctor/incidents/approval-transitions.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { rolloutOf } from '../../doctor/incidents/judge.js';
import type { PullRequest } from '../../doctor/incidents/pull-request.js';
import {
  hasPullRequest,
  isPullRequestUnderWay,
  pullRequestMoved,
} from '../../doctor/incidents/pull-request-transitions.js';
import type { Tell } from '../../engine/language/catalogue.js';
import { codeOf, type Statement } from '../../engine/language/statement.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { type ApprovalAuthority, isDistrusted } from '../approve/approval-authority.js';
import type { Distrust } from '../approve/approval-ports.js';
import type { CheckBrakes } from '../approve/check-brakes.js';
import type { VerifyApproval } from '../approve/verify-approval.js';
import { queueReminders } from '../change/remind-exclusion.js';
import { type StartChangeDeps, startPullRequest } from '../change/start-change.js';
import { enqueueCard, enqueueNotes } from '../deliver/delivery-jobs.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import { type DiagnoseAgainDeps, nameOf, queueDiagnosis } from '../diagnose/diagnose-again.js';
import { isEnded } from '../diagnose/diagnosis-back-off.js';
import type { DiagnosisEngine } from '../diagnose/engine.js';
import { DoctorError } from '../errors.js';
import type { JobSubject, PullRequestJob } from '../jobs/jobs.js';
import { notice } from '../notices/notices.js';
import { changeEntry } from '../records/audit-entries.js';
import { updateIncident } from '../records/incident-store.js';
import type { SharedClock } from '../records/process-ports.js';
import type { GitHost, HostPullRequest } from './git-host.js';
import { gitStatement } from './git-text.js';
import { type GitWriter, isForGit, type Previewed, type PullRequestText } from './git-writer.js';

interface RunPullRequestDeps extends StartChangeDeps, FollowDeps {
  readonly authority: ApprovalAuthority;
  readonly checkBrakes: CheckBrakes;
  readonly verifyApproval: VerifyApproval;
  readonly sharedClock: SharedClock;
  /** Absent where this process has no access to Git. */
  readonly gitWriter: GitWriter | undefined;
  readonly tell: Tell;
  readonly onDistrusted?: (approvalId: string, because: Distrust) => void;
  readonly onLost?: (approvalId: string) => void;
}

type Later = { readonly afterMs: number };

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

async function run(deps: RunPullRequestDeps, job: PullRequestJob): Promise<Later | undefined> {
  const { approvalId } = job;
  const stored = await deps.approvals.get(approvalId);
  if (stored === undefined) return followWithoutApproval(deps, job);
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
  const isStarted = approval.state !== 'approved' || (await startPullRequest(deps, approval)) !== undefined;
  if (!isStarted) return undefined;
  const incident = await deps.incidents.get(approval.incidentId);
  if (incident === undefined || !hasPullRequest(incident, approvalId)) return undefined;
  return incident.pullRequest?.state === 'opening'
    ? open(deps, incident, approval)
    : followPullRequest(deps, incident, approval);
}

/** Without its approval record, an open pull request is followed; the loss of another one is stated. */
async function followWithoutApproval(
  deps: RunPullRequestDeps,
  { incidentId, approvalId }: PullRequestJob,
): Promise<Later | undefined> {
  const incident = await deps.incidents.get(incidentId);
  if (incident === undefined || !hasPullRequest(incident, approvalId)) return undefined;
  const { pullRequest } = incident;
  if (pullRequest === undefined || !isPullRequestUnderWay(incident)) return undefined;
  if (pullRequest.state === 'open') return followOpen(deps, incident, pullRequest);
  deps.onLost?.(approvalId);
  const state = pullRequest.state === 'opening' ? 'failed' : 'unfollowed';
  const failure = notice('pull-request-lost', { workload: nameOf(incident) });
  await movePullRequest(deps, incident, approvalId, { state, failure });
  await queueDiagnosis(deps, incidentId);
  return undefined;
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
      const because =
        verification.type === 'refused'
          ? verification.because
          : notice('approval-distrusted', { id: approval.id, because: String(verification.because) });
      return await giveUp(deps, incident, approval, because);
    }
    if (approval.state === 'approved') {
      const braked = await deps.checkBrakes(approval);
      if (braked !== undefined) return await giveUp(deps, incident, approval, braked.because);
    }
    // The limit of changes an hour reads the clock of Redis: clocks of workers may differ by hours.
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
  const {
    remediation,
    undoes,
    workload: { cluster },
    plan: { survival: drift = [] },
  } = approval;
  return pullRequestBody(
    { workload: nameOf(approval), cluster, remediation, undoes, finding, edit, check, drift },
    { tell, language: incident?.language ?? 'en' },
  );
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

interface FollowDeps extends DiagnoseAgainDeps {
  readonly cluster: Pick<ClusterReader, 'snapshot'>;
  readonly engine: DiagnosisEngine;
  readonly gitHost: Pick<GitHost, 'pullRequest'> | undefined;
}

const dayMs = 86_400_000;
/** A pull request that nobody merged or closed is followed this long. */
const maxOpenMs = 14 * dayMs;
/** A merged one, until the cluster has it. */
const maxMergedMs = dayMs;
/** People often merge, and owners apply, right away: the pauses grow with the age. */
const leastPollMs = 5_000;
const mostPollMs = 600_000;
const mostMergedPollMs = 60_000;

/** What the approval of a pull request states about its change. */
type Followed = Pick<AuthenticApproval, 'remediation' | 'undoes' | 'plan' | 'workload'>;

/** Reads once what became of an opened pull request. @returns when to read again */
export async function followPullRequest(
  deps: FollowDeps,
  incident: Incident,
  approval: Followed,
): Promise<{ readonly afterMs: number } | undefined> {
  const { pullRequest } = incident;
  if (pullRequest?.state === 'open') return followOpen(deps, incident, pullRequest);
  return pullRequest?.state === 'merged'
    ? followMerged(deps, incident, { ...pullRequest, approval })
    : undefined;
}

async function followOpen(
  deps: FollowDeps,
  incident: Incident,
  { approvalId, number, target, openedAt }: PullRequest,
): Promise<{ readonly afterMs: number } | undefined> {
  if (deps.gitHost === undefined || number === undefined) return undefined;
  const at = deps.clock.now();
  const ageMs = at.getTime() - Date.parse(openedAt ?? at.toISOString());
  const read = await readOrRefusal(deps.gitHost, target.repository, number);
  const { state, hindrance, failure } = read;
  if (state === 'open' && ageMs > maxOpenMs) {
    await movePullRequest(deps, incident, approvalId, { state: 'unfollowed', failure });
    return undefined;
  }
  await movePullRequest(deps, incident, approvalId, {
    state,
    hindrance: state === 'open' ? hindrance : undefined,
    failure,
    ...(state === 'merged' ? { mergedAt: at.toISOString() } : {}),
  });
  if (state === 'closed') return undefined;
  if (state === 'merged') return { afterMs: 0 };
  return { afterMs: failure === undefined ? pauseMs(ageMs, mostPollMs) : mostPollMs };
}

/** A host that refuses now may answer again: people install the App again, or rename the repository back. */
async function readOrRefusal(
  host: Pick<GitHost, 'pullRequest'>,
  repository: string,
  number: number,
): Promise<Pick<HostPullRequest, 'state' | 'hindrance'> & { readonly failure: Statement | undefined }> {
  try {
    return { ...(await host.pullRequest(repository, number)), failure: undefined };
  } catch (error) {
    if (!(error instanceof DoctorError) || error.code !== 'git-refused') throw error;
    return { state: 'open', hindrance: undefined, failure: error.tells };
  }
}

/** The cluster has the merged values, and the workload recovered. */
async function followMerged(
  deps: FollowDeps,
  incident: Incident,
  {
    approvalId,
    cause,
    changes,
    mergedAt,
    approval: { remediation, undoes, plan, workload },
  }: PullRequest & { readonly approval: Followed },
): Promise<{ readonly afterMs: number } | undefined> {
  const now = deps.clock.now();
  const read = await deps.cluster.snapshot(incident.workload, deps.engine.needs);
  const merged = { expects: changes, ...changedOwner(plan, workload) };
  if (read.type === 'snapshot' && holds(merged, remediation, read.snapshot)) {
    // As after every undo: what the change had ended may come back, and is a finding of its own.
    const ended = undoes ? undefined : cause;
    if (await isRecovered(deps.engine, ended, read.snapshot)) {
      const recovered = await movePullRequest(deps, incident, approvalId, { state: 'recovered' });
      if (recovered !== undefined) await queueReminders(deps, recovered, now.getTime(), remediation);
      await queueDiagnosis(deps, incident.id);
      // It waits for that diagnosis.
      if (!undoes) await enqueueNotes(deps.jobs, incident, approvalId);
      return undefined;
    }
  }
  const ageMs = now.getTime() - Date.parse(mergedAt ?? now.toISOString());
  if (ageMs > maxMergedMs) {
    await movePullRequest(deps, incident, approvalId, { state: 'unfollowed' });
    return undefined;
  }
  return { afterMs: pauseMs(ageMs, mostMergedPollMs) };
}

/**
 * The fields have the merged values, in the object where the change is made, and its controller has written
 * them into the workload. Of an object that was not read, nothing holds.
 */
function holds(
  merged: Parameters<typeof lostFields>[0],
  remediation: Remediation,
  snapshot: Snapshot,
): boolean {
  return (
    undoneObjectOf(merged, snapshot) !== undefined &&
    lostFields(merged, snapshot).length === 0 &&
    hasReachedWorkload(remediation, snapshot) === true
  );
}

function pauseMs(ageMs: number, mostMs: number): number {
  return Math.min(Math.max(ageMs / 10, leastPollMs), mostMs);
}

/** As after every change: the rule that found the cause finds it no longer, and the rollout is complete. */
async function isRecovered(
  engine: DiagnosisEngine,
  cause: string | undefined,
  snapshot: Parameters<DiagnosisEngine['diagnose']>[0],
): Promise<boolean> {
  try {
    const found = await engine.diagnose(snapshot);
    const { observed, rest } = rolloutOf(snapshot, found.ready);
    const hasArrived = rest !== undefined && rest !== 'on-stable';
    return observed && hasArrived && (cause === undefined || isAbsent(cause, found));
  } catch (error) {
    if (isEnded(error)) return false;
    throw error;
  }
}

/** Writes what became of a pull request, and shows it. */
async function movePullRequest(
  { incidents, jobs, clock }: DiagnoseAgainDeps,
  { id }: Incident,
  approvalId: string,
  moved: Parameters<typeof pullRequestMoved>[2],
): Promise<Incident | undefined> {
  const stored = await updateIncident(incidents, id, (current) =>
    pullRequestMoved(current, approvalId, moved, clock.now().toISOString()),
  );
  if (stored !== undefined) await enqueueCard(jobs, stored);
  return stored ?? incidents.get(id);
}
