import * as z from 'zod';
import { isReady, isTerminating } from '../../../../engine/objects/pod.js';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import { rolloutStateOf } from '../../../../engine/workloads/rollout-state.js';
import { budgetsOn } from '../../disruption-budgets.js';
import { offeredFields } from '../../offered-fields.js';
import type { Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';

/** The record of one remediation of this kind. */
export const DeletePod = z.object({
  kind: z.literal('delete-pod'),
  ...offeredFields,
  pod: z.string(),
  uid: z.string(),
  /** `experiment`: what becomes of its replacement decides between two causes. */
  purpose: z.enum(['experiment', 'unstick']),
  /** Seconds the replacement must stay ready to count as recovered: beyond the time it took to crash. */
  mustStayReadySeconds: z.number(),
});
export type DeletePod = Immutable<z.output<typeof DeletePod>>;

/**
 * A DELETE of that very pod: its uid is the precondition, so that a replacement of the same name is never
 * hit. There is no undo.
 *
 * @returns a refusal when the pod is gone, leaving or not the workload's, or a PodDisruptionBudget is against
 *   it
 */
export function planDeletePod({ id, pod: name, uid }: DeletePod, snapshot: Snapshot): Plan | Refusal {
  const pod = rolloutStateOf(snapshot).pods.find(({ metadata }) => metadata.uid === uid);
  if (pod === undefined || isTerminating(pod)) return refusal('gone', 'pod-gone', { pod: name });
  const budgets = budgetsOn(snapshot, pod);
  if (budgets.type === 'refused') {
    return refusal('not-applicable', 'pod-protected', { pod: name, budget: budgets.budget });
  }
  if (budgets.type === 'unread' && isReady(pod)) {
    return refusal('not-applicable', 'budgets-unread', { pod: name });
  }
  const { namespace } = pod.metadata;
  return {
    type: 'plan',
    remediationId: id,
    target: { apiVersion: 'v1', kind: 'Pod', namespace, name, uid },
    request: { verb: 'delete' },
    changes: [],
  };
}
