import type { AuthenticApproval, VerifiedApproval } from '../../doctor/incidents/approval.js';
import { isDryRunAccepted } from '../../doctor/incidents/approval.js';
import { isDecided } from '../../doctor/incidents/approval-transitions.js';
import type { Statement } from '../../engine/language/statement.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import { DoctorError } from '../errors.js';
import { notice } from '../notices/notices.js';
import type { SharedClock } from '../records/process-ports.js';
import type { Distrusted } from './approval-authority.js';
import { findValidApprovers, type ValidApprovers, type ValidApproversDeps } from './valid-approvers.js';

interface VerifyApprovalDeps extends ValidApproversDeps {
  readonly sharedClock: SharedClock;
}

type Verification =
  | { readonly type: 'verified'; readonly approval: VerifiedApproval }
  /** It may not be carried out; `because` is for people. */
  | { readonly type: 'refused'; readonly because: Statement; readonly expired: boolean }
  /** Slack could not be asked; the approval has not expired yet. */
  | { readonly type: 'later'; readonly afterMs: number }
  /** Its signed decisions approve nothing, whatever its state says. */
  | Distrusted;

export type VerifyApproval = (approval: AuthenticApproval) => Promise<Verification>;

const askAgainMs = 5_000;

/**
 * Verifies an authentic approval right before its change: nobody rejected it, the API server accepted its
 * plan in a dry run that a remediation worker signed, as many people as the policy asks for today gave it and
 * may give it today, and it has not expired.
 */
export function createVerifyApproval({
  authority,
  mayApprove,
  sharedClock,
}: VerifyApprovalDeps): VerifyApproval {
  return async (approval) => {
    if (!isDecided(approval)) return { type: 'distrusted', because: 'decisions' };
    const workload = nameOf(approval);
    if (!isDryRunAccepted(approval)) return refused(notice('dry-run-missing', { workload }), false);
    const found = await askSlack(() => findValidApprovers({ authority, mayApprove }, approval));
    const leftMs = Date.parse(approval.expiresAt) - (await sharedClock.now()).getTime();
    const hasExpired = !(leftMs > 0);
    if (found.type === 'unknown') {
      if (!hasExpired) return { type: 'later', afterMs: Math.min(found.retryAfterMs ?? askAgainMs, leftMs) };
      return refused(notice('approvers-unknown', { workload }), true);
    }
    if (hasExpired) return refused(notice('approval-expired', { minutes: minutesOf(approval) }), true);
    const { valid, lost, needs } = found.approvers;
    if (valid.length < needs) {
      const missing = needs - valid.length;
      return refused(notice('approvers-missing', { workload, lost, missing }), false);
    }
    return { type: 'verified', approval: approval as VerifiedApproval };
  };
}

/** How long the review counted. */
export function minutesOf({
  createdAt,
  expiresAt,
}: Pick<AuthenticApproval, 'createdAt' | 'expiresAt'>): number {
  return Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000);
}

function refused(because: Statement, expired: boolean): Verification {
  return { type: 'refused', because, expired };
}

const slackCodes: ReadonlySet<string> = new Set(['slack-unavailable', 'slack-throttled', 'slack-refused']);

async function askSlack(
  ask: () => Promise<ValidApprovers>,
): Promise<
  | { readonly type: 'known'; readonly approvers: ValidApprovers }
  | { readonly type: 'unknown'; readonly retryAfterMs: number | undefined }
> {
  try {
    return { type: 'known', approvers: await ask() };
  } catch (error) {
    if (!(error instanceof DoctorError) || !slackCodes.has(error.code)) throw error;
    return { type: 'unknown', retryAfterMs: error.retryAfterMs };
  }
}
