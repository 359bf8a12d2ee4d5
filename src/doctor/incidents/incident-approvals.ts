import type { Statement } from '../../engine/language/statement.js';
import type { Approval } from './approval.js';
import { type ApprovalRequest, maxApprovalRequests } from './approval.js';
import type { Incident } from './incident.js';
import { changeFailed, changeOf, mayChange, next } from './incident-transitions.js';

/** Somebody approved and more people are needed. */
export function awaitingMore(incident: Incident, approval: Approval, at: string): Incident | undefined {
  if (incident.look !== approval.look || !mayChange(incident)) return undefined;
  return next(incident, at, { phase: 'awaiting', approvalId: approval.id });
}

/** The approval that people waited on is rejected, expired or superseded. */
export function approvalClosed(incident: Incident, approvalId: string, at: string): Incident | undefined {
  if (incident.phase !== 'awaiting' || incident.approvalId !== approvalId) return undefined;
  return next(incident, at, {
    phase: incident.change?.verdict === undefined ? 'diagnosed' : 'settled',
    approvalId: undefined,
  });
}

/** Somebody asked others to approve a fix; `undefined` when that was asked before, or too often. */
export function approvalRequested(incident: Incident, request: ApprovalRequest): Incident | undefined {
  const { approvalRequests = [] } = incident;
  const isKnown = approvalRequests.some(({ remediationId }) => remediationId === request.remediationId);
  if (isKnown || approvalRequests.length >= maxApprovalRequests) return undefined;
  return next(incident, request.at, { approvalRequests: [...approvalRequests, request] });
}

/**
 * The record of this approval is gone: whether its change was made is unknown where one was under way, and
 * the decisions of the people who approved so far are gone with it.
 */
export function approvalLost(
  incident: Incident,
  approvalId: string,
  because: Statement,
  at: string,
): Incident | undefined {
  if (incident.phase === 'applying') return changeFailed(incident, approvalId, because, at);
  const closed = approvalClosed(incident, approvalId, at);
  return closed && { ...closed, distrusted: { approvalId, at, because, isLost: true } };
}

/**
 * A record that claims to be an approval of this incident did not pass verification. What it claimed of a
 * change under way leaves the incident, so that the card names nobody who approved nothing.
 */
export function approvalDistrusted(
  incident: Incident,
  approvalId: string,
  because: Statement,
  at: string,
): Incident {
  const distrusted = { approvalId, at, because };
  if (changeOf(incident, approvalId) === undefined || incident.phase !== 'applying') {
    const closed = incident.phase === 'awaiting' && incident.approvalId === approvalId;
    return next(incident, at, {
      distrusted,
      ...(closed ? { phase: 'diagnosed', approvalId: undefined } : {}),
    });
  }
  return next(incident, at, {
    phase: incident.diagnosis === undefined ? 'failed' : 'diagnosed',
    approvalId: undefined,
    change: undefined,
    distrusted,
  });
}
