import { type ApprovalState, finalApprovalStates } from '../../doctor/incidents/approval.js';
import type { ApprovalStore } from '../../service/approve/approval-ports.js';
import type { Counters } from '../../service/records/process-ports.js';

const ends: ReadonlySet<ApprovalState> = new Set(finalApprovalStates);

/**
 * The store, which counts each approval once when it ends: of writers that race, compare-and-set lets one
 * through.
 */
export function countedApprovals(store: ApprovalStore, counters: Counters): ApprovalStore {
  return {
    ...store,
    async replace(next, decision) {
      const stored = await store.replace(next, decision);
      if (!('type' in stored) && ends.has(stored.state)) counters.approvalEnded(stored.state);
      return stored;
    },
  };
}
