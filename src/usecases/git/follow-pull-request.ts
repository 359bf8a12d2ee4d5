import type { Snapshot } from '../../core/cluster/snapshot.js';
import { isAbsent } from '../../core/diagnosis/main-finding.js';
import type { AuthenticApproval } from '../../core/incident/approval.js';
import type { Incident } from '../../core/incident/incident.js';
import { rolloutOf } from '../../core/incident/judge.js';
import type { PullRequest } from '../../core/incident/pull-request.js';
import { pullRequestMoved } from '../../core/incident/pull-request-transitions.js';
import type { Statement } from '../../core/language/statement.js';
import { lostFields } from '../../core/remediation/lost-fields.js';
import { changedOwner, undoneObjectOf } from '../../core/remediation/owner-target.js';
import { hasReachedWorkload } from '../../core/remediation/reached-workload.js';
import type { Remediation } from '../../core/remediation/remediation.js';
import { DoctorError } from '../../errors.js';
import { queueReminder } from '../change/queue-reminder.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import { type DiagnoseAgainDeps, queueDiagnosis } from '../diagnose/diagnose-again.js';
import { isEnded } from '../diagnose/diagnosis-back-off.js';
import type { DiagnosisEngine } from '../diagnose/doctor.js';
import { updateIncident } from '../records/update-incident.js';
import type { GitHost, HostPullRequest } from './git-host.js';

export interface FollowDeps extends DiagnoseAgainDeps {
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

/**
 * A host that refuses now may answer again: people install the App again, or give the repository its name
 * back.
 */
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
      await movePullRequest(deps, incident, approvalId, { state: 'recovered' });
      if (!undoes) await queueReminder(deps, { incidentId: incident.id, approvalId }, remediation);
      await queueDiagnosis(deps, incident.id);
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

/**
 * As after every other change: the rule that found the cause finds it no longer, and the rollout is complete.
 */
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
export async function movePullRequest(
  { incidents, jobs, clock }: DiagnoseAgainDeps,
  { id }: Incident,
  approvalId: string,
  moved: Parameters<typeof pullRequestMoved>[2],
): Promise<void> {
  const at = clock.now().toISOString();
  const stored = await updateIncident(incidents, id, (current) =>
    pullRequestMoved(current, approvalId, moved, at),
  );
  if (stored !== undefined) await enqueueCard(jobs, stored);
}
