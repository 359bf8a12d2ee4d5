import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { Severity } from '../findings/cause-id.js';
import { mainFindingOf } from '../findings/main-finding.js';
import type { CardPlace, GroupMember, Incident, IncidentGroup } from './incident.js';
import { coincidenceMs, isCoincidence, isSameRoot, type SharedRoot, sharedRootOf } from './shared-root.js';

/** A workload of a group, by the incident that was diagnosed last. */
export type GroupRow = GroupMember;

/**
 * The workloads of a group that an incident leads, its own included: affected ones first, by severity, then
 * by the share of their pods that are ready.
 */
export function groupRows(lead: Incident): readonly GroupRow[] {
  const { group } = lead;
  if (group?.role !== 'leads') return [];
  const rows = new Map<string, GroupRow>();
  for (const member of [memberOf(lead, group.root, undefined), ...group.members]) {
    const key = workloadKey(member.workload);
    const known = rows.get(key);
    const alerts = (known?.alerts ?? 0) + (member.alerts ?? 0);
    const row = known !== undefined && isOutdated(member, known) ? known : member;
    const card = row.card ?? known?.card;
    rows.set(key, { ...row, ...(card === undefined ? {} : { card }), ...(alerts === 0 ? {} : { alerts }) });
  }
  return [...rows]
    .sort(([oneKey, one], [otherKey, other]) => {
      return byUrgency(one, other) || (oneKey < otherKey ? -1 : 1);
    })
    .map(([, row]) => row);
}

/**
 * By the time of their diagnoses; where a record has none, an earlier incident may be over while a later one
 * is open.
 */
function isOutdated(member: GroupMember, known: GroupMember): boolean {
  const [one, other] = [member, known].map(({ diagnosedAt = '' }) => Date.parse(diagnosedAt));
  if (one === undefined || other === undefined || Number.isNaN(one - other) || one === other) {
    return known.state === 'sick' && member.state === 'well';
  }
  return one < other;
}

/**
 * The card shows the whole group in place of the incident that leads: nobody asked for that one, and no
 * change of it is under review, under way, or made.
 */
export function showsGroup(incident: Incident): boolean {
  const { phase, change } = incident;
  if (!isUnasked(incident) || change !== undefined || phase === 'awaiting') return false;
  return groupRows(incident).length > 1;
}

/**
 * Open incidents as their cards show them: those that a group lists stand under the incident that leads it,
 * also where that one is over. An incident joins its group when its card would be posted, which takes a while
 * where many wait. Until then it counts as a member of the group that it will join.
 *
 * @param known all incidents that may be shown
 */
export function withoutListed(open: readonly Incident[], known: readonly Incident[]): readonly Incident[] {
  const leads = new Map(known.map((incident) => [incident.id, incident]));
  const leading = known.filter(({ group }) => group?.role === 'leads');
  const leadOf = (incident: Incident): Incident | undefined => {
    if (isListedOnly(incident)) {
      const lead = leads.get(incident.group.lead);
      return lead !== undefined && showsGroup(lead) ? lead : undefined;
    }
    const joined = leading.flatMap(({ id }) => withMember(leads.get(id), incident) ?? [])[0];
    if (joined !== undefined) leads.set(joined.id, joined);
    return joined;
  };
  const ids = new Set(open.map((incident) => leadOf(incident)?.id ?? incident.id));
  const entries = new Map([...open.map((incident) => [incident.id, incident] as const), ...leads]);
  return [...ids].flatMap((id) => entries.get(id) ?? []);
}

/** The leading incident with the one that will join its group; `undefined` where that one will not. */
function withMember(lead: Incident | undefined, incident: Incident): Incident | undefined {
  const root = rootOf(incident);
  if (lead === undefined || lead.channel !== incident.channel || root === undefined) return undefined;
  if (incident.group !== undefined || incident.threadTs !== undefined || !isUnasked(incident))
    return undefined;
  if (isCoincidence(root) && !mayCoincide(incident)) return undefined;
  const noted = noteMember(lead, root, memberOf(incident, root, undefined), incident.updatedAt) ?? lead;
  return hasMember(noted, root, incident.id) && showsGroup(noted)
    ? { ...lead, group: noted.group }
    : undefined;
}

/** What a group adds up to. */
interface GroupTotals {
  readonly affected: number;
  readonly workloads: number;
  readonly namespaces: number;
  readonly alerts: number;
  readonly ready: { readonly pods: number; readonly wanted: number };
  /** The greatest among the affected ones; absent where nobody is affected or nothing was diagnosed. */
  readonly severity: Severity | undefined;
}

export function totalsOf(rows: readonly GroupRow[]): GroupTotals {
  const affected = rows.filter(isAffected);
  const severities = affected.flatMap(({ severity }) => severity ?? []);
  return {
    affected: affected.length,
    workloads: rows.length,
    namespaces: new Set(rows.map(({ workload }) => workload.namespace)).size,
    alerts: sum(rows.map(({ alerts = 0 }) => alerts)),
    ready: {
      pods: sum(rows.map(({ ready }) => ready?.pods ?? 0)),
      wanted: sum(rows.map(({ ready }) => ready?.wanted ?? 0)),
    },
    severity: severities.sort((a, b) => severityOrder[a] - severityOrder[b])[0],
  };
}

export function isAffected({ state }: Pick<GroupRow, 'state'>): boolean {
  return state === 'sick';
}

const severityOrder: Readonly<Record<Severity, number>> = { critical: 0, warning: 1, info: 2 };

function byUrgency(a: GroupRow, b: GroupRow): number {
  return (
    Number(isAffected(b)) - Number(isAffected(a)) || orderOf(a) - orderOf(b) || readyShare(a) - readyShare(b)
  );
}

function orderOf({ severity }: GroupRow): number {
  return severity === undefined ? severityOrder.info : severityOrder[severity];
}

function readyShare({ ready }: GroupRow): number {
  return ready === undefined || ready.wanted === 0 ? 1 : ready.pods / ready.wanted;
}

function workloadKey({ cluster, namespace, name, kind }: WorkloadRef): string {
  return JSON.stringify([cluster, namespace, name, kind]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/**
 * More would make the record of the leading incident too large to write often; a kubelet takes 110 pods by
 * default.
 */
export const membersMost = 250;

/** What the incident shares its trouble with, as far as its last diagnosis tells; nothing once it is over. */
export function rootOf({ successor, diagnosis, phase, gone, workload }: Incident): SharedRoot | undefined {
  if (successor !== undefined || (phase === 'failed' && gone === true)) return undefined;
  if (diagnosis !== undefined) return sharedRootOf(diagnosis);
  return phase === 'failed' ? { kind: 'Unread', cluster: workload.cluster } : undefined;
}

/** Nobody has asked: it may be shown where it disturbs least. */
export function isUnasked({ origin, asked }: Pick<Incident, 'origin' | 'asked'>): boolean {
  return origin.by === undefined && asked !== true;
}

/**
 * Whether it may share a card with incidents that have nothing but the kind of failure in common. What the
 * sentinel reports is proven and needs a decision, and the card that a person asked for shows one workload.
 */
export function mayCoincide(incident: Pick<Incident, 'origin' | 'asked'>): boolean {
  return isUnasked(incident) && incident.origin.via !== 'sentinel';
}

/**
 * Others may stand under its card: not under one in a thread where a person wanted to know something else,
 * and where nothing but the kind of failure is the same, not under one that a person asked for.
 */
export function mayLead(incident: Incident, root: SharedRoot): boolean {
  if (isCoincidence(root)) return mayCoincide(incident);
  return incident.threadTs === undefined || incident.origin.by === undefined;
}

/** An incident that stands under the card of another one. */
export type Follower = Incident & { readonly group: Extract<IncidentGroup, { readonly role: 'follows' }> };

/** Its card stays away: the leading card lists it, and nobody asked for more. */
export function isListedOnly(incident: Incident): incident is Follower {
  return incident.group?.role === 'follows' && incident.threadTs === undefined && isUnasked(incident);
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
  return next(incident, at, { group: { role: 'leads', root, members: [], since: at } });
}

/**
 * Whether it takes further members. One that is over and led nobody does not: its card shows something else.
 */
export function isTaking({ group, successor }: Incident, at: string): boolean {
  if (group?.role !== 'leads' || group.closed === true || group.members.length >= membersMost) return false;
  if (group.members.length === 0 && successor !== undefined) return false;
  const { root, since } = group;
  return !isCoincidence(root) || since === undefined || Date.parse(at) - Date.parse(since) < coincidenceMs;
}

/** What the leading card states of an incident of its group. */
export function memberOf(incident: Incident, root: SharedRoot, card: CardPlace | undefined): GroupMember {
  const { id, workload, diagnosis, alerts, occurrences } = incident;
  const main = diagnosis && mainFindingOf(diagnosis).main;
  return {
    id,
    workload,
    state: isSameRoot(rootOf(incident), root) ? 'sick' : 'well',
    ...(card === undefined ? {} : { card }),
    ...(main === undefined ? {} : { severity: main.severity }),
    ...(diagnosis === undefined ? {} : { diagnosedAt: diagnosis.takenAt, ready: diagnosis.ready }),
    ...(alerts === undefined ? {} : { alerts: occurrences }),
  };
}

/**
 * Adds the incident to the group of the leading one; `undefined` when it is in there already, or leads
 * others.
 */
export function joinGroup(
  incident: Incident,
  lead: Incident,
  card: CardPlace | undefined,
  root: SharedRoot,
  at: string,
): Incident | undefined {
  const { group } = incident;
  if (isBound(incident) || (group?.role === 'follows' && group.lead === lead.id)) return undefined;
  const { id, workload } = lead;
  const placed = card === undefined ? {} : { card };
  return next(incident, at, { group: { role: 'follows', root, lead: id, workload, ...placed } });
}

/**
 * Notes a member, or what is new of it; `undefined` when that is known, and where this incident leads no such
 * group.
 */
export function noteMember(
  lead: Incident,
  root: SharedRoot,
  member: GroupMember,
  at: string,
): Incident | undefined {
  const { group } = lead;
  if (group?.role !== 'leads' || !isSameRoot(group.root, root)) return undefined;
  const known = group.members.find(({ id }) => id === member.id);
  if (known === undefined && !isTaking(lead, at)) return undefined;
  const merged = { ...known, ...member };
  if (known !== undefined && JSON.stringify(known) === JSON.stringify(merged)) return undefined;
  const members =
    known === undefined
      ? [...group.members, merged]
      : group.members.map((each) => (each.id === member.id ? merged : each));
  return next(lead, at, { group: { ...group, members, ...(known === undefined ? { since: at } : {}) } });
}

/** Removes a member that joined another group before its card was shown. */
export function removeMember(lead: Incident, id: string, at: string): Incident | undefined {
  const { group } = lead;
  if (group?.role !== 'leads' || !group.members.some((each) => each.id === id)) return undefined;
  return next(lead, at, { group: { ...group, members: group.members.filter((each) => each.id !== id) } });
}

/** The leading card is gone: this incident leaves, and no other one gets in. */
export function closeGroup(lead: Incident, id: string, at: string): Incident | undefined {
  const { group } = lead;
  if (group?.role !== 'leads' || group.closed === true) return removeMember(lead, id, at);
  const members = group.members.filter((each) => each.id !== id);
  return next(lead, at, { group: { ...group, members, closed: true } });
}

/** The leading card is gone: the incident belongs to no group. */
export function leaveGroup(incident: Incident, at: string): Incident | undefined {
  return incident.group?.role === 'follows' ? next(incident, at, { group: undefined }) : undefined;
}

function next(incident: Incident, at: string, fields: Partial<Incident>): Incident {
  return { ...incident, ...fields, version: incident.version + 1, updatedAt: at };
}
