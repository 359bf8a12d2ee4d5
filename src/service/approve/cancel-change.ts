import type { Approval, SecondStepEnd } from '../../doctor/incidents/approval.js';
import { awaitsSecondStep, movedTo } from '../../doctor/incidents/approval-transitions.js';
import { changeFailed } from '../../doctor/incidents/incident-transitions.js';
import { show } from '../change/report-change.js';
import { incidentFor, nameOf, type ViewDeps } from '../diagnose/diagnose-again.js';
import { notice, refuse } from '../notices/notices.js';
import type { Refused } from '../people/conversation.js';
import { approvalEntry } from '../records/audit-entries.js';
import type { IncidentStore } from '../records/incident-store.js';
import { updateIncident } from '../records/incident-store.js';
import type { Clock, JobQueue } from '../records/process-ports.js';
import { type ApprovalAuthority, isDistrusted } from './approval-authority.js';
import type { ApprovalStore } from './approval-ports.js';
import type { MayApprove } from './may-approve.js';

interface CancelChangeDeps extends Pick<ViewDeps, 'sights'> {
  readonly approvals: ApprovalStore;
  readonly authority: ApprovalAuthority;
  readonly clock: Clock;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly mayApprove: MayApprove;
}

export type CancelChange = (request: {
  readonly approvalId: string;
  readonly by: string;
}) => Promise<{ readonly type: 'cancelled'; readonly approval: Approval } | Refused>;

/**
 * Cancels an approved change that no worker has started, or its second step that no worker has started. The
 * record of the approval decides: of a worker and a person at the same moment one wins, and both then know
 * it.
 */
export function createCancelChange(deps: CancelChangeDeps): CancelChange {
  return async ({ approvalId, by }) => {
    const approval = await deps.approvals.get(approvalId);
    const seen = approval && (await incidentFor(deps, approval.incidentId, by));
    if (approval === undefined || seen === undefined) {
      return refuse('approval-unknown', { id: approvalId });
    }
    const hasDecided = approval.decisions.some((each) => each.by === by);
    if (!hasDecided) {
      const action = approval.undoes ? 'undo' : approval.remediation.kind;
      const allowed = await deps.mayApprove(approval, by, action);
      if (allowed.type === 'refused') return allowed;
    }
    const workload = nameOf(approval);
    const now = deps.clock.now();
    if (approval.state === 'running') return cancelSecondStep(deps, approval, by, now);
    if (approval.state !== 'approved') return refuse('too-late-to-cancel', { workload });
    const stored = await deps.approvals.replace(
      movedTo(approval, 'cancelled'),
      approvalEntry(approval, 'cancelled', { at: now, by }),
    );
    if ('type' in stored) return refuse('too-late-to-cancel', { workload });
    const { incidentId } = approval;
    const incident = await updateIncident(deps.incidents, incidentId, (current) =>
      changeFailed(current, approvalId, notice('change-cancelled', { by }), now.toISOString()),
    );
    if (incident !== undefined) await show(deps, incident, { kind: 'refused', of: approvalId });
    return { type: 'cancelled', approval: stored };
  };
}

/**
 * Only a record that passes verification is signed anew. The worker then begins the verification of the first
 * step.
 */
async function cancelSecondStep(
  { approvals, authority, jobs }: CancelChangeDeps,
  running: Approval,
  by: string,
  now: Date,
): Promise<{ readonly type: 'cancelled'; readonly approval: Approval } | Refused> {
  const workload = nameOf(running);
  const approval = authority.authenticate(running.id, running);
  if (isDistrusted(approval) || !awaitsSecondStep(approval) || approval.secondStep !== undefined) {
    return refuse('too-late-to-cancel', { workload });
  }
  const pods = approval.plan.afterwards?.pods.map(({ name }) => name) ?? [];
  const because = notice('second-step-cancelled', { by, pods });
  const at = now.toISOString();
  const secondStep: SecondStepEnd = { type: 'ended', at, deleted: [], skipped: [], because };
  const stored = await approvals.replace(
    authority.seal({ ...movedTo(approval, 'done'), secondStep }),
    approvalEntry(approval, 'second-step-ended', { at: now, by, details: { because: 'cancelled' } }),
  );
  if ('type' in stored) return refuse('too-late-to-cancel', { workload });
  const { id, incidentId } = approval;
  await jobs.enqueue('remediation', { v: 1, incidentId, approvalId: id }, { again: true });
  return { type: 'cancelled', approval: stored };
}
