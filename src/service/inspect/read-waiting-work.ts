import type { Severity } from '../../doctor/findings/cause-id.js';
import { isExpired } from '../../doctor/incidents/approval-transitions.js';
import { countSeverities, openFirst } from '../../doctor/incidents/open-first.js';
import { fullSight } from '../../doctor/policy/view.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import { ignoreMalformed } from '../errors.js';
import { knownIncidents } from '../people/list-incidents.js';
import type { IncidentStore } from '../records/incident-store.js';
import type { Clock } from '../records/process-ports.js';

/** How much waits for people, over all clusters. */
interface WaitingWork {
  /** Incidents that need somebody. */
  readonly incidents: Readonly<Record<Severity, number>>;
  /** Changes that somebody approved and that need more people, of at most `maxApprovals`. */
  readonly approvals: number;
  /** Epoch milliseconds of the review that opened the oldest of them. */
  readonly oldestApprovalAt: number | undefined;
}

export type ReadWaitingWork = () => Promise<WaitingWork>;

interface ReadWaitingWorkDeps {
  readonly incidents: Pick<IncidentStore, 'get' | 'recent' | 'unsettled'>;
  readonly approvals: Pick<ApprovalStore, 'get'>;
  readonly clock: Clock;
}

const maxApprovals = 100;

/** Counts only: no name of a workload or a person is part of it, so that it needs no sight. */
export function createReadWaitingWork({ incidents, approvals, clock }: ReadWaitingWorkDeps): ReadWaitingWork {
  return async () => {
    const { open } = openFirst(await knownIncidents({ incidents }, fullSight));
    const awaiting = open.filter(({ phase }) => phase === 'awaiting').slice(0, maxApprovals);
    const now = clock.now().getTime();
    const opened: number[] = [];
    for (const { approvalId } of awaiting) {
      const approval =
        approvalId === undefined ? undefined : await approvals.get(approvalId).catch(ignoreMalformed);
      if (approval?.state !== 'open' || isExpired(approval, now)) continue;
      opened.push(Date.parse(approval.createdAt));
    }
    return {
      incidents: countSeverities(open),
      approvals: opened.length,
      oldestApprovalAt: opened.length === 0 ? undefined : Math.min(...opened),
    };
  };
}
