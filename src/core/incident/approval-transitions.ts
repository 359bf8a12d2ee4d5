import type { Approval, ApprovalState, Decision } from './approval.js';

/** Why a decision does not count. */
export type Uncounted =
  | { readonly type: 'uncounted'; readonly because: 'expired' }
  | {
      readonly type: 'uncounted';
      readonly because: 'already';
      readonly state: ApprovalState;
      readonly by: string | undefined;
      readonly at: string | undefined;
    }
  | { readonly type: 'uncounted'; readonly because: 'own-request' }
  | { readonly type: 'uncounted'; readonly because: 'same-person' };

/**
 * Counts one person's decision. Distinct people count, not clicks; a rejection closes the approval at once.
 *
 * @param now epoch milliseconds
 */
export function decided(
  approval: Approval,
  decision: Decision,
  rules: { readonly notRequester: boolean; readonly now: number },
): Approval | Uncounted {
  if (approval.state !== 'open') {
    const last = approval.decisions.at(-1);
    return { type: 'uncounted', because: 'already', state: approval.state, by: last?.by, at: last?.at };
  }
  if (isExpired(approval, rules.now)) return { type: 'uncounted', because: 'expired' };
  if (decision.decision === 'approve') {
    if (rules.notRequester && approval.requester === decision.by)
      return { type: 'uncounted', because: 'own-request' };
    if (approval.decisions.some(({ by }) => by === decision.by))
      return { type: 'uncounted', because: 'same-person' };
  }
  const decisions = [...approval.decisions, decision];
  const approvals = new Set(decisions.filter((each) => each.decision === 'approve').map(({ by }) => by));
  const state: ApprovalState =
    decision.decision === 'reject' ? 'rejected' : approvals.size >= approval.needs ? 'approved' : 'open';
  return { ...approval, version: approval.version + 1, state, decisions };
}

/** @param now epoch milliseconds */
export function isExpired(approval: Approval, now: number): boolean {
  return approval.state === 'open' && now >= Date.parse(approval.expiresAt);
}

/** Moves the approval on; the caller stores it by compare-and-set. */
export function movedTo(approval: Approval, state: ApprovalState): Approval {
  return { ...approval, version: approval.version + 1, state };
}

/** People still missing before the plan may run. */
export function missingApprovers(approval: Approval): number {
  const approvals = new Set(
    approval.decisions.filter(({ decision }) => decision === 'approve').map(({ by }) => by),
  );
  return Math.max(0, approval.needs - approvals.size);
}
