import {
  alone,
  closed,
  following,
  hasMember,
  inThread,
  isBound,
  isUnasked,
  leading,
  mayLead,
  rootOf,
  withMember,
  withoutMember,
} from '../core/incident/group-transitions.js';
import type { Incident } from '../core/incident/incident.js';
import type { CardPlace } from '../core/incident/incident-group.js';
import { isSameRoot, type SharedRoot } from '../core/incident/shared-root.js';
import { cardKey } from './delivery-jobs.js';
import { fairnessKeyOf } from './fairness-key.js';
import type { DeliveryStore } from './incident-thread.js';
import type { Clock, IncidentStore, JobQueue, RootClaims } from './ports.js';
import { updateIncident } from './update-incident.js';

export interface GroupIncidentDeps {
  readonly clock: Clock;
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly roots: RootClaims;
}

/** Leading incidents that turn out to lead no more are passed over; each costs one attempt. */
const attempts = 10;

/**
 * Finds the incident its place among those of the channel that are sick of the same: it leads where it is the first,
 * and stands under the leading one's card where there is one. The leader says so in its record before it claims to,
 * and is asked by compare-and-set whether it takes another one in, so that of two at the same moment one leads.
 *
 * @returns the incident as it is stored now
 */
export async function grouped(deps: GroupIncidentDeps, incident: Incident): Promise<Incident> {
  const root = rootOf(incident);
  const { group, channel, id } = incident;
  if (root === undefined) return incident;
  if (isBound(incident)) {
    const isOpen = group?.role === 'leads' && group.closed !== true && isSameRoot(group.root, root);
    if (isOpen) await deps.roots.claim(channel, root, id);
    return incident;
  }
  if (group?.role === 'follows') {
    if (isSameRoot(group.root, root)) return incident;
    await tellLead(deps, incident);
  }
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const holder = await deps.roots.holder(channel, root);
    if (holder !== undefined && holder !== id) {
      const joined = await join(deps, incident, holder, root);
      if (joined !== undefined) return joined;
      await deps.roots.release(channel, root, holder);
      continue;
    }
    if (!mayLead(incident)) return incident;
    const at = deps.clock.now().toISOString();
    await updateIncident(deps.incidents, id, (current) => leading(current, root, at));
    if ((await deps.roots.claim(channel, root, id)) === id) return latest(deps, incident);
  }
  return incident;
}

/** Notes it in the leading incident, then in its own record; `undefined` when that one takes nobody in any more. */
async function join(
  deps: GroupIncidentDeps,
  incident: Incident,
  leadId: string,
  root: SharedRoot,
): Promise<Incident | undefined> {
  const { incidents, deliveries, roots, clock } = deps;
  const { id, workload, channel } = incident;
  const at = clock.now().toISOString();
  await updateIncident(incidents, leadId, (current) =>
    withMember(current, root, { id, workload, state: 'sick' }, at),
  );
  const lead = await incidents.get(leadId);
  if (lead === undefined || !hasMember(lead, root, id)) return undefined;
  const card = placeOf(lead, (await deliveries.get(cardKey(leadId)))?.message?.ts);
  await updateIncident(incidents, id, (current) => following(current, lead, card, root, at));
  const now = await latest(deps, incident);
  if (now.group?.role === 'follows' && now.group.lead === leadId) {
    await roots.claim(channel, root, leadId);
  } else {
    await updateIncident(incidents, leadId, (current) => withoutMember(current, id, at));
  }
  return now;
}

/**
 * Where the card of an incident that has none yet is to stand: in the thread of the leading one, unless a person waits
 * for it or it has a thread of its own. `undefined` while the leading one's card is still on its way.
 */
export async function placed(deps: GroupIncidentDeps, incident: Incident): Promise<Incident | undefined> {
  const { group, threadTs, id } = incident;
  if (group?.role !== 'follows' || threadTs !== undefined || !isUnasked(incident)) return incident;
  const lead = await deps.incidents.get(group.lead);
  const card = await deps.deliveries.get(cardKey(group.lead));
  if (lead === undefined || card?.refused !== undefined) return incident;
  const { message } = card ?? {};
  if (message === undefined) return undefined;
  const at = deps.clock.now().toISOString();
  await updateIncident(deps.incidents, id, (current) => inThread(current, lead.threadTs ?? message.ts, at));
  return latest(deps, incident);
}

/** Has the leading card tell where this one is, and whether it is still sick of the same. */
export async function tellLead(deps: GroupIncidentDeps, incident: Incident): Promise<void> {
  const { group, id, workload } = incident;
  if (group?.role !== 'follows') return;
  const card = placeOf(incident, (await deps.deliveries.get(cardKey(id)))?.message?.ts);
  const state = isSameRoot(rootOf(incident), group.root) ? 'sick' : 'well';
  const member = { id, workload, state, ...(card === undefined ? {} : { card }) } as const;
  const at = deps.clock.now().toISOString();
  const lead = await updateIncident(deps.incidents, group.lead, (current) =>
    withMember(current, group.root, member, at),
  );
  if (lead === undefined) return;
  await bringUp(deps, lead);
}

/** The thread was deleted: nobody else shall be put there, and this one looks for a new place. */
export async function standAlone(deps: GroupIncidentDeps, incident: Incident): Promise<void> {
  const { group, channel, id } = incident;
  if (group?.role !== 'follows') return;
  const at = deps.clock.now().toISOString();
  await updateIncident(deps.incidents, group.lead, (current) => closed(current, id, at));
  await deps.roots.release(channel, group.root, group.lead);
  const now = await updateIncident(deps.incidents, id, (current) => alone(current, at));
  if (now !== undefined) await bringUp(deps, now);
}

async function bringUp({ jobs }: GroupIncidentDeps, { id, version, workload }: Incident): Promise<void> {
  const job = { v: 1, kind: 'card', incidentId: id, version } as const;
  await jobs.enqueue('delivery', job, { urgency: 'alert', fairnessKey: fairnessKeyOf(workload) });
}

function placeOf({ threadTs }: Incident, ts: string | undefined): CardPlace | undefined {
  if (ts === undefined) return undefined;
  return threadTs === undefined ? { ts } : { ts, threadTs };
}

async function latest({ incidents }: GroupIncidentDeps, incident: Incident): Promise<Incident> {
  return (await incidents.get(incident.id)) ?? incident;
}
