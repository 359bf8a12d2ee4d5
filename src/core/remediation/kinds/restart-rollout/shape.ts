import { type PlanSubject, targetsWorkload } from '../../plan-shape.js';
import { restartedAtPath } from './plan.js';

/** A restart, whose one field the patcher sets at the moment of the change. It has no undo. */
export function isRestartRolloutPlan({ workload, plan }: PlanSubject<'restart-rollout'>): boolean {
  const [change, ...others] = plan.changes;
  return (
    targetsWorkload({ plan, workload }) &&
    plan.request.verb === 'restart' &&
    change?.path === restartedAtPath &&
    change.after === '<now>' &&
    others.length === 0 &&
    plan.undo === undefined
  );
}
