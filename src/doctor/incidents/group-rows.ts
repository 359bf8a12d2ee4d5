import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { Severity } from '../findings/cause-id.js';
import { isListedOnly, isUnasked, memberOf } from './group-transitions.js';
import type { GroupMember, Incident } from './incident.js';

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
 * also where that one is over.
 *
 * @param known all incidents that may be shown
 */
export function withoutListed(open: readonly Incident[], known: readonly Incident[]): readonly Incident[] {
  const leads = new Map(known.filter(showsGroup).map((incident) => [incident.id, incident]));
  const leadOf = (incident: Incident): Incident | undefined =>
    isListedOnly(incident) ? leads.get(incident.group.lead) : undefined;
  return [...new Set(open.map((incident) => leadOf(incident) ?? incident))];
}

/** What a group adds up to. */
export interface GroupTotals {
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
