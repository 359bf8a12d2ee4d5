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
