import { setTimeout } from 'node:timers/promises';
import { visibleApproval } from '../../doctor/incidents/visible-incident.js';
import { incidentFor, type ViewDeps } from '../diagnose/diagnose-again.js';
import { DoctorError } from '../errors.js';
import { notice } from '../notices/notices.js';
import type { AwaitDryRun, Refused, Review } from '../people/conversation.js';
import { type ApprovalAuthority, isDistrusted } from './approval-authority.js';
import type { ApprovalStore } from './approval-ports.js';

interface AwaitDryRunDeps extends ViewDeps {
  readonly approvals: Pick<ApprovalStore, 'get'>;
  readonly authority: ApprovalAuthority;
  /** How long a person waits for the remediation worker's answer, in milliseconds. */
  readonly maxDryRunMs: number;
}

/** How often a waiting review reads its record. */
const readEveryMs = 250;

/**
 * Waits for the remediation worker's answer in the signed record. While Redis is away it goes on; when no
 * answer came in time, the review says so.
 */
export function createAwaitDryRun(deps: AwaitDryRunDeps): AwaitDryRun {
  return async (review, by) => {
    const { maxDryRunMs } = deps;
    const late = AbortSignal.timeout(maxDryRunMs);
    const unanswered: Review = {
      ...review,
      dryRun: { type: 'unanswered', seconds: Math.round(maxDryRunMs / 1_000) },
    };
    const expired = new Promise<Review>((resolve) => {
      late.addEventListener('abort', () => resolve(unanswered), { once: true });
    });
    return Promise.race([expired, untilAnswered(deps, review, by, late)]).then(
      (outcome) => outcome ?? unanswered,
    );
  };
}

async function untilAnswered(
  deps: AwaitDryRunDeps,
  review: Review,
  by: string,
  late: AbortSignal,
): Promise<Review | Refused | undefined> {
  while (!late.aborted) {
    const answered = await answerOf(deps, review, by).catch((error: unknown) => {
      if (error instanceof DoctorError && error.code === 'redis-unavailable') return undefined;
      throw error;
    });
    if (answered !== undefined) return answered;
    await setTimeout(readEveryMs);
  }
  return undefined;
}

/** The review with the answer to its request, or with a later one; `undefined` while there is none. */
async function answerOf(
  deps: AwaitDryRunDeps,
  review: Review,
  by: string,
): Promise<Review | Refused | undefined> {
  if (review.dryRun.type !== 'asked') return review;
  const { id } = review.approval;
  const stored = await deps.approvals.get(id);
  if (stored === undefined) return { type: 'refused', because: notice('approval-unknown', { id }) };
  const approval = deps.authority.authenticate(id, stored);
  if (isDistrusted(approval)) {
    const { because } = approval;
    return { type: 'refused', because: notice('approval-distrusted', { id, because }) };
  }
  const { dryRun, state, decisions } = approval;
  if (dryRun === undefined || dryRun.ask < review.dryRun.ask) {
    if (state === 'open') return undefined;
    const decided = { by: decisions.at(-1)?.by, secondsAgo: undefined, state };
    return { type: 'refused', because: notice('already-decided', decided) };
  }
  // What this person may see is asked again: the answer may name other objects.
  const incident = await incidentFor(deps, approval.incidentId, by);
  if (incident === undefined) return { type: 'refused', because: notice('approval-unknown', { id }) };
  const visible = visibleApproval(approval, incident, await deps.sights.ofPerson(by));
  return { ...review, approval: visible, dryRun: visible.dryRun ?? dryRun };
}
