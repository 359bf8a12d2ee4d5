import { isHandled } from '../../doctor/alerts/alert-record.js';
import { fairnessKeyOf, fairnessKeyOfAlert } from '../../doctor/alerts/label-names.js';
import { isExpired, movedTo } from '../../doctor/incidents/approval-transitions.js';
import { isUnasked } from '../../doctor/incidents/group-rows.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { approvalClosed } from '../../doctor/incidents/incident-approvals.js';
import type { AlertStore } from '../alerts/alert-ports.js';
import type { ApprovalStore } from '../approve/approval-ports.js';
import { cardKey, enqueueCard, enqueueEntry, enqueueNotes } from '../deliver/delivery-jobs.js';
import type { DeliveryStore } from '../deliver/incident-thread.js';
import { ignoreMalformed } from '../errors.js';
import { approvalEntry } from './audit-entries.js';
import type { IncidentStore } from './incident-store.js';
import { updateIncident } from './incident-store.js';
import type { Clock, JobQueue, SharedClock } from './process-ports.js';

interface SweepDeps {
  readonly alerts: AlertStore;
  readonly approvals: ApprovalStore;
  readonly clock: Clock;
  readonly sharedClock: SharedClock;
  readonly deliveries: DeliveryStore;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
}

/**
 * Picks up what a process that died left between a record and its job: every unsettled incident gets the job
 * of its phase again. Deterministic job ids make that harmless where the job is still there.
 *
 * One record that cannot be read does not keep the others waiting.
 */
export function createSweep(deps: SweepDeps) {
  return async (): Promise<Swept> => {
    const unreadable: string[] = [];
    let touched = 0;
    const tried = async (id: string, sweepOne: () => Promise<boolean>): Promise<void> => {
      try {
        if (await sweepOne()) touched += 1;
      } catch (error) {
        ignoreMalformed(error);
        unreadable.push(id);
      }
    };
    const each = async (ids: readonly string[], sweepOne: SweepOne): Promise<void> => {
      for (const id of ids) await tried(id, () => sweepOne(deps, id));
    };
    await each(await deps.alerts.unhandled(), sweepAlert);
    await each(await deps.approvals.underway(), sweepApproval);
    await each(await deps.incidents.unsettled(), sweepIncident);
    const since = deps.clock.now().getTime() - recentMs;
    for (const incident of await deps.incidents.recent(recentMax)) {
      if (Date.parse(incident.updatedAt) < since) continue;
      await tried(cardKey(incident.id), () => sweepCard(deps, incident));
    }
    return { touched, unreadable };
  };
}

interface Swept {
  /** How many alerts, incidents and approvals were touched. */
  readonly touched: number;
  /** Ids of records that could not be understood. */
  readonly unreadable: readonly string[];
}

type SweepOne = (deps: SweepDeps, id: string) => Promise<boolean>;

const again = { again: true } as const;

/** What an alert caused waits until people's own commands are done, also when it is picked up again. */
const laterAgain = { again: true, urgency: 'alert' } as const;

const sweepAlert: SweepOne = async ({ alerts, jobs }, id) => {
  const record = await alerts.get(id);
  if (record === undefined || isHandled(record)) return false;
  const fairnessKey = fairnessKeyOfAlert(record.alert);
  await jobs.enqueue('alert', { v: 1, alertId: id, signal: record.signals }, { ...laterAgain, fairnessKey });
  return true;
};

/** Only the remediation worker can tell whether the record is an approval: the incident is left to it. */
const sweepApproval: SweepOne = async ({ approvals, jobs }, id) => {
  const approval = await approvals.get(id);
  if (approval?.state !== 'approved' && approval?.state !== 'running') return false;
  const { incidentId, gitTarget } = approval;
  const queue = gitTarget === undefined ? 'remediation' : 'pull-request';
  await jobs.enqueue(queue, { v: 1, incidentId, approvalId: id }, again);
  return true;
};

const sweepIncident: SweepOne = async ({ approvals, clock, sharedClock, incidents, jobs }, id) => {
  const incident = await incidents.get(id);
  if (incident === undefined) return false;
  const { phase, look, change, approvalId } = incident;
  const fairnessKey = fairnessKeyOf(incident.workload);
  if (phase === 'diagnosing') {
    const options = isUnasked(incident) ? laterAgain : again;
    await jobs.enqueue('diagnosis', { v: 1, incidentId: id, look }, { ...options, fairnessKey });
  }
  if (phase === 'applying' && change !== undefined) {
    await jobs.enqueue('remediation', { v: 1, incidentId: id, approvalId: change.approvalId }, again);
  }
  if (phase === 'verifying' && change !== undefined) {
    await jobs.enqueue('verification', { v: 1, incidentId: id, approvalId: change.approvalId }, again);
  }
  if (phase === 'awaiting' && approvalId !== undefined) {
    const approval = await approvals.get(approvalId);
    // The worker that carries approvals out reports one whose record is gone.
    if (approval === undefined)
      await jobs.enqueue('remediation', { v: 1, incidentId: id, approvalId }, again);
    else if (isExpired(approval, (await sharedClock.now()).getTime())) {
      const now = clock.now();
      await approvals.replace(movedTo(approval, 'expired'), approvalEntry(approval, 'expired', { at: now }));
      const at = now.toISOString();
      await updateIncident(incidents, id, (current) => approvalClosed(current, approval.id, at));
    }
  }
  return true;
};

const recentMs = 3_600_000;
const recentMax = 200;

/** A card that shows an older version than the record has: the job that would have brought it up was lost. */
async function sweepCard({ deliveries, jobs }: SweepDeps, incident: Incident): Promise<false> {
  const { id, version, look, diagnosis, change } = incident;
  const shown = await deliveries.get(cardKey(id));
  if ((shown?.refusedVersion ?? 0) >= version || (shown?.version ?? 0) >= version) return false;
  const fairnessKey = fairnessKeyOf(incident.workload);
  const options = isUnasked(incident) ? laterAgain : again;
  await enqueueCard(jobs, incident, { ...options, fairnessKey });
  const told = incident.alerts !== undefined && look > 1;
  const hasPicture = incident.phase === 'settled' || (incident.phase === 'diagnosed' && !told);
  if (diagnosis !== undefined && hasPicture) {
    const turn = isUnasked(incident) ? ({ urgency: 'alert-detail', fairnessKey } as const) : {};
    await enqueueEntry(jobs, id, { kind: 'picture', of: String(look) }, turn);
  }
  if (change?.verdict !== undefined) {
    await enqueueEntry(jobs, id, { kind: 'verdict', of: change.approvalId });
    if (change.verdict === 'recovered') await enqueueNotes(jobs, incident, change.approvalId);
  }
  return false;
}
