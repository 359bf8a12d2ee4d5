import type { MessageRef } from '../../doctor/incidents/delivery.js';
import {
  closeGroup,
  type Follower,
  hasMember,
  isBound,
  isTaking,
  joinGroup,
  leaveGroup,
  mayCoincide,
  mayLead,
  memberOf,
  noteMember,
  removeMember,
  rootOf,
  startGroup,
} from '../../doctor/incidents/group-rows.js';
import type { CardPlace, Incident } from '../../doctor/incidents/incident.js';
import { isCoincidence, isSameRoot, type SharedRoot } from '../../doctor/incidents/shared-root.js';
import type { IncidentStore, RootClaims } from '../records/incident-store.js';
import { updateIncident } from '../records/incident-store.js';
import type { Clock, JobQueue } from '../records/process-ports.js';
import { cardKey, enqueueCard, turnOf } from './delivery-jobs.js';
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

/** The leading card is edited at most this often for what changes of others. */
const groupEditMs = 3_000;

/**
 * Finds the group of the incident among those of its channel that share its root: it leads if it is the first
 * one, and follows the leading one otherwise. The leading incident is marked in its record before it claims
 * the root, and takes members by compare-and-set, so that of two at the same moment one leads.
 *
 * @param card where the incident's own card is
 * @returns the incident as it is stored now
 */
export async function groupIncident(
  deps: GroupIncidentDeps,
  incident: Incident,
  card: MessageRef | undefined,
): Promise<Incident> {
  const root = rootOf(incident);
  const { group, channel, id } = incident;
  if (root === undefined) return incident;
  if (isBound(incident)) {
    const isOpen = isSameRoot(group?.root, root) && isTaking(incident, deps.clock.now().toISOString());
    if (isOpen) await deps.roots.claim(channel, root, id);
    return incident;
  }
  if (group?.role === 'follows') {
    if (isSameRoot(group.root, root)) return incident;
    await reportToLead(deps, incident, card);
  }
  if (isCoincidence(root) && !mayCoincide(incident)) return incident;
  let current = incident;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const holder = await deps.roots.holder(channel, root);
    if (holder !== undefined && holder !== id) {
      const joined = await joinLead(deps, current, { leadId: holder, root, card });
      if (joined !== undefined) return joined;
      await deps.roots.release(channel, root, holder);
      continue;
    }
    if (!mayLead(current, root)) return current;
    const at = deps.clock.now().toISOString();
    current = (await updateIncident(deps.incidents, current, (now) => startGroup(now, root, at))) ?? current;
    if ((await deps.roots.claim(channel, root, id)) === id) return current;
  }
  return current;
}

/**
 * Notes the member in the leading incident, then in its own record; `undefined` if that one takes no more
 * members.
 */
async function joinLead(
  deps: GroupIncidentDeps,
  incident: Incident,
  { leadId, root, card }: { leadId: string; root: SharedRoot; card: MessageRef | undefined },
): Promise<Incident | undefined> {
  const { incidents, deliveries, roots, clock } = deps;
  const { id, channel } = incident;
  const at = clock.now().toISOString();
  const [record, read] = await Promise.all([deliveries.get(cardKey(leadId)), incidents.get(leadId)]);
  if (read === undefined) return undefined;
  const member = memberOf(incident, root, placeOf(incident, card));
  const noted = await updateIncident(incidents, read, (now) => noteMember(now, root, member, at));
  const lead = noted ?? read;
  if (!hasMember(lead, root, id)) return undefined;
  const place = placeOf(lead, record?.message);
  const [joined = incident] = await Promise.all([
    updateIncident(incidents, incident, (now) => joinGroup(now, lead, place, root, at)),
    roots.claim(channel, root, leadId),
  ]);
  if (joined.group?.role !== 'follows' || joined.group.lead !== leadId) {
    await updateIncident(incidents, leadId, (now) => removeMember(now, id, at));
  } else if (noted !== undefined) {
    await enqueueLeadingCard(deps.jobs, noted);
  }
  return joined;
}

/** Updates the leading card: where the card of this incident is, and how it is. */
export async function reportToLead(
  { clock, incidents, jobs }: GroupIncidentDeps,
  incident: Incident,
  message: MessageRef | undefined,
): Promise<void> {
  const { group } = incident;
  if (group?.role !== 'follows') return;
  const member = memberOf(incident, group.root, placeOf(incident, message));
  const at = clock.now().toISOString();
  const lead = await updateIncident(incidents, group.lead, (now) => noteMember(now, group.root, member, at));
  if (lead !== undefined) await enqueueLeadingCard(jobs, lead);
}

/** The leading card cannot be shown: it takes no more members, and this incident finds another group. */
export async function leaveLostGroup(
  { clock, incidents, jobs, roots }: GroupIncidentDeps,
  { group, channel, id }: Follower,
): Promise<void> {
  const at = clock.now().toISOString();
  await updateIncident(incidents, group.lead, (now) => closeGroup(now, id, at));
  await roots.release(channel, group.root, group.lead);
  const incident = await updateIncident(incidents, id, (now) => leaveGroup(now, at));
  if (incident === undefined) return;
  await enqueueCard(jobs, incident, turnOf(incident, 'alert'));
}

/** The leading card was refused: those that it lists find another group. */
export async function releaseMembers({ jobs }: GroupIncidentDeps, { group }: Incident): Promise<void> {
  if (group?.role !== 'leads') return;
  for (const member of group.members) {
    await enqueueCard(jobs, { id: member.id, version: 0 }, { ...turnOf(member, 'alert'), again: true });
  }
}

/** Waits for what else changes: of the cards that wait, one is kept. */
async function enqueueLeadingCard(jobs: JobQueue, lead: Incident): Promise<void> {
  await enqueueCard(jobs, lead, { ...turnOf(lead, 'alert'), delayMs: groupEditMs });
}

function placeOf({ threadTs }: Incident, message: MessageRef | undefined): CardPlace | undefined {
  if (message === undefined) return undefined;
  return threadTs === undefined ? { ts: message.ts } : { ts: message.ts, threadTs };
}
