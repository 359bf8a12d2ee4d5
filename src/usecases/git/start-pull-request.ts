import type { Approval } from '../../core/incident/approval.js';
import { movedTo } from '../../core/incident/approval-transitions.js';
import type { Incident } from '../../core/incident/incident.js';
import { hasPullRequest, pullRequestStarted } from '../../core/incident/pull-request-transitions.js';
import type { StartChangeDeps } from '../change/start-change.js';
import { enqueueCard } from '../deliver/delivery-jobs.js';
import { approvalEntry } from '../records/audit-entries.js';
import { updateIncident } from '../records/update-incident.js';

/**
 * Gives an approved pull request its incident and queues it. Only for an approval whose seal was checked. When another
 * one is under way, this approval is superseded. Calling it again only queues again, which adds nothing.
 */
export async function startPullRequest(
  { approvals, incidents, jobs, clock }: StartChangeDeps,
  approval: Approval,
): Promise<Incident | undefined> {
  const now = clock.now();
  const at = now.toISOString();
  const stored = await updateIncident(incidents, approval.incidentId, (incident) =>
    pullRequestStarted(incident, approval, at),
  );
  const incident = stored ?? (await incidents.get(approval.incidentId));
  if (incident === undefined || !hasPullRequest(incident, approval.id)) {
    const current = await approvals.get(approval.id);
    if (current?.state === 'approved') {
      await approvals.replace(
        movedTo(current, 'superseded'),
        approvalEntry(current, 'superseded', { at: now }),
      );
    }
    return undefined;
  }
  await jobs.enqueue('pull-request', { v: 1, incidentId: incident.id, approvalId: approval.id });
  await enqueueCard(jobs, incident);
  return incident;
}
