import type { Diagnosis } from '../findings/diagnosis.js';
import { mainFindingOf } from '../findings/main-finding.js';
import { isBound, isUnasked } from './group-rows.js';
import type { Incident, IncidentIdentity } from './incident.js';
import { askedAgain, initiatorsOf } from './incident-transitions.js';
import { isSameRoot, sharedRootOf } from './shared-root.js';

const lineageMost = 10;

function identityOf(diagnosis: Diagnosis): IncidentIdentity | undefined {
  const { main } = mainFindingOf(diagnosis);
  return main === undefined ? undefined : { revision: diagnosis.revision, cause: main.cause };
}

/**
 * What a fresh diagnosis is about, where it is another incident than the one that looked: alerts of one
 * workload with another revision or cause. `undefined` where it is the same, where one of the two found no
 * trouble (the incident ends or begins again), and where people asked, whose card shows whatever is found.
 * The card of a group is about what its incidents share, and nothing else.
 */
export function anotherIncident(incident: Incident, now: Diagnosis): IncidentIdentity | undefined {
  const { diagnosis, alerts, group } = incident;
  const found = identityOf(now);
  const isForGroup = isBound(incident) && isUnasked(incident);
  if (found !== undefined && isForGroup && !isSameRoot(sharedRootOf(now), group?.root)) return found;
  if (diagnosis === undefined || alerts === undefined) return undefined;
  const before = identityOf(diagnosis);
  return before === undefined || found === undefined || isSame(before, found) ? undefined : found;
}

function isSame(left: IncidentIdentity, right: IncidentIdentity): boolean {
  return left.revision === right.revision && left.cause === right.cause;
}

/** The incident of the same alerts that was about this before. */
export function earlierIncident({ lineage = [] }: Incident, about: IncidentIdentity): string | undefined {
  return lineage.find((each) => isSame(each, about))?.id;
}

/**
 * This incident is over, and `successor` goes on; `undefined` when the record has moved on to another
 * diagnosis.
 */
export function succeededBy(
  incident: Incident,
  look: number,
  successor: string,
  at: string,
): Incident | undefined {
  if (incident.phase !== 'diagnosing' || incident.look !== look) return undefined;
  return {
    ...incident,
    version: incident.version + 1,
    updatedAt: at,
    phase: 'diagnosed',
    approvalId: undefined,
    assignee: undefined,
    successor,
  };
}

/**
 * A new incident in the place of one that is over: same workload and alerts, and the thread that those came
 * from.
 */
export function successorOf(incident: Incident, id: string, at: string): Incident {
  const { workload, origin, askers, language, channel, threadTs, alerts, requested } = incident;
  return {
    v: 1,
    id,
    version: 1,
    phase: 'diagnosing',
    workload,
    origin,
    ...(askers === undefined ? {} : { askers }),
    createdAt: at,
    updatedAt: at,
    language,
    channel,
    ...(threadTs === undefined ? {} : { threadTs }),
    occurrences: 1,
    ...(alerts === undefined ? {} : { alerts }),
    lineage: lineageWith(incident),
    ...(requested === undefined ? {} : { requested }),
    look: 1,
  };
}

/**
 * An incident that was over and comes back, with what its successor learned; `undefined` when it goes on
 * already.
 */
export function comesBack(incident: Incident, after: Incident, at: string): Incident | undefined {
  if (incident.successor === undefined) return undefined;
  const { successor: _over, ...open } = incident;
  const askers = initiatorsOf({
    origin: open.origin,
    askers: [...initiatorsOf(open), ...initiatorsOf(after)],
  });
  return {
    ...askedAgain(open, at),
    ...(askers.length === 0 ? {} : { askers }),
    ...(after.alerts === undefined ? {} : { alerts: after.alerts }),
    lineage: lineageWith(after),
    ...(after.requested === undefined ? {} : { requested: after.requested }),
  };
}

function lineageWith({ id, diagnosis, lineage = [] }: Incident): NonNullable<Incident['lineage']> {
  const about = diagnosis === undefined ? undefined : identityOf(diagnosis);
  const others = lineage.filter((each) => each.id !== id);
  return (about === undefined ? others : [...others, { ...about, id }]).slice(-lineageMost);
}
