import { fairnessKeyOf } from '../../core/alert/fairness-keys.js';
import type { DeliveryRecord, MessageRef } from '../../core/incident/delivery.js';
import {
  closeGroup,
  hasMember,
  isBound,
  isUnasked,
  joinGroup,
  leaveGroup,
  mayLead,
  moveCardToThread,
  noteMember,
  removeMember,
  rootOf,
  startGroup,
} from '../../core/incident/group-transitions.js';
import type { Incident } from '../../core/incident/incident.js';
import type { CardPlace } from '../../core/incident/incident-group.js';
import { isSameRoot, type SharedRoot } from '../../core/incident/shared-root.js';
import type { IncidentStore, RootClaims } from '../records/incident-store.js';
import type { Clock, JobQueue } from '../records/process-ports.js';
import { updateIncident } from '../records/update-incident.js';
import { cardKey, enqueueCard } from './delivery-jobs.js';
import type { DeliveryStore } from './incident-thread.js';

export interface GroupIncidentDeps {
  readonly clock: Clock;
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly incidents: IncidentStore;
  readonly jobs: JobQueue;
  readonly roots: RootClaims;
}

/** A leading incident that takes no more members is passed over; each costs one attempt. */
const maxAttempts = 10;

/**
 * Finds the group of the incident among those of its channel that are affected by the same node or quota: it leads if it is
 * the first one, and follows the leading one otherwise. The leading incident is marked in its record before it claims the
 * root, and takes members by compare-and-set, so that of two at the same moment one leads.
 *
 * @param record of the incident's card: one that no post was tried for goes to the thread of the leading one
 * @returns the incident as it is stored now; `undefined` while the leading card is not posted yet
 */
export async function groupIncident(
  deps: GroupIncidentDeps,
  incident: Incident,
  record: DeliveryRecord,
): Promise<Incident | undefined> {
  const grouped = await findGroup(deps, incident, record);
  return isTried(record) ? grouped : placeCard(deps, grouped);
}

function isTried({ message, tryingSince }: DeliveryRecord): boolean {
  return message !== undefined || tryingSince !== undefined;
}

async function findGroup(
  deps: GroupIncidentDeps,
  incident: Incident,
  record: DeliveryRecord,
): Promise<Incident> {
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
    await reportToLead(deps, incident, record.message);
  }
  let current = incident;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const holder = await deps.roots.holder(channel, root);
    if (holder !== undefined && holder !== id) {
      const joined = await joinLead(deps, current, holder, root, isTried(record));
      if (joined !== undefined) return joined;
      await deps.roots.release(channel, root, holder);
      continue;
    }
    if (!mayLead(current)) return current;
    const at = deps.clock.now().toISOString();
    current = (await updateIncident(deps.incidents, current, (now) => startGroup(now, root, at))) ?? current;
    if ((await deps.roots.claim(channel, root, id)) === id) return current;
  }
  return current;
}

/** Notes the member in the leading incident, then in its own record; `undefined` if that one takes no more members. */
async function joinLead(
  deps: GroupIncidentDeps,
  incident: Incident,
  leadId: string,
  root: SharedRoot,
  keepsPlace: boolean,
): Promise<Incident | undefined> {
  const { incidents, deliveries, roots, clock } = deps;
  const { id, workload, channel } = incident;
  const at = clock.now().toISOString();
  const [record, read] = await Promise.all([deliveries.get(cardKey(leadId)), incidents.get(leadId)]);
  if (read === undefined) return undefined;
  const member = { id, workload, state: 'sick' } as const;
  const lead = (await updateIncident(incidents, read, (now) => noteMember(now, root, member, at))) ?? read;
  if (!hasMember(lead, root, id)) return undefined;
  const card = placeOf(lead, record?.message);
  const threadTs = keepsPlace || record?.refused !== undefined ? undefined : (card?.threadTs ?? card?.ts);
  const [joined = incident] = await Promise.all([
    updateIncident(incidents, incident, (now) => joinGroup(now, lead, card, root, at, threadTs)),
    roots.claim(channel, root, leadId),
  ]);
  if (joined.group?.role !== 'follows' || joined.group.lead !== leadId) {
    await updateIncident(incidents, leadId, (now) => removeMember(now, id, at));
  }
  return joined;
}

/** Puts a card that is not posted into the leading card's thread, unless a person waits for it or it has a thread. */
async function placeCard(
  { incidents, deliveries, clock }: GroupIncidentDeps,
  incident: Incident,
): Promise<Incident | undefined> {
  const { group, threadTs } = incident;
  if (group?.role !== 'follows' || threadTs !== undefined || !isUnasked(incident)) return incident;
  const [card, lead] = await Promise.all([deliveries.get(cardKey(group.lead)), incidents.get(group.lead)]);
  if (lead === undefined || card?.refused !== undefined) return incident;
  const { message } = card ?? {};
  if (message === undefined) return undefined;
  const at = clock.now().toISOString();
  const move = (now: Incident) => moveCardToThread(now, lead.threadTs ?? message.ts, at);
  return (await updateIncident(incidents, incident, move)) ?? incident;
}

/** Updates the leading card: where the card of this incident is, and whether it is still affected. */
export async function reportToLead(
  { clock, incidents, jobs }: GroupIncidentDeps,
  incident: Incident,
  message: MessageRef | undefined,
): Promise<void> {
  const { group, id, workload } = incident;
  if (group?.role !== 'follows') return;
  const card = placeOf(incident, message);
  const state = isSameRoot(rootOf(incident), group.root) ? 'sick' : 'well';
  const member = { id, workload, state, ...(card === undefined ? {} : { card }) } as const;
  const at = clock.now().toISOString();
  const lead = await updateIncident(incidents, group.lead, (now) => noteMember(now, group.root, member, at));
  if (lead !== undefined) await enqueueCardOfGroup(jobs, lead);
}

/** The thread of the leading card was deleted: it takes no more members, and this incident finds another place. */
export async function leaveDeletedThread(
  { clock, incidents, jobs, roots }: GroupIncidentDeps,
  { group, channel, id }: Incident,
): Promise<void> {
  if (group?.role !== 'follows') return;
  const at = clock.now().toISOString();
  await updateIncident(incidents, group.lead, (now) => closeGroup(now, id, at));
  await roots.release(channel, group.root, group.lead);
  const incident = await updateIncident(incidents, id, (now) => leaveGroup(now, at));
  if (incident !== undefined) await enqueueCardOfGroup(jobs, incident);
}

async function enqueueCardOfGroup(jobs: JobQueue, incident: Incident): Promise<void> {
  await enqueueCard(jobs, incident, { urgency: 'alert', fairnessKey: fairnessKeyOf(incident.workload) });
}

function placeOf({ threadTs }: Incident, message: MessageRef | undefined): CardPlace | undefined {
  if (message === undefined) return undefined;
  return threadTs === undefined ? { ts: message.ts } : { ts: message.ts, threadTs };
}
