import type { NamedWorkload } from '../../doctor/commands/command.js';
import { visibleIncident } from '../../doctor/incidents/visible-incident.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { auditedChanges } from '../change/audited-changes.js';
import {
  type AuditTrailDeps,
  readEntries,
  recordedWorkload,
  type TitledAudited,
  titled,
  type Unmatched,
} from './audit-trail.js';
import type { Refused } from './conversation.js';
import { type ListIncidentsDeps, type ShownIncident, shown } from './list-incidents.js';
import type { Silence, SilenceStore } from './people-ports.js';
import { sightOrRefused } from './sights.js';

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
    const stored = await Promise.all(ids.map((id) => deps.incidents.get(id).catch(() => undefined)));
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
