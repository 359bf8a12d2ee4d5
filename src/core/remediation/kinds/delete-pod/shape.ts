import type { PlanSubject } from '../../plan-shape.js';

/** A DELETE of the pod that the remediation names, by its uid. It has no undo. */
export function isDeletePodPlan({ remediation, plan }: PlanSubject<'delete-pod'>): boolean {
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
