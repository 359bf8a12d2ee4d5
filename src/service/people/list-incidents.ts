import type { MessageRef } from '../../doctor/incidents/delivery.js';
import { withoutListed } from '../../doctor/incidents/group-rows.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { mostSevereFirst, openFirst, withoutRepeated } from '../../doctor/incidents/open-first.js';
import { shareResult, visibleIncident } from '../../doctor/incidents/visible-incident.js';
import { type Sight, visibleIn } from '../../doctor/policy/view.js';
import { cardKey, enqueueCard } from '../deliver/delivery-jobs.js';
import type { DeliveryStore } from '../deliver/incident-thread.js';
import { type DiagnoseAgainDeps, incidentFor, type ViewDeps } from '../diagnose/diagnose-again.js';
import { notice, refuse } from '../notices/notices.js';
import type { IncidentStore } from '../records/incident-store.js';
import { updateIncident } from '../records/incident-store.js';
import type { ReadIncident, Refused } from './conversation.js';
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
    unsettled.filter((id) => !known.has(id)).map((id) => incidents.get(id).catch(() => undefined)),
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
      card: (await deliveries.get(cardKey(incident.id)))?.message,
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
