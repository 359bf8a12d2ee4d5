import type { Approval } from '../core/incident/approval.js';
import { movedTo } from '../core/incident/approval-transitions.js';
import { changeFailed } from '../core/incident/incident-transitions.js';
import { approvalEntry } from './approval-entry.js';
import type { Refused } from './conversation.js';
import { incidentFor, nameOf, type ViewDeps } from './look-again.js';
import type { MayApprove } from './may-approve.js';
import { notice } from './notices.js';
import type { ApprovalStore, Clock, IncidentStore, JobQueue } from './ports.js';
import { rewrite } from './rewrite.js';

export interface CancelChangeDeps extends Pick<ViewDeps, 'sights'> {
  readonly approvals: ApprovalStore;
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
 * Cancels an approved change that no worker has started. The state of the approval decides: of a worker and a person
 * at the same moment one wins, and both then know it.
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
    if (approval.state !== 'approved') return refuse('too-late-to-cancel', { workload });
    const now = deps.clock.now();
    const stored = await deps.approvals.replace(
      movedTo(approval, 'cancelled'),
      approvalEntry(approval, 'cancelled', { at: now, by }),
    );
    if ('type' in stored) return refuse('too-late-to-cancel', { workload });
    const { incidentId } = approval;
    const incident = await rewrite(deps.incidents, incidentId, (current) =>
      changeFailed(current, approvalId, notice('change-cancelled', { by }), now.toISOString()),
    );
    if (incident !== undefined) {
      const { version } = incident;
      await deps.jobs.enqueue('delivery', { v: 1, kind: 'card', incidentId, version });
      const entry = { kind: 'refused', of: approvalId } as const;
      await deps.jobs.enqueue('delivery', { v: 1, kind: 'thread', incidentId, entry });
    }
    return { type: 'cancelled', approval: stored };
  };
}

function refuse(...[key, values]: Parameters<typeof notice>): Refused {
  return { type: 'refused', because: notice(key, values) };
}
