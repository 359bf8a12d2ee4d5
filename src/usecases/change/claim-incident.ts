import type { Approval } from '../../core/incident/approval.js';
import { movedTo } from '../../core/incident/approval-transitions.js';
import type { Incident } from '../../core/incident/incident.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import { approvalEntry } from '../records/audit-entries.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { Clock } from '../records/process-ports.js';
import { updateIncident } from '../records/update-incident.js';

export interface ClaimIncidentDeps {
  readonly approvals: ApprovalStore;
  readonly incidents: IncidentStore;
  readonly clock: Clock;
}

export interface Claim {
  /** The incident with the approved change; `undefined` where it has no place for it. */
  readonly started: (incident: Incident, approval: Approval, at: string) => Incident | undefined;
  readonly holds: (incident: Incident, approval: Approval) => boolean;
}

/**
 * Gives an approved change its incident. When another change has it, this approval is superseded. Calling it
 * again for the approval that has the incident only returns the incident.
 */
export async function claimIncident(
  { approvals, incidents, clock }: ClaimIncidentDeps,
  approval: Approval,
  { started, holds }: Claim,
): Promise<Incident | undefined> {
  const now = clock.now();
  const at = now.toISOString();
  const stored = await updateIncident(incidents, approval.incidentId, (incident) =>
    started(incident, approval, at),
  );
  const incident = stored ?? (await incidents.get(approval.incidentId));
  if (incident !== undefined && holds(incident, approval)) return incident;
  const current = await approvals.get(approval.id);
  if (current?.state === 'approved') {
    await approvals.replace(
      movedTo(current, 'superseded'),
      approvalEntry(current, 'superseded', { at: now }),
    );
  }
  return undefined;
}
