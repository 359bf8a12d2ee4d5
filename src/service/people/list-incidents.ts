import type { NamedWorkload } from '../../doctor/commands/command.js';
import { parseCommand } from '../../doctor/commands/parse-command.js';
import type { MessageRef } from '../../doctor/incidents/delivery.js';
import { withoutListed } from '../../doctor/incidents/group-rows.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { mostSevereFirst, openFirst, withoutRepeated } from '../../doctor/incidents/open-first.js';
import { shareResult, visibleIncident } from '../../doctor/incidents/visible-incident.js';
import { type Sight, visibleIn } from '../../doctor/policy/view.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { auditedChanges } from '../change/audited-changes.js';
import { cardKey, enqueueCard } from '../deliver/delivery-jobs.js';
import type { DeliveryStore } from '../deliver/incident-thread.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import { type DiagnoseAgainDeps, incidentFor, type ViewDeps } from '../diagnose/diagnose-again.js';
import { ignoreMalformed } from '../errors.js';
import { notice, refuse } from '../notices/notices.js';
import { type IncidentStore, updateIncident } from '../records/incident-store.js';
import type { AuditTrailDeps, TitledAudited, Unmatched } from './audit-trail.js';
import { readEntries, recordedWorkload, titled } from './audit-trail.js';
import type { ReadIncident, Refused } from './conversation.js';
import type { Silence, SilenceStore } from './people-ports.js';
import { type Sights, sightOrRefused } from './sights.js';

/** An incident and where its card is. */
export interface ShownIncident {
  readonly incident: Incident;
  /** Absent until the card is posted, and where it could not be. */
  readonly card: MessageRef | undefined;
}

export interface IncidentList {
  readonly type: 'incidents';
  /** Those that need somebody, the most severe first, then the newest. */
  readonly open: readonly ShownIncident[];
  readonly moreOpen: number;
  /** The newest of those that are over. */
  readonly recent: readonly ShownIncident[];
  readonly moreRecent: number;
}

export type ListIncidents = (request: { readonly by: string }) => Promise<IncidentList | Refused>;

export interface ListIncidentsDeps {
  readonly incidents: Pick<IncidentStore, 'get' | 'recent' | 'unsettled'>;
  readonly deliveries: Pick<DeliveryStore, 'get'>;
  readonly sights: Pick<Sights, 'ofPerson'>;
}

/** Incidents looked through, beside all that are under way. */
const newest = 100;
const openShown = 10;
const recentShown = 5;

/** What is open, then what was lately, of the namespaces that the reader may see. */
export function createListIncidents(deps: ListIncidentsDeps): ListIncidents {
  return async ({ by }) => {
    const allowed = await sightOrRefused(deps.sights, by);
    if (allowed.type === 'refused') return allowed;
    const known = await knownIncidents(deps, allowed.sight);
    const first = openFirst(known);
    const open = withoutListed(first.open, known);
    const openIds = new Set(open.map(({ id }) => id));
    const over = withoutRepeated(first.over.filter(({ id }) => !openIds.has(id)));
    return {
      type: 'incidents',
      open: await shown(deps, mostSevereFirst(open).slice(0, openShown)),
      moreOpen: Math.max(0, open.length - openShown),
      recent: await shown(deps, over.slice(0, recentShown)),
      moreRecent: Math.max(0, over.length - recentShown),
    };
  };
}

/**
 * Incidents that the reader may see, as the reader may see them: the newest, and every older one that is
 * under way, so that a storm hides no approval that people wait on.
 */
export async function knownIncidents(
  { incidents }: Pick<ListIncidentsDeps, 'incidents'>,
  sight: Sight,
): Promise<readonly Incident[]> {
  const [recent, unsettled] = await Promise.all([incidents.recent(newest), incidents.unsettled()]);
  const known = new Map(recent.map((incident) => [incident.id, incident]));
  const older = await Promise.all(
    unsettled.filter((id) => !known.has(id)).map((id) => incidents.get(id).catch(ignoreMalformed)),
  );
  return [...known.values(), ...older.filter((incident) => incident !== undefined)]
    .filter(({ workload }) => visibleIn(sight, workload).workload)
    .map((incident) => visibleIncident(incident, sight));
}

/** Adds where each card is. */
export async function shown(
  { deliveries }: Pick<ListIncidentsDeps, 'deliveries'>,
  incidents: readonly Incident[],
): Promise<readonly ShownIncident[]> {
  return Promise.all(
    incidents.map(async (incident) => ({
      incident,
      card: (await deliveries.get(cardKey(incident.id)).catch(ignoreMalformed))?.message,
    })),
  );
}

interface ReadIncidentDeps {
  readonly incidents: Pick<IncidentStore, 'get'>;
  readonly sights: Pick<Sights, 'ofPerson'>;
}

/**
 * Reads an incident for an answer that one person reads. For somebody who may not see its workload there is
 * none.
 */
export function createReadIncident({ incidents, sights }: ReadIncidentDeps): ReadIncident {
  return async ({ incidentId, by }) => {
    const [incident, sight] = await Promise.all([incidents.get(incidentId), sights.ofPerson(by)]);
    if (incident === undefined || !visibleIn(sight, incident.workload).workload) {
      return { type: 'refused', because: notice('incident-unknown', { id: incidentId }) };
    }
    return { type: 'incident', incident: visibleIncident(incident, sight) };
  };
}

export type ShareResult = (request: {
  readonly incidentId: string;
  readonly by: string;
}) => Promise<{ readonly type: 'shared'; readonly incident: Incident } | Refused>;

/**
 * Posts the card of a private result in the channel in which it was asked for. The second press changes
 * nothing.
 */
export function createShareResult(deps: DiagnoseAgainDeps & Pick<ViewDeps, 'sights'>): ShareResult {
  const { incidents, jobs, clock } = deps;
  return async ({ incidentId, by }) => {
    const incident = await incidentFor(deps, incidentId, by);
    if (incident === undefined) return refuse('incident-unknown', { id: incidentId });
    const at = clock.now().toISOString();
    const stored = await updateIncident(incidents, incidentId, (current) => shareResult(current, at));
    if (stored === undefined) return { type: 'shared', incident };
    await enqueueCard(jobs, stored);
    return { type: 'shared', incident: stored };
  };
}

/** An incident of the workload, and what was decided in it. */
interface PastIncident extends ShownIncident {
  /** Oldest first. */
  readonly changes: readonly TitledAudited[];
}

export interface WorkloadHistory {
  readonly type: 'history';
  readonly workload: WorkloadRef;
  /** Newest first. */
  readonly incidents: readonly PastIncident[];
  readonly more: number;
  readonly silence: Silence | undefined;
}

export type ReadHistory = (request: {
  readonly by: string;
  readonly query: NamedWorkload;
}) => Promise<WorkloadHistory | Unmatched | Refused>;

interface WorkloadHistoryDeps extends AuditTrailDeps, ListIncidentsDeps {
  readonly silences: Pick<SilenceStore, 'of'>;
}

const incidentsShown = 8;

/** Incidents, findings, approvals and verdicts of one workload, as long as the records are kept. */
export function createReadHistory(deps: WorkloadHistoryDeps): ReadHistory {
  return async ({ by, query }) => {
    const allowed = await sightOrRefused(deps.sights, by);
    if (allowed.type === 'refused') return allowed;
    const matched = await recordedWorkload(deps, query, allowed.sight);
    if (matched.type !== 'one') return matched;
    const { workload } = matched;
    const [{ entries: decisions }, { entries: requests }] = await Promise.all([
      readEntries(deps.audit.decisions, workload),
      readEntries(deps.audit.requests, workload),
    ]);
    const newestFirst = [...decisions, ...requests].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
    const ids = [...new Set(newestFirst.flatMap(({ incidentId }) => incidentId ?? []))];
    const stored = await Promise.all(ids.map((id) => deps.incidents.get(id).catch(ignoreMalformed)));
    const known = stored
      .filter((incident) => incident !== undefined)
      .map((incident) => visibleIncident(incident, allowed.sight));
    const lines = auditedChanges(newestFirst);
    const incidents = await Promise.all(
      (await shown(deps, known.slice(0, incidentsShown))).map(async (each) => {
        const own = lines.filter((line) => 'incidentId' in line && line.incidentId === each.incident.id);
        return { ...each, changes: await Promise.all([...own].reverse().map((line) => titled(deps, line))) };
      }),
    );
    return {
      type: 'history',
      workload,
      incidents,
      more: Math.max(0, known.length - incidentsShown),
      silence: await deps.silences.of(workload),
    };
  };
}

/** What a person finds by a name. */
export interface FoundByName {
  readonly type: 'found';
  /** As it was typed. */
  readonly text: string;
  /** Open ones first. */
  readonly incidents: readonly ShownIncident[];
  readonly workloads: readonly WorkloadRef[];
  /** Names of workloads that resemble it, where none has it. */
  readonly near: readonly string[];
  /** Why the clusters could not be searched. */
  readonly unreadable: string | undefined;
}

export type FindByName = (request: {
  readonly by: string;
  readonly text: string;
}) => Promise<FoundByName | Refused>;

interface FindByNameDeps extends ListIncidentsDeps {
  readonly cluster: Pick<ClusterReader, 'find'>;
}

const maxIncidents = 5;
const maxWorkloads = 10;

/**
 * Finds workloads and incidents that the person may view, by a name in any spelling that a diagnosis takes.
 */
export function createFindByName(deps: FindByNameDeps): FindByName {
  return async ({ by, text }) => {
    const allowed = await sightOrRefused(deps.sights, by);
    if (allowed.type === 'refused') return allowed;
    const command = parseCommand(`diagnose ${text}`);
    const query = command.type === 'diagnose' ? command.query : { name: text.trim() };
    const [known, found] = await Promise.all([
      knownIncidents(deps, allowed.sight),
      deps.cluster.find(query, allowed.sight),
    ]);
    const { open, over } = openFirst(
      known.filter(({ workload: { namespace, name } }) => {
        const isNamespace = query.namespace === undefined || query.namespace === namespace;
        return isNamespace && name.includes(query.name.toLowerCase());
      }),
    );
    return {
      type: 'found',
      text,
      incidents: await shown(deps, [...open, ...over].slice(0, maxIncidents)),
      workloads: found.type === 'found' ? found.workloads.slice(0, maxWorkloads) : [],
      near: found.type === 'not-found' ? found.nearest.slice(0, maxWorkloads) : [],
      unreadable: found.type === 'unreadable' ? found.because : undefined,
    };
  };
}
