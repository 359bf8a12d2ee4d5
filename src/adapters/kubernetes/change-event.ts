import type { AuthenticApproval } from '../../core/incident/approval.js';
import { originOf } from '../../core/incident/change-origin.js';
import type { PlanTarget } from '../../core/remediation/plan.js';
import type { ApiRequest } from './api-call.js';
import { collectionPath } from './resource-paths.js';

/**
 * Names us in managedFields. Not kubectl-like: Flux drops fields of managers whose name starts with
 * `kubectl`.
 */
export const fieldManager = 'rollout-doctor';

/** The request for an Event on a changed object: what was done, and who approved it. */
export function changeEvent(
  approval: AuthenticApproval,
  { apiVersion, kind, namespace, name, uid }: PlanTarget,
  now: Date,
): Pick<ApiRequest, 'method' | 'path' | 'query' | 'body'> {
  const at = now.toISOString();
  const by = approval.decisions.filter(({ decision }) => decision === 'approve').map((each) => each.by);
  const done = `${approval.undoes ? 'undo of ' : ''}${approval.remediation.kind} ${reasonFor(approval)}`;
  return {
    method: 'POST',
    path: collectionPath('Event', namespace),
    query: { fieldManager },
    body: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${approval.id.slice(0, 16)}`, namespace },
      involvedObject: { apiVersion, kind, namespace, name, uid },
      reason: approval.undoes ? 'RemediationUndone' : 'RemediationApplied',
      message: `${done}, approved by ${by.join(', ')} (approval ${approval.id})`,
      type: 'Normal',
      source: { component: fieldManager },
      reportingComponent: fieldManager,
      reportingInstance: fieldManager,
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    },
  };
}

/** What an event says of the origin of a change. */
function reasonFor(approval: AuthenticApproval): string {
  const origin = originOf(approval);
  return origin.type === 'finding' ? `for ${origin.cause}` : `requested by ${origin.requester.by}`;
}
