import type { WorkloadRef } from '../core/cluster/workload.js';
import type { NamedWorkload } from '../core/command/command.js';
import {
  type AuditTrailDeps,
  entriesOf,
  recordedWorkload,
  type TitledAudited,
  titled,
  type Unmatched,
} from './audit-trail.js';
import { auditedChanges } from './audited-changes.js';
import type { Refused } from './conversation.js';
import { type ListIncidentsDeps, type ShownIncident, shown } from './list-incidents.js';
import type { Silence, SilenceStore } from './people-ports.js';

/** An incident of the workload, and what was decided in it. */
export interface PastIncident extends ShownIncident {
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

export interface WorkloadHistoryDeps extends AuditTrailDeps, ListIncidentsDeps {
  readonly silences: Pick<SilenceStore, 'of'>;
}

const incidentsShown = 8;

/** Incidents, findings, approvals and verdicts of one workload, as long as the records are kept. */
export function createReadHistory(deps: WorkloadHistoryDeps): ReadHistory {
  return async ({ by, query }) => {
    const allowed = await deps.mayLook(by);
    if (allowed.type === 'refused') return allowed;
    const matched = await recordedWorkload(deps.audit, query);
    if (matched.type !== 'one') return matched;
    const { workload } = matched;
    const { entries } = await entriesOf(deps.audit, workload);
    const ids = [...new Set(entries.flatMap(({ incidentId }) => incidentId ?? []))];
    const stored = await Promise.all(ids.map((id) => deps.incidents.get(id).catch(() => undefined)));
    const known = stored.filter((incident) => incident !== undefined);
    const lines = auditedChanges(entries);
    const incidents = await Promise.all(
      (await shown(deps, known.slice(0, incidentsShown))).map(async (each) => {
        const own = lines.filter((line) => line.type === 'change' && line.incidentId === each.incident.id);
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
