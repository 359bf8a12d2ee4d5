import type { WorkloadKind } from '../../../cluster/workload.js';
import type { Kind } from '../../kind.js';
import { type PlanSubject, targetsWorkload } from '../../plan-shape.js';
import { planRestartRollout, RestartRollout, restartedAtPath } from './plan.js';
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
  'LeaderWorkerSet',
  'KnativeService',
  'RayService',
  'DynamoGraphDeployment',
]);

/** A restart, whose one field the patcher sets at the moment of the change. It has no undo. */
function isRestartRolloutPlan({ workload, plan }: PlanSubject<RestartRollout>): boolean {
  const [change, ...others] = plan.changes;
  return (
    !withoutRestart.has(workload.kind) &&
    targetsWorkload({ plan, workload }) &&
    plan.request.verb === 'restart' &&
    change?.path === restartedAtPath(workload.kind) &&
    change.after === '<now>' &&
    others.length === 0 &&
    plan.undo === undefined
  );
}
