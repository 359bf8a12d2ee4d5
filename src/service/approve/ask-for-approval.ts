import type { Remediation } from '../../doctor/fixes/remediation.js';
import { maxApprovalRequests } from '../../doctor/incidents/approval.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { approvalRequested } from '../../doctor/incidents/incident-approvals.js';
import { isChanging } from '../../doctor/incidents/incident-transitions.js';
import { enqueueEntry } from '../deliver/delivery-jobs.js';
import { type DiagnoseAgainDeps, incidentFor, nameOf, type ViewDeps } from '../diagnose/diagnose-again.js';
import { refuse } from '../notices/notices.js';
import type { AskForApproval } from '../people/conversation.js';
import type { PeopleDirectory } from '../people/people-ports.js';
import { incidentEntry } from '../records/audit-entries.js';
import { updateIncident } from '../records/incident-store.js';
import type { AuditLog } from '../records/process-ports.js';
import type { MayApprove } from './may-approve.js';

interface AskForApprovalDeps extends DiagnoseAgainDeps, Pick<ViewDeps, 'sights'> {
  readonly audit: AuditLog;
  readonly mayApprove: MayApprove;
  readonly people: Pick<PeopleDirectory, 'groupIds'>;
}

/**
 * Mentions in the incident's thread the people who may approve a fix, once for each fix. A person who may
 * view the workload and may not approve its changes can ask. Each later request queues the same message
 * again, because a process may have died between record and queue. The delivery posts the message once.
 */
export function createAskForApproval(deps: AskForApprovalDeps): AskForApproval {
  return async ({ incidentId, remediationId, by }) => {
    const incident = await incidentFor(deps, incidentId, by);
    if (incident === undefined) return refuse('incident-unknown', { id: incidentId });
    const workload = nameOf(incident);
    if (isChanging(incident)) {
      return refuse('change-under-way', { workload, by: incident.change?.approvedBy ?? [] });
    }
    const undoes = remediationId === 'undo';
    const remediation = undoes ? incident.change?.remediation : shownRemediation(incident, remediationId);
    if (remediation === undefined) return refuse('remediation-unknown', { id: remediationId });
    const allowed = await deps.mayApprove(incident, by, undoes ? 'undo' : remediation.kind);
    if (allowed.type === 'allowed') return refuse('may-approve', { workload });
    if (allowed.approvers === undefined) return allowed;
    const { users, groups } = allowed.approvers;
    if (users.length + groups.length === 0) return allowed;

    const at = deps.clock.now().toISOString();
    const ids = await deps.people.groupIds(groups);
    const request = {
      remediationId,
      title: remediation.title,
      undoes,
      by,
      at,
      users,
      groups: groups.map((name) => ({ name, ...(ids.has(name) ? { id: ids.get(name) } : {}) })),
    };
    const stored = await updateIncident(deps.incidents, incident, (current) =>
      approvalRequested(current, request),
    );
    const known = stored ?? (await deps.incidents.get(incidentId));
    const position = (known?.approvalRequests ?? []).findIndex(
      (each) => each.remediationId === remediationId,
    );
    if (position < 0) return refuse('approval-requests-full', { workload, max: maxApprovalRequests });
    await enqueueEntry(deps.jobs, incidentId, { kind: 'asked', of: String(position) });
    if (stored === undefined) {
      return refuse('approval-requested', { by: known?.approvalRequests?.[position]?.by ?? by });
    }
    const details = { remediationId, users, groups };
    await deps.audit.append(incidentEntry(incident, 'approval-requested', { at, by, details }));
    return { type: 'asked', users, groups };
  };
}

/**
 * The remediation of this id that the incident's diagnosis offers, or that a person asked for and it
 * forecast.
 */
export function shownRemediation(
  { requested, diagnosis }: Incident,
  remediationId: string,
): Remediation | undefined {
  if (diagnosis === undefined) return undefined;
  const forecast = requested === undefined ? undefined : diagnosis.requested;
  return [
    ...diagnosis.findings.flatMap(({ remediations }) => remediations),
    ...(forecast?.type === 'possible' ? [forecast.remediation] : []),
  ].find(({ id }) => id === remediationId);
}
