import { isExpired, movedTo } from '../core/incident/approval-transitions.js';
import { approvalClosed } from '../core/incident/incident-transitions.js';
import { cardKey } from './deliver.js';
import type { DeliveryStore } from './incident-thread.js';
import type { ApprovalStore, Clock, IncidentStore, JobQueue } from './ports.js';
import { rewrite } from './rewrite.js';
import { startChange } from './start-change.js';

export interface SweepDeps {
  readonly approvals: ApprovalStore;
  readonly clock: Clock;
  readonly deliveries: DeliveryStore;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
}

/**
 * Picks up what a process that died left between a record and its job: every unsettled incident gets the job of its
 * phase again. Deterministic job ids make that harmless where the job is still there.
 *
 * @returns how many incidents and approvals were touched
 */
export function createSweep(deps: SweepDeps) {
  const { approvals, clock, incidents, jobs } = deps;
  return async (): Promise<number> => {
    let touched = 0;
    for (const id of await approvals.underway()) {
      const approval = await approvals.get(id);
      if (approval?.state !== 'approved' && approval?.state !== 'running') continue;
      touched += 1;
      if (approval.state === 'approved') await startChange({ approvals, clock, incidents, jobs }, approval);
      else await jobs.enqueue('remediation', { v: 1, incidentId: approval.incidentId, approvalId: id });
    }
    for (const id of await incidents.unsettled()) {
      const incident = await incidents.get(id);
      if (incident === undefined) continue;
      touched += 1;
      if (incident.phase === 'diagnosing') {
        await jobs.enqueue('diagnosis', { v: 1, incidentId: id, look: incident.look });
      }
      if (incident.phase === 'verifying' && incident.change !== undefined) {
        await jobs.enqueue('verification', { v: 1, incidentId: id, approvalId: incident.change.approvalId });
      }
      if (incident.phase === 'awaiting' && incident.approvalId !== undefined) {
        const approval = await approvals.get(incident.approvalId);
        if (approval !== undefined && isExpired(approval, clock.now().getTime())) {
          await approvals.replace(movedTo(approval, 'expired'));
          const at = clock.now().toISOString();
          await rewrite(incidents, id, (current) => approvalClosed(current, approval.id, at));
        }
      }
    }
    await sweepCards(deps);
    return touched;
  };
}

const recentMs = 3_600_000;
const recentMax = 200;

/** Cards that show an older version than the record has: the job that would have brought them up was lost. */
async function sweepCards({ clock, deliveries, incidents, jobs }: SweepDeps): Promise<void> {
  const since = clock.now().getTime() - recentMs;
  for (const incident of await incidents.recent(recentMax)) {
    if (Date.parse(incident.updatedAt) < since) continue;
    const { id, version, look, diagnosis, change } = incident;
    const shown = await deliveries.get(cardKey(id));
    if (shown?.refused !== undefined || (shown?.version ?? 0) >= version) continue;
    await jobs.enqueue('delivery', { v: 1, kind: 'card', incidentId: id, version });
    if (diagnosis !== undefined && incident.phase === 'diagnosed') {
      await jobs.enqueue('delivery', {
        v: 1,
        kind: 'thread',
        incidentId: id,
        entry: { kind: 'reasoning', of: String(look) },
      });
    }
    if (change?.verdict !== undefined) {
      await jobs.enqueue('delivery', {
        v: 1,
        kind: 'thread',
        incidentId: id,
        entry: { kind: 'verdict', of: change.approvalId },
      });
    }
  }
}
