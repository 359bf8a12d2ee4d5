import type { Approval, ApprovalState, Decision } from './approval.js';
import { isDryRunAccepted } from './approval.js';
import type { GivenReason } from './change-origin.js';

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
  /** The API server has not accepted the plan in a dry run. */
  | { readonly type: 'uncounted'; readonly because: 'dry-run' }
  | { readonly type: 'uncounted'; readonly because: 'own-request' }
  | { readonly type: 'uncounted'; readonly because: 'same-person' };

export interface CountingRules {
  readonly notRequester: boolean;
  /** Epoch milliseconds, by the clock that all processes share. */
  readonly now: number;
  /** People the policy asks for now; the approval's own number holds where it is higher. */
  readonly needs?: number;
  /** People who approved earlier and may not approve any more. */
  readonly lost?: ReadonlySet<string>;
  /**
   * Ids in the record that are of the deciding person, who may have several; the id of the decision always
   * counts.
   */
  readonly own?: ReadonlySet<string>;
}

/**
 * Counts one person's decision. Distinct people count, not clicks; approvals of people who lost the right are
 * dropped; a rejection closes the approval at once.
 */
export function decided(
  approval: Approval,
  decision: Decision,
  { notRequester, now, needs: asked = 1, lost = new Set(), own = new Set() }: CountingRules,
): Approval | Uncounted {
  if (approval.state !== 'open') {
    const last = approval.decisions.at(-1);
    return { type: 'uncounted', because: 'already', state: approval.state, by: last?.by, at: last?.at };
  }
  if (isExpired(approval, now)) return { type: 'uncounted', because: 'expired' };
  const kept = approval.decisions.filter(({ by }) => !lost.has(by));
  const isOwn = (id: string) => id === decision.by || own.has(id);
  if (decision.decision === 'approve') {
    if (!isDryRunAccepted(approval)) return { type: 'uncounted', because: 'dry-run' };
    if (notRequester && approval.initiators.some(isOwn)) return { type: 'uncounted', because: 'own-request' };
    if (kept.some(({ by }) => isOwn(by))) return { type: 'uncounted', because: 'same-person' };
  }
  const decisions = [...kept, decision];
  const needs = Math.max(approval.needs, asked);
  const state: ApprovalState =
    decision.decision === 'reject'
      ? 'rejected'
      : approversOf({ decisions }).length >= needs
        ? 'approved'
        : 'open';
  return { ...approval, version: approval.version + 1, state, needs, decisions };
}

/** People who approved, each once. */
export function approversOf({ decisions }: Pick<Approval, 'decisions'>): readonly string[] {
  return [...new Set(decisions.filter(({ decision }) => decision === 'approve').map(({ by }) => by))];
}

/** The reasons that approvers gave. */
export function reasonsOf({ decisions }: Pick<Approval, 'decisions'>): readonly GivenReason[] {
  return decisions.flatMap(({ decision, by, reason }) =>
    decision === 'approve' && reason.trim() !== '' ? [{ by, reason }] : [],
  );
}

/** Ids of everybody whom the record names as asking or deciding. */
export function peopleIn({
  decisions,
  initiators,
}: Pick<Approval, 'decisions' | 'initiators'>): readonly string[] {
  return [...initiators, ...decisions.map(({ by }) => by)];
}

/** @param now epoch milliseconds */
export function isExpired(approval: Approval, now: number): boolean {
  return approval.state === 'open' && isPastExpiry(approval, now);
}

/**
 * Whether the approval may no longer be acted on, whatever its state. A date that cannot be read counts as
 * past.
 *
 * @param now epoch milliseconds
 */
export function isPastExpiry({ expiresAt }: Pick<Approval, 'expiresAt'>, now: number): boolean {
  return !(now < Date.parse(expiresAt));
}

/** Moves the approval on; the caller stores it by compare-and-set. */
export function movedTo(approval: Approval, state: ApprovalState): Approval {
  return { ...approval, version: approval.version + 1, state };
}

/** Whether its decisions approve it: as many people as it needs, and nobody rejected it. */
export function isDecided(approval: Approval): boolean {
  return (
    missingApprovers(approval) === 0 && approval.decisions.every(({ decision }) => decision === 'approve')
  );
}

/** People still missing before the plan may run. */
export function missingApprovers(approval: Approval): number {
  return Math.max(0, approval.needs - approversOf(approval).length);
}

/** Whether the first step of its plan is made and the second one is neither done nor given up. */
export function awaitsSecondStep({ plan, state, applied, secondStep }: Approval): boolean {
  return (
    plan.afterwards !== undefined &&
    state === 'running' &&
    applied !== undefined &&
    secondStep?.type !== 'ended'
  );
}
