import { budgetsOn } from '../../doctor/fixes/considered.js';
import type { AuthenticApproval, SecondStepEnd } from '../../doctor/incidents/approval.js';
import { movedTo } from '../../doctor/incidents/approval-transitions.js';
import { type ApprovalAuthority, type Distrusted, isDistrusted } from '../approve/approval-authority.js';
import type { CheckBrakes } from '../approve/check-brakes.js';
import type { VerifyApproval } from '../approve/verify-approval.js';
import type { ClusterReader, Unreadable } from '../diagnose/cluster-reader.js';
import { DoctorError } from '../errors.js';
import { notice } from '../notices/notices.js';
import { changeEntry } from '../records/audit-entries.js';
import { type ReportChangeDeps, verifying } from './report-change.js';
import type { SecondStepOutcome, WorkloadPatcher } from './workload-patcher.js';

export interface SecondStepDeps extends ReportChangeDeps {
  readonly authority: ApprovalAuthority;
  readonly checkBrakes: CheckBrakes;
  readonly cluster: Pick<ClusterReader, 'snapshot'>;
  readonly patcher: WorkloadPatcher;
  readonly verifyApproval: VerifyApproval;
}

/** The job is to run again after this time, without using up an attempt. */
export type Later = { readonly afterMs: number };

/** Pause between two reads of whether the controller has observed the first step. */
export const observeEveryMs = 1_000;
/** A controller that has not observed the first step by then does not work. */
const observeWithinMs = 60_000;

/**
 * Carries out the second step of an approved plan whose first one is made. It waits until the controller has
 * observed the first step. Then everything that was checked before the first step is checked again:
 * PodDisruptionBudgets, the people, the expiry, the stop switch and the freezes. Its start is recorded before
 * a request is sent, and ends the time in which it can be cancelled. A worker that died continues here:
 * deletions are bound to the uids of the pods, so that none is made twice. However the step ends, the
 * verification of the change begins.
 *
 * @throws DoctorError `cluster-unavailable`, retryable, while the cluster does not answer
 */
export async function applySecondStep(
  deps: SecondStepDeps,
  approval: AuthenticApproval,
  { lastAttempt }: { lastAttempt: boolean },
): Promise<Later | Distrusted | undefined> {
  const incident = await deps.incidents.get(approval.incidentId);
  if (incident?.phase !== 'applying' || incident.change?.approvalId !== approval.id) {
    return leaveSecondStep(deps, approval, 'stale');
  }
  const unanswered = (answer: Unreadable): Promise<undefined> => {
    if (lastAttempt) return leaveSecondStep(deps, approval, 'unanswered', answer.message);
    throw clusterUnavailable(answer);
  };
  const first = await deps.patcher.readFirstStep(approval);
  if (first.type === 'unreadable') return unanswered(first);
  if (first.type === 'refused') return leaveSecondStep(deps, approval, first.because, first.message);
  if (first.type === 'waiting') {
    const waitedMs = deps.clock.now().getTime() - Date.parse(approval.applied?.at ?? '');
    if (waitedMs < observeWithinMs) return { afterMs: observeEveryMs };
    return leaveSecondStep(deps, approval, 'not-observed');
  }
  const isStarted = approval.secondStep !== undefined;
  if (!isStarted) {
    const budget = await findBudgetAgainst(deps, approval);
    if (budget !== undefined && typeof budget !== 'string') return unanswered(budget);
    if (budget !== undefined) return leaveSecondStep(deps, approval, 'protected', budget);
  }
  const verification = await deps.verifyApproval(approval);
  if (verification.type === 'later') return { afterMs: verification.afterMs };
  if (verification.type === 'distrusted') return verification;
  if (verification.type === 'refused') {
    return leaveSecondStep(deps, approval, verification.expired ? 'expired' : 'approvers');
  }
  if (!isStarted) {
    const braked = await deps.checkBrakes({ ...approval, isStarted: true });
    if (braked !== undefined) return leaveSecondStep(deps, approval, braked.brake.type);
    // Whoever cancelled it at the same moment was first.
    if (!(await recordStart(deps, approval))) return { afterMs: observeEveryMs };
  }
  const outcome = await deps.patcher.applySecondStep(verification.approval);
  const { failed } = outcome;
  if (failed?.type === 'unreadable' && !lastAttempt) throw clusterUnavailable(failed);
  return endSecondStep(deps, approval, outcome, failed && reasonOf(failed));
}

/**
 * Ends the second step without a request: the card says which pods are left and why.
 *
 * @param because a code that `second-step-left` has words for
 */
export function leaveSecondStep(
  deps: ReportChangeDeps & { readonly authority: ApprovalAuthority },
  approval: AuthenticApproval,
  because: string,
  message = '',
): Promise<undefined> {
  return endSecondStep(deps, approval, { deleted: [], skipped: [] }, { because, message });
}

type Reason = { readonly because: string; readonly message: string };

function reasonOf(failed: NonNullable<SecondStepOutcome['failed']>): Reason {
  switch (failed.type) {
    case 'lapsed':
      return { because: failed.because === 'expired' ? 'expired' : 'distrusted', message: '' };
    case 'unreadable':
      return { because: 'unknown', message: failed.message };
    case 'refused':
      return failed;
  }
}

/** A budget that allows no disruption of one of the pods now; a cluster that does not answer says nothing. */
async function findBudgetAgainst(
  { cluster }: SecondStepDeps,
  { workload, plan }: AuthenticApproval,
): Promise<string | Unreadable | undefined> {
  const read = await cluster.snapshot(workload, new Set(['Pod', 'PodDisruptionBudget']));
  if (read.type === 'unreadable') return read;
  if (read.type === 'not-found') return undefined;
  const uids = new Set(plan.afterwards?.pods.map(({ uid }) => uid));
  for (const pod of read.snapshot.index.objects.Pod) {
    const answer = uids.has(pod.metadata.uid) ? budgetsOn(read.snapshot, pod) : undefined;
    if (answer?.type === 'refused') return answer.budget;
  }
  return undefined;
}

async function recordStart(
  { approvals, authority, clock }: SecondStepDeps,
  approval: AuthenticApproval,
): Promise<boolean> {
  const now = clock.now();
  const started = { type: 'started', at: now.toISOString() } as const;
  const next = authority.seal({ ...approval, version: approval.version + 1, secondStep: started });
  const entry = changeEntry(next, 'second-step-started', now, { pods: namesOf(approval) });
  return !('type' in (await approvals.replace(next, entry)));
}

/** Records how the step ended, unless somebody cancelled it meanwhile, and begins the verification. */
async function endSecondStep(
  deps: ReportChangeDeps & { readonly authority: ApprovalAuthority },
  approval: AuthenticApproval,
  { deleted, skipped }: SecondStepOutcome,
  failure: Reason | undefined,
): Promise<undefined> {
  const { approvals, authority, clock } = deps;
  // An earlier attempt may have deleted pods; then it is not for us to say that they are left.
  const wasInterrupted = failure !== undefined && approval.secondStep !== undefined;
  const reason = wasInterrupted ? { ...failure, because: 'interrupted' } : failure;
  const now = clock.now();
  const named = new Set([...deleted, ...skipped.map(({ pod }) => pod)]);
  const left = namesOf(approval).filter((pod) => !named.has(pod));
  const secondStep: SecondStepEnd = {
    type: 'ended',
    at: now.toISOString(),
    deleted: [...deleted],
    skipped: [...skipped],
    ...(reason === undefined ? {} : { because: notice('second-step-left', { pods: left, ...reason }) }),
  };
  const details = { deleted, skipped, ...(reason === undefined ? {} : { because: reason.because }) };
  for (;;) {
    const stored = await approvals.get(approval.id);
    const current = stored && authority.authenticate(approval.id, stored);
    if (current === undefined) return undefined;
    const isOurs = !isDistrusted(current);
    if (isOurs && current.secondStep?.type === 'ended') return verifying(deps, current);
    const version = (stored?.version ?? 0) + 1;
    const base = isOurs ? current : approval;
    const next = authority.seal({ ...movedTo(base, 'done'), version, secondStep });
    const entry = changeEntry(next, 'second-step-ended', now, details);
    const replaced = await approvals.replace(next, entry);
    if ('type' in replaced) continue;
    const ended = authority.authenticate(approval.id, replaced);
    return verifying(deps, isDistrusted(ended) ? approval : ended);
  }
}

function namesOf({ plan }: AuthenticApproval): readonly string[] {
  return plan.afterwards?.pods.map(({ name }) => name) ?? [];
}

function clusterUnavailable({ retryAfterMs }: Unreadable): DoctorError {
  return new DoctorError({
    code: 'cluster-unavailable',
    message: 'the cluster did not answer the second step of a change',
    retryable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
