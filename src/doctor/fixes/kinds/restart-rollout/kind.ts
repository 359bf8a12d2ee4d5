import type { WorkloadKind } from '../../../../engine/objects/workload.js';
import type { Kind } from '../../kind.js';
import { targetedFields } from '../../owner-target.js';
import { type PlanSubject, targetsWorkload } from '../../plan-shape.js';
import { ownerPath, planRestartRollout, RestartRollout, restartedAtPath } from './plan.js';
import { text } from './text.js';

/** Does what `kubectl rollout restart` does. */
export const restartRollout = {
  kind: 'restart-rollout',
  schema: RestartRollout,
  text,
  plan: planRestartRollout,
  isPlan: isRestartRolloutPlan,
} as const satisfies Kind<RestartRollout>;

/** Their pod templates are in fields that a restart does not change. */
const withoutRestart: ReadonlySet<WorkloadKind> = new Set<WorkloadKind>([
  'KnativeService',
  'RayService',
  'DynamoGraphDeployment',
]);

/** A restart, whose one field the patcher sets at the moment of the change. It has no undo. */
function isRestartRolloutPlan({ workload, plan }: PlanSubject<RestartRollout>): boolean {
  const [change, ...others] = plan.changes;
  const fields = targetedFields(plan, workload);
  return (
    !withoutRestart.has(workload.kind) &&
    (fields !== undefined || targetsWorkload({ plan, workload })) &&
    plan.request.verb === 'restart' &&
    change?.path === (fields === undefined ? restartedAtPath(workload.kind) : ownerPath(fields)) &&
    change.after === '<now>' &&
    others.length === 0 &&
    plan.undo === undefined
  );
}
