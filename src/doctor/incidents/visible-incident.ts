import type { Diagnosis, RequestedForecast } from '../findings/diagnosis.js';
import { conclusionOf } from '../findings/main-finding.js';
import { hiddenNamesOf, visibleDiagnosis, withoutStatedNames } from '../findings/visible-diagnosis.js';
import { type Sight, visibleIn } from '../policy/view.js';
import type { Approval } from './approval.js';
import type { Incident } from './incident.js';

/**
 * An incident as those with this sight may read it, given that they may see its workload: its diagnosis
 * without what is not for them, and its group without workloads of namespaces that they may not see.
 */
export function visibleIncident(incident: Incident, sight: Sight): Incident {
  const { diagnosis, beforeFix, group: _group, change, pullRequest, approvalRequests, ...rest } = incident;
  const visible = diagnosis === undefined ? undefined : visibleDiagnosis(diagnosis, sight);
  const names = [diagnosis, beforeFix?.diagnosis].flatMap((each) =>
    each === undefined ? [] : hiddenNamesOf(each, sight),
  );
  const shared = visibleGroup(incident.group, sight);
  return {
    ...rest,
    ...(visible === undefined ? {} : { diagnosis: visible }),
    ...(beforeFix === undefined
      ? {}
      : { beforeFix: { ...beforeFix, diagnosis: visibleDiagnosis(beforeFix.diagnosis, sight) } }),
    ...(change === undefined ? {} : { change: withoutStatedNames(change, names) }),
    ...(pullRequest === undefined ? {} : { pullRequest: withoutStatedNames(pullRequest, names) }),
    ...(approvalRequests === undefined
      ? {}
      : { approvalRequests: withoutStatedNames(approvalRequests, names) }),
    ...(shared === undefined ? {} : { group: shared }),
  };
}

/** An approval of such an incident, without names that are not for these readers. */
export function visibleApproval<Found extends Approval | undefined>(
  approval: Found,
  { diagnosis }: Incident,
  sight: Sight,
): Found {
  if (approval === undefined || diagnosis === undefined) return approval;
  return withoutStatedNames(approval, hiddenNamesOf(diagnosis, sight));
}

function visibleGroup(group: Incident['group'], sight: Sight): Incident['group'] {
  if (group === undefined) return undefined;
  if (group.role === 'follows') return visibleIn(sight, group.workload).workload ? group : undefined;
  const members = group.members.filter(({ workload }) => visibleIn(sight, workload).workload);
  return members.length === group.members.length ? group : { ...group, members };
}

/**
 * How long the card of a command waits for its first diagnosis, which decides who sees the result. A
 * message to the person states meanwhile that the diagnosis is under way.
 */
const maxWaitMs = 30_000;

/** A command of a person about one workload, and nothing that other people need to see. */
function isForOne({ origin, alerts, change, pullRequest, assignee }: Incident): boolean {
  return (
    origin.via === 'command' &&
    origin.by !== undefined &&
    [alerts, change, pullRequest, assignee].every((each) => each === undefined)
  );
}

/**
 * Nothing that a channel has to act on: no problem, and no requested change that would work, as far as it is
 * forecast.
 */
function isCalm(diagnosis: Diagnosis, { requested, phase }: Incident): boolean {
  if (conclusionOf(diagnosis) !== 'nothing') return false;
  if (requested === undefined) return true;
  return diagnosis.requested === undefined ? phase === 'diagnosing' : cannotWork(diagnosis.requested);
}

/** A requested change that is not possible, or whose rollout would not complete. */
function cannotWork(forecast: RequestedForecast): boolean {
  return forecast.type === 'impossible' || forecast.stops !== undefined;
}

/**
 * A diagnosis that found no problem is no news for a channel, and neither is a request that cannot work: only
 * the person who asked sees it, until that person shares it. A card that the channel has already is not taken
 * away.
 */
export function isPrivateResult(incident: Incident): boolean {
  return incident.phase === 'diagnosed' && hasCalmResultForOne(incident);
}

function hasCalmResultForOne(incident: Incident): boolean {
  const { diagnosis, successor, shared, group } = incident;
  if (diagnosis === undefined || shared === true) return false;
  if (successor !== undefined || group !== undefined) return false;
  // A rollout in progress is diagnosed again by itself: its card shows each result in place.
  if (diagnosis.underWay !== undefined) return false;
  return isForOne(incident) && isCalm(diagnosis, incident);
}

/**
 * Whether its card may be missing for the reason that one person gets the result: each further person who
 * asks receives it as well.
 */
export function mayBePrivate(incident: Incident): boolean {
  const { diagnosis, shared } = incident;
  if (shared === true || !isForOne(incident)) return false;
  return diagnosis === undefined || isCalm(diagnosis, incident);
}

/**
 * How long its card is held back until it is known who sees the result, in milliseconds; 0: no longer. The
 * time begins with the diagnosis: with the command, or when a private result is diagnosed again.
 */
export function heldBackMs(incident: Incident, now: Date): number {
  const { phase, diagnosis, createdAt, updatedAt, shared } = incident;
  if (phase !== 'diagnosing' || shared === true || !isForOne(incident)) return 0;
  if (diagnosis !== undefined && !hasCalmResultForOne(incident)) return 0;
  const since = Date.parse(diagnosis === undefined ? createdAt : updatedAt);
  return Math.max(0, maxWaitMs - (now.getTime() - since));
}

/**
 * Shares a private result with the channel, also while it is diagnosed again: the person saw it. `undefined`
 * when it is none.
 */
export function shareResult(incident: Incident, at: string): Incident | undefined {
  const { phase } = incident;
  if (phase !== 'diagnosed' && phase !== 'diagnosing') return undefined;
  if (!hasCalmResultForOne(incident)) return undefined;
  return { ...incident, version: incident.version + 1, updatedAt: at, shared: true };
}
