import type { Kind } from '../../kind.js';
import { isSame, type PlanSubject, targetsApps } from '../../plan-shape.js';
import { planScaleDownOld, ScaleDownOld } from './plan.js';
import { text } from './text.js';

/** Scales an old ReplicaSet of a Deployment down once. */
export const scaleDownOld = {
  kind: 'scale-down-old',
  schema: ScaleDownOld,
  text,
  plan: planScaleDownOld,
  isPlan: isScaleDownOldPlan,
} as const satisfies Kind<ScaleDownOld>;

/** A merge patch of the `scale` subresource of the named ReplicaSet, to fewer replicas. It has no undo. */
function isScaleDownOldPlan({ workload, remediation, plan }: PlanSubject<ScaleDownOld>): boolean {
  const { replicaSet, uid, from, to } = remediation;
  const { target, request, changes, undo } = plan;
  const body = { spec: { replicas: to } };
  return (
    workload.kind === 'Deployment' &&
    target.kind === 'ReplicaSet' &&
    target.name === replicaSet &&
    target.uid === uid &&
    targetsApps(target) &&
    Number.isInteger(to) &&
    to >= 0 &&
    to < from &&
    isSame(request, { verb: 'patch', patchType: 'merge', subresource: 'scale', body }) &&
    isSame(changes, [{ path: 'spec.replicas', before: from, after: to }]) &&
    undo === undefined
  );
}
