import { parseCommand } from '../../doctor/commands/parse-command.js';
import { openFirst } from '../../doctor/incidents/open-first.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import type { Refused } from './conversation.js';
import { knownIncidents, type ListIncidentsDeps, type ShownIncident, shown } from './list-incidents.js';
import { sightOrRefused } from './sights.js';

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
