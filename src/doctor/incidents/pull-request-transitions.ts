import type { GitPlace } from '../git-edits/git-target.js';
import type { Approval } from './approval.js';
import { approversOf, reasonsOf } from './approval-transitions.js';
import { originFields, originOf } from './change-origin.js';
import type { Incident } from './incident.js';
import { beforeFixOf } from './incident-transitions.js';
import type { PullRequest } from './pull-request.js';

/** While one is under way, no other one of the incident is opened. */
export function isPullRequestUnderWay({ pullRequest }: Pick<Incident, 'pullRequest'>): boolean {
  const state = pullRequest?.state;
  return state === 'opening' || state === 'open' || state === 'merged';
}

/** Whether the pull request of this approval is, or was, the incident's. */
export function hasPullRequest({ pullRequest }: Pick<Incident, 'pullRequest'>, approvalId: string): boolean {
  return pullRequest?.approvalId === approvalId;
}

/** The approved pull request becomes the incident's; the incident itself stays as diagnosed. */
export function pullRequestStarted(incident: Incident, approval: Approval, at: string): Incident | undefined {
  const target = gitPlaceOf(approval);
  const isOther = isPullRequestUnderWay(incident) || hasPullRequest(incident, approval.id);
  if (target === undefined || isOther || incident.look !== approval.look) return undefined;
  if (incident.successor !== undefined) return undefined;
  const isAwaiting = incident.phase === 'awaiting';
  if (!isAwaiting && incident.phase !== 'diagnosed' && incident.phase !== 'settled') return undefined;
  return {
    ...incident,
    version: incident.version + 1,
    updatedAt: at,
    ...(isAwaiting
      ? { phase: incident.change?.verdict === undefined ? 'diagnosed' : 'settled', approvalId: undefined }
      : {}),
    ...beforeFixOf(incident, approval),
    pullRequest: {
      approvalId: approval.id,
      ...originFields(originOf(approval)),
      remediationId: approval.remediation.id,
      title: approval.remediation.title,
      ...(approval.undoes ? { undoes: true } : {}),
      ...(approval.plan.undo !== undefined && !approval.undoes ? { hasUndo: true } : {}),
      changes: approval.plan.changes,
      target,
      state: 'opening',
      approvedBy: [...approversOf(approval)],
      reasons: reasonsOf(approval),
      approvedAt: at,
    },
  };
}

/** What became of it; `undefined` where the record says so already, or is about another one. */
export function pullRequestMoved(
  incident: Incident,
  approvalId: string,
  moved: Partial<
    Pick<PullRequest, 'state' | 'number' | 'url' | 'hindrance' | 'openedAt' | 'mergedAt' | 'failure'>
  >,
  at: string,
): Incident | undefined {
  const { pullRequest } = incident;
  if (pullRequest === undefined || pullRequest.approvalId !== approvalId) return undefined;
  const next = { ...pullRequest, ...moved };
  if (JSON.stringify(next) === JSON.stringify(pullRequest)) return undefined;
  return { ...incident, version: incident.version + 1, updatedAt: at, pullRequest: next };
}

/**
 * Where an approval changes Git: the source in which its dry run found the workload, before it the first one.
 */
export function gitPlaceOf({
  gitTarget,
  dryRun,
}: Pick<Approval, 'gitTarget' | 'dryRun'>): GitPlace | undefined {
  if (gitTarget === undefined) return undefined;
  const place = dryRun?.type === 'accepted' ? dryRun.edit?.place : undefined;
  return place ?? gitTarget;
}
