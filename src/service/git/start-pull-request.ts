import type { Approval } from '../../doctor/incidents/approval.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { hasPullRequest, pullRequestStarted } from '../../doctor/incidents/pull-request-transitions.js';
import type { StartChangeDeps } from '../change/start-change.js';
import { claimIncident } from '../change/start-change.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';

/**
 * Gives an approved pull request its incident and queues it. Only for an approval whose seal was checked.
 * When another one is under way, this approval is superseded. Calling it again only queues again, which adds
 * nothing.
 */
export async function startPullRequest(
  deps: StartChangeDeps,
  approval: Approval,
): Promise<Incident | undefined> {
  const incident = await claimIncident(deps, approval, {
    started: pullRequestStarted,
    holds: (of, { id }) => hasPullRequest(of, id),
  });
  if (incident === undefined) return undefined;
  await deps.jobs.enqueue('pull-request', { v: 1, incidentId: incident.id, approvalId: approval.id });
  await enqueueCard(deps.jobs, incident);
  return incident;
}
