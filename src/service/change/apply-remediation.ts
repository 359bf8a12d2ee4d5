import type { Approval, AuthenticApproval } from '../../doctor/incidents/approval.js';
import { awaitsSecondStep, movedTo } from '../../doctor/incidents/approval-transitions.js';
import { approvalDistrusted } from '../../doctor/incidents/incident-approvals.js';
import { firstStepMade } from '../../doctor/incidents/incident-transitions.js';
import { codeOf, type Statement } from '../../engine/language/statement.js';
import { type ApprovalAuthority, isDistrusted } from '../approve/approval-authority.js';
import type { Distrust } from '../approve/approval-ports.js';
import { minutesOf } from '../approve/verify-approval.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';
import { nameOf, queueDiagnosis } from '../diagnose/diagnose-again.js';
import { DoctorError } from '../errors.js';
import type { JobSubject, RemediationJob } from '../jobs/jobs.js';
import { notice } from '../notices/notices.js';
import { changeEntry, incidentEntry } from '../records/audit-entries.js';
import { updateIncident } from '../records/incident-store.js';
import type { SharedClock } from '../records/process-ports.js';
import type { Later, SecondStepDeps } from './apply-second-step.js';
import { applySecondStep, leaveSecondStep, observeEveryMs } from './apply-second-step.js';
import type { ReportChangeDeps } from './report-change.js';
import { close, notMade, reportLostApproval, show, unknownChange, verifying } from './report-change.js';
import { cancellableMs, startChange } from './start-change.js';
import type { ChangeOutcome, Lapsed } from './workload-patcher.js';

interface ApplyRemediationDeps extends SecondStepDeps {
  readonly sharedClock: SharedClock;
  /** Gets every record that claims to be an approval and is none; for the log. */
  readonly onDistrusted?: (approvalId: string, because: Distrust) => void;
  /** Gets every approval that an incident waited for and whose record is gone. */
  readonly onLost?: (approvalId: string) => void;
}

type Attempted = { readonly lastAttempt: boolean };

/**
 * Carries out one approved plan, its second step in later runs. The stored record is not trusted: its seal,
 * plan, people and expiry are verified first. A worker that dies at any step leaves the approval `approved`
 * or `running`; the next attempt comes here again, and the patcher recognises a change that was made already
 * by its mark on the object.
 *
 * @param attempt.lastAttempt no retry follows: an unanswered change is reported as unknown
 * @returns when to run again, while the change can still be cancelled, or where Slack could not say whether
 *   the approvers may still approve
 * @throws DoctorError `cluster-unavailable`, retryable, while it is unknown whether the change was made
 */
export function createApplyRemediation(deps: ApplyRemediationDeps) {
  return async (job: RemediationJob, attempt: Attempted): Promise<Later | undefined> => {
    const stored = await deps.approvals.get(job.approvalId);
    if (stored === undefined) {
      if (await reportLostApproval(deps, job)) deps.onLost?.(job.approvalId);
      return undefined;
    }
    const approval = deps.authority.authenticate(job.approvalId, stored);
    if (isDistrusted(approval)) return distrust(deps, job, stored, approval.because);
    // Its plan is for Git; no job of this queue is about it.
    if (approval.gitTarget !== undefined) return undefined;
    const { state } = approval;
    if (awaitsSecondStep(approval)) {
      const left = await applySecondStep(deps, approval, attempt);
      return left !== undefined && 'type' in left ? distrust(deps, job, approval, left.because) : left;
    }
    if (approval.applied !== undefined) return verifying(deps, approval);
    if (state !== 'approved' && state !== 'running') {
      const reference = job.approvalId;
      const failure =
        state === 'failed' || state === 'done'
          ? unknownChange(approval, 'inside', reference)
          : notice('failed-inside', { reference });
      return notMade(deps, approval, failure);
    }
    if (state === 'approved') {
      const afterMs = cancellableMs(approval, await deps.sharedClock.now());
      if (afterMs > 0) return { afterMs };
    }
    const verification = await deps.verifyApproval(approval);
    if (verification.type === 'later') return { afterMs: verification.afterMs };
    if (verification.type === 'distrusted') return distrust(deps, job, approval, verification.because);
    if ((await startChange(deps, approval)) === undefined) return undefined;
    if (verification.type === 'refused') {
      // An attempt before this one may have made the change; then it is not for us to say that it was not.
      const made = state === 'running' ? await deps.patcher.findMade(approval) : undefined;
      if (made !== undefined) return conclude(deps, approval, made, attempt);
      const { because, expired } = verification;
      return giveUp(deps, approval, expired ? 'expired' : 'failed', because);
    }
    if (state === 'approved') {
      const braked = await deps.checkBrakes(approval);
      if (braked !== undefined) {
        await close(deps, approval.id, 'failed', { because: braked.brake.type, isCertain: true });
        return notMade(deps, approval, braked.because);
      }
    }
    // The limit of changes an hour compares it with the clock of Redis: clocks of workers may differ by
    // hours.
    const startedAt = await deps.sharedClock.now();
    const consumed = await deps.approvals.consume(job.approvalId, (started) =>
      changeEntry(started, 'started', startedAt),
    );
    if ('type' in consumed) {
      // Another worker took the job up while this one verified, and has reported how the change ended.
      if (consumed.state === 'done' || consumed.state === 'failed') return undefined;
      return notMade(deps, approval, notice('failed-inside', { reference: job.approvalId }));
    }
    return conclude(deps, approval, await deps.patcher.apply(verification.approval), attempt);
  };
}

async function conclude(
  deps: ApplyRemediationDeps,
  approval: AuthenticApproval,
  outcome: ChangeOutcome | Lapsed,
  { lastAttempt }: Attempted,
): Promise<Later | undefined> {
  const workload = nameOf(approval);
  switch (outcome.type) {
    case 'accepted':
      return afterFirstStep(deps, await recordApplied(deps, approval, outcome));
    case 'lapsed': {
      const because =
        outcome.because === 'expired'
          ? notice('approval-expired', { minutes: minutesOf(approval) })
          : notice('approval-distrusted', { id: approval.id, because: outcome.because });
      return giveUp(deps, approval, outcome.because === 'expired' ? 'expired' : 'failed', because);
    }
    case 'refused': {
      const { because, message } = outcome;
      // An earlier attempt of a running approval may have sent the change, and its answer may be lost.
      const isCertain = approval.state !== 'running';
      await close(deps, approval.id, 'failed', { because, isCertain });
      await notMade(
        deps,
        approval,
        isCertain
          ? notice('apply-refused', { workload, because, message })
          : unknownChange(approval, 'answer-lost', message),
      );
      if (!isCertain || because === 'stale' || because === 'gone')
        await queueDiagnosis(deps, approval.incidentId);
      return undefined;
    }
    case 'unreadable': {
      if (!lastAttempt) {
        throw new DoctorError({
          code: 'cluster-unavailable',
          message: 'the cluster did not answer a change',
          retryable: true,
          ...(outcome.retryAfterMs === undefined ? {} : { retryAfterMs: outcome.retryAfterMs }),
        });
      }
      const { because, message } = outcome;
      await close(deps, approval.id, 'failed', { because, isCertain: false });
      await notMade(deps, approval, unknownChange(approval, because, message));
      await queueDiagnosis(deps, approval.incidentId);
      return undefined;
    }
  }
}

/** The change is made; where its plan has a second step, that follows in a run of its own. */
async function afterFirstStep(
  deps: ApplyRemediationDeps,
  approval: AuthenticApproval,
): Promise<Later | undefined> {
  if (!awaitsSecondStep(approval)) return verifying(deps, approval);
  const { id, incidentId } = approval;
  const at = deps.clock.now().toISOString();
  const stored = await updateIncident(deps.incidents, incidentId, (incident) =>
    firstStepMade(incident, { approvalId: id, at }),
  );
  if (stored !== undefined) await enqueueCard(deps.jobs, stored);
  return { afterMs: observeEveryMs };
}

/** Nothing was sent: the approval ends, and the card says why. */
async function giveUp(
  deps: ApplyRemediationDeps,
  approval: AuthenticApproval,
  state: 'expired' | 'failed',
  because: Statement,
): Promise<undefined> {
  await close(deps, approval.id, state, { because: codeOf(because), isCertain: true });
  return notMade(deps, approval, because);
}

/**
 * What the record claims is neither done nor repeated; the incident it names says that a record was refused.
 */
async function distrust(
  deps: ApplyRemediationDeps,
  job: RemediationJob,
  stored: Approval,
  because: Distrust,
): Promise<undefined> {
  deps.onDistrusted?.(job.approvalId, because);
  const current = await deps.approvals.get(job.approvalId);
  // Its entry names nobody: who approved is part of what the record claims.
  if (current !== undefined) await deps.approvals.replace(movedTo(current, 'failed'));
  for (const id of new Set([job.incidentId, stored.incidentId])) {
    const statement = notice('approval-distrusted', { id: job.approvalId, because });
    const at = deps.clock.now().toISOString();
    let claimed = false;
    const incident = await updateIncident(deps.incidents, id, (current) => {
      claimed = current.phase === 'applying' && current.change?.approvalId === job.approvalId;
      const isKnown = current.distrusted?.approvalId === job.approvalId && !claimed;
      return isKnown ? undefined : approvalDistrusted(current, job.approvalId, statement, at);
    });
    if (incident === undefined) continue;
    const { approvalId } = job;
    const details = { because: `distrusted: ${because}` };
    await deps.audit.append(incidentEntry(incident, 'apply-refused', { at, approvalId, details }));
    await show(deps, incident, { kind: 'refused', of: approvalId });
    if (claimed) await queueDiagnosis(deps, id);
  }
  return undefined;
}

/**
 * The API server's answer, signed: only what was made can be put back later. What another worker has
 * recorded, which took the job up meanwhile, stands.
 */
async function recordApplied(
  deps: ApplyRemediationDeps,
  approval: AuthenticApproval,
  { generation, mutated }: Extract<ChangeOutcome, { readonly type: 'accepted' }>,
): Promise<AuthenticApproval> {
  const now = deps.clock.now();
  const applied = { at: now.toISOString(), ...(generation === undefined ? {} : { generation }) };
  for (;;) {
    const current = await deps.approvals.get(approval.id);
    const known = current?.applied && deps.authority.authenticate(approval.id, current);
    if (known !== undefined && !isDistrusted(known)) return known;
    const version = (current?.version ?? 0) + 1;
    const state = approval.plan.afterwards === undefined ? 'done' : 'running';
    const next = { ...approval, version, state, applied } as const;
    const sealed = deps.authority.seal(next);
    const entry = changeEntry(sealed, 'applied', now, { generation, mutated: mutated.length });
    const stored = await deps.approvals.replace(sealed, entry);
    if ('type' in stored) continue;
    const authentic = deps.authority.authenticate(approval.id, stored);
    return isDistrusted(authentic) ? approval : authentic;
  }
}

interface FailRemediationDeps extends ReportChangeDeps {
  readonly authority: ApprovalAuthority;
}

/**
 * Ends a change that failed by itself, so that people see it. The incident alone tells which approval it was
 * about; the approval's record, which may be what cannot be read, only tells how far it came.
 */
export function createFailRemediation(deps: FailRemediationDeps) {
  return async (subject: JobSubject, reference: string): Promise<void> => {
    const known = subject.approvalId === undefined ? undefined : await readable(deps, subject.approvalId);
    const incidentId = subject.incidentId ?? known?.incidentId;
    const incident = incidentId === undefined ? undefined : await deps.incidents.get(incidentId);
    if (incident === undefined) return;
    const approvalId = subject.approvalId ?? incident.change?.approvalId;
    if (approvalId === undefined) return;
    const approval = await readable(deps, approvalId);
    if (approval?.applied !== undefined) {
      if (!awaitsSecondStep(approval)) return verifying(deps, approval);
      return leaveSecondStep(deps, approval, 'inside', reference);
    }
    const isCertain = approval?.state === 'approved';
    if (approval !== undefined) await close(deps, approvalId, 'failed', { because: 'inside', isCertain });
    const failure = isCertain
      ? notice('failed-inside', { reference })
      : unknownChange(incident, 'inside', reference);
    await notMade(deps, { id: approvalId, incidentId: incident.id }, failure);
    if (!isCertain) await queueDiagnosis(deps, incident.id);
  };
}

/** The record, or nothing where it cannot be understood or is not ours. */
async function readable(
  { approvals, authority }: FailRemediationDeps,
  id: string,
): Promise<AuthenticApproval | undefined> {
  try {
    const stored = await approvals.get(id);
    const approval = stored && authority.authenticate(id, stored);
    return approval === undefined || isDistrusted(approval) ? undefined : approval;
  } catch (error) {
    if (error instanceof DoctorError && error.code === 'record-malformed') return undefined;
    throw error;
  }
}
