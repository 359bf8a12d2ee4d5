import type { Kind } from '../../kind.js';
import type { PlanSubject } from '../../plan-shape.js';
import { DeletePod, planDeletePod } from './plan.js';
import { text } from './text.js';

/** Deletes one pod, so that its controller replaces it. */
export const deletePod = {
  kind: 'delete-pod',
  schema: DeletePod,
  text,
  needs: ['PodDisruptionBudget'],
  plan: planDeletePod,
  isPlan: isDeletePodPlan,
} as const satisfies Kind<DeletePod>;

/** A DELETE of the pod that the remediation names, by its uid. It has no undo. */
function isDeletePodPlan({ remediation, plan }: PlanSubject<DeletePod>): boolean {
  const { target, request, changes, undo } = plan;
  return (
    target.apiVersion === 'v1' &&
    target.kind === 'Pod' &&
    target.name === remediation.pod &&
    target.uid === remediation.uid &&
    target.uid !== '' &&
    request.verb === 'delete' &&
    changes.length === 0 &&
    undo === undefined
  );
}
