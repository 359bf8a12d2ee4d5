import type { Incident } from './incident.js';
import type { CardPlace, GroupMember } from './incident-group.js';
import { isSameRoot, type SharedRoot, sharedRootOf } from './shared-root.js';

/** More would make the record of the leading incident too large to write often; a kubelet takes 110 pods by default. */
export const membersMost = 250;

/** What the incident shares its trouble with, as far as its last look tells; nothing once it is over. */
export function rootOf({ successor, diagnosis, phase, gone }: Incident): SharedRoot | undefined {
  if (successor !== undefined || diagnosis === undefined) return undefined;
  if (phase === 'failed' && gone === true) return undefined;
  return sharedRootOf(diagnosis);
}

/** Nobody has asked: it may be shown where it disturbs least. */
export function isUnasked({ origin, asked }: Pick<Incident, 'origin' | 'asked'>): boolean {
  return origin.by === undefined && asked !== true;
}

/** Others may stand under its card: not under one in a thread where a person wanted to know something else. */
export function mayLead(incident: Incident): boolean {
  return incident.threadTs === undefined || incident.origin.by === undefined;
}

/** True once others stand under its card: it leads as long as it is kept, whatever becomes of itself. */
export function isBound({ group }: Incident): boolean {
  return group?.role === 'leads' && (group.members.length > 0 || group.closed === true);
}

/** Whether it leads, and this incident stands under its card. */
export function hasMember({ group }: Incident, root: SharedRoot, id: string): boolean {
  return (
    group?.role === 'leads' && isSameRoot(group.root, root) && group.members.some((each) => each.id === id)
  );
}

/** Makes it the leading one of a group; `undefined` when it is that already, or leads others. */
export function startGroup(incident: Incident, root: SharedRoot, at: string): Incident | undefined {
  const { group } = incident;
  if (isBound(incident) || (group?.role === 'leads' && isSameRoot(group.root, root))) return undefined;
  return next(incident, at, { group: { role: 'leads', root, members: [] } });
}

/**
 * Adds the incident to the group of the leading one; `undefined` when it is in there already, or leads others.
 *
 * @param threadTs the leading card's thread, where a card that is not posted yet belongs
 */
export function joinGroup(
  incident: Incident,
  lead: Incident,
  card: CardPlace | undefined,
  root: SharedRoot,
  at: string,
  threadTs?: string,
): Incident | undefined {
  const { group } = incident;
  if (isBound(incident) || (group?.role === 'follows' && group.lead === lead.id)) return undefined;
  const { id, workload } = lead;
  const placed = card === undefined ? {} : { card };
  const follower = { ...incident, group: { role: 'follows', root, lead: id, workload, ...placed } } as const;
  const moved = threadTs === undefined ? undefined : moveCardToThread(follower, threadTs, at);
  return moved ?? next(follower, at, {});
}

/** Notes a member, or what is new of it; `undefined` when that is known, and where this incident leads no such group. */
export function noteMember(
  lead: Incident,
  root: SharedRoot,
  member: GroupMember,
  at: string,
): Incident | undefined {
  const { group } = lead;
  if (group?.role !== 'leads' || !isSameRoot(group.root, root)) return undefined;
  const known = group.members.find(({ id }) => id === member.id);
  const isFull = group.closed === true || group.members.length >= membersMost;
  if (known === undefined && isFull) return undefined;
  const merged = { ...known, ...member };
  if (known !== undefined && JSON.stringify(known) === JSON.stringify(merged)) return undefined;
  const members =
    known === undefined
      ? [...group.members, merged]
      : group.members.map((each) => (each.id === member.id ? merged : each));
  return next(lead, at, { group: { ...group, members } });
}

/** Removes a member that joined another group before its card was shown. */
export function removeMember(lead: Incident, id: string, at: string): Incident | undefined {
  const { group } = lead;
  if (group?.role !== 'leads' || !group.members.some((each) => each.id === id)) return undefined;
  return next(lead, at, { group: { ...group, members: group.members.filter((each) => each.id !== id) } });
}

/** The thread of the leading card is gone: this incident did not get in, and no other one does. */
export function closeGroup(lead: Incident, id: string, at: string): Incident | undefined {
  const { group } = lead;
  if (group?.role !== 'leads' || group.closed === true) return removeMember(lead, id, at);
  const members = group.members.filter((each) => each.id !== id);
  return next(lead, at, { group: { ...group, members, closed: true } });
}

/** Moves its card into the leading card's thread, unless it has a thread or a person waits for it in the channel. */
export function moveCardToThread(incident: Incident, threadTs: string, at: string): Incident | undefined {
  const { group } = incident;
  if (group?.role !== 'follows' || incident.threadTs !== undefined || !isUnasked(incident)) return undefined;
  return next(incident, at, { threadTs, group: { ...group, inItsThread: true } });
}

/** The thread of the leading card is gone: the incident belongs to no group. */
export function leaveGroup(incident: Incident, at: string): Incident | undefined {
  return incident.group?.role === 'follows'
    ? next(incident, at, { group: undefined, threadTs: undefined })
    : undefined;
}

function next(incident: Incident, at: string, fields: Partial<Incident>): Incident {
  return { ...incident, ...fields, version: incident.version + 1, updatedAt: at };
}
