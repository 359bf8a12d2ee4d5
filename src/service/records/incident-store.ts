import type { AuditEntry } from '../../doctor/audit/audit-entry.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import type { SharedRoot } from '../../doctor/incidents/shared-root.js';
import { DoctorError } from '../errors.js';

/** A write that lost: somebody else wrote first. */
export type Conflict = { readonly type: 'conflict' };

export interface IncidentStore {
  /**
   * Creates it, or gives the open incident of the same workload and place. The place is the channel and, for
   * people, the thread; alerts of one channel share an incident whatever thread they are in, and `reopen` one
   * that is over. With `joins`, an open one that is not meant keeps its card, and what comes later goes to
   * the new one.
   */
  open(
    incident: Incident,
    options?: { readonly reopen?: boolean; readonly joins?: (open: Incident) => boolean },
  ): Promise<{ readonly created: boolean; readonly incident: Incident }>;
  get(id: string): Promise<Incident | undefined>;
  /**
   * Stores `next` as version `next.version` if the stored one is `next.version - 1`, and records the decision
   * in the same write.
   */
  replace(next: Incident, decision?: AuditEntry): Promise<Incident | Conflict>;
  /** Ids of incidents that are not settled, oldest first; for the start-up sweep. */
  unsettled(): Promise<readonly string[]>;
  /** Newest incidents first. */
  recent(limit: number): Promise<readonly Incident[]>;
  /** The stored versions by id; an incident that is not there is left out. */
  versions(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Stores again what the store had confirmed before and lost since.
   *
   * @returns false where it has this version or a later one: nothing was lost
   */
  restore(incident: Incident): Promise<boolean>;
}

/** The incident of a channel that leads those affected by the same node or quota; a claim expires. */
export interface RootClaims {
  holder(channel: string, root: SharedRoot): Promise<string | undefined>;
  /**
   * Claims it unless another incident has it, and renews a claim of its own; gives the id of the one that has
   * it.
   */
  claim(channel: string, root: SharedRoot, incidentId: string): Promise<string>;
  /** Frees the claim if this incident has it. */
  release(channel: string, root: SharedRoot, incidentId: string): Promise<void>;
}

/** Far more than people and workers that write one incident at the same time. */
const maxAttempts = 50;

/**
 * Reads the incident, changes it and stores it by compare-and-set, again when somebody else wrote first.
 *
 * @param from its id; or the incident if it was read just now, which saves the first read
 * @param change pure; gives `undefined` or the same record when there is nothing to write
 * @param decisionOf gives the decision that is recorded in the same write
 * @returns the stored record, or `undefined` when the incident is gone or `change` wrote nothing
 * @throws DoctorError `record-conflict` when it never wins
 */
export async function updateIncident(
  incidents: IncidentStore,
  from: string | Incident,
  change: (incident: Incident) => Incident | undefined,
  decisionOf: (next: Incident) => AuditEntry | undefined = () => undefined,
): Promise<Incident | undefined> {
  let current = typeof from === 'string' ? await incidents.get(from) : from;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const next = current && change(current);
    if (next === undefined || next === current) return undefined;
    const stored = await incidents.replace(next, decisionOf(next));
    if (!('type' in stored)) return stored;
    current = await incidents.get(next.id);
  }
  throw new DoctorError({
    code: 'record-conflict',
    message: 'an incident was written by others at every attempt',
    retryable: true,
  });
}
