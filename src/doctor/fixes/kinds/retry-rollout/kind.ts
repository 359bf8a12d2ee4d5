import type { Kind } from '../../kind.js';
import { isSame, type PlanSubject, targetsWorkload, type UndoSubject } from '../../plan-shape.js';
import { abortRequest, holdsUpdate } from '../../rollout-update.js';
import { planRetryRollout, RetryRollout, retryChanges } from './plan.js';
import { state, text } from './text.js';

/** Starts an aborted update of Argo Rollouts again. */
export const retryRollout = {
  kind: 'retry-rollout',
  schema: RetryRollout,
  text,
  plan: planRetryRollout,
  isPlan: isRetryRolloutPlan,
  isUndo: isRetryRolloutUndo,
  undoEffects: () => [state('undo-aborts')],
} as const satisfies Kind<RetryRollout>;

/** `status.abort` to false, of a Rollout, and nothing else. */
function isRetryRolloutPlan({ workload, plan }: PlanSubject<RetryRollout>): boolean {
  return (
    workload.kind === 'Rollout' &&
    targetsWorkload({ plan, workload }) &&
    holdsUpdate(plan.target) &&
    isSame(plan.request, abortRequest(false)) &&
    isSame(plan.changes, retryChanges)
  );
}

/** The same field to true again. */
function isRetryRolloutUndo({ undo }: UndoSubject<RetryRollout>): boolean {
  return (
    isSame(undo.request, abortRequest(true)) &&
    isSame(undo.expects, retryChanges) &&
    undo.expectsTemplateOf === undefined
  );
}
