import type { Kind } from '../../kind.js';
import { isSame, type PlanSubject, targetsWorkload } from '../../plan-shape.js';
import { holdsUpdate } from '../../rollout-update.js';
import {
  controllerPausePath,
  PromoteRollout,
  pausePaths,
  pausesPath,
  planPromoteRollout,
  promotionRequest,
  stepPath,
} from './plan.js';
import { text } from './text.js';

/** Ends the pause at which an update of Argo Rollouts waits for a person. */
export const promoteRollout = {
  kind: 'promote-rollout',
  schema: PromoteRollout,
  text,
  plan: planPromoteRollout,
  isPlan: isPromoteRolloutPlan,
} as const satisfies Kind<PromoteRollout>;

/**
 * The pauses of a Rollout are removed; after an analysis without a conclusion, its step is passed as well.
 */
function isPromoteRolloutPlan({ workload, plan }: PlanSubject<PromoteRollout>): boolean {
  const [pauses, controllerPause, step] = plan.changes;
  const passesStep = plan.changes.length > 1;
  const after = step?.after;
  const isStep = typeof after === 'number' && after === Number(step?.before ?? 0) + 1;
  if (workload.kind !== 'Rollout' || !targetsWorkload({ plan, workload })) return false;
  if (!holdsUpdate(plan.target, pausePaths)) return false;
  if (!isSame(pathsOf(plan), passesStep ? [pausesPath, controllerPausePath, stepPath] : [pausesPath]))
    return false;
  if (pauses?.after !== undefined || (passesStep && (controllerPause?.after !== false || !isStep)))
    return false;
  const promotion = isStep ? ({ controllerPause: false, currentStepIndex: after } as const) : {};
  return isSame(plan.request, promotionRequest(promotion));
}

function pathsOf({ changes }: PlanSubject['plan']): readonly string[] {
  return changes.map(({ path }) => path);
}
