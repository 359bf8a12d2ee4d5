import type { Kind } from '../../kind.js';
import { isSame, type PlanSubject, targetsWorkload, type UndoSubject } from '../../plan-shape.js';
import { abortRequest } from '../../rollout-update.js';
import { AbortRollout, abortChanges, planAbortRollout } from './plan.js';
import { state, text } from './text.js';

/** Aborts the update of a Rollout of Argo Rollouts. */
export const abortRollout = {
  kind: 'abort-rollout',
  schema: AbortRollout,
  text,
  plan: planAbortRollout,
  isPlan: isAbortRolloutPlan,
  isUndo: isAbortRolloutUndo,
  undoEffects: () => [state('undo-retries')],
} as const satisfies Kind<AbortRollout>;

/** `status.abort` to true, of a Rollout, and nothing else. */
function isAbortRolloutPlan({ workload, plan }: PlanSubject<AbortRollout>): boolean {
  return (
    workload.kind === 'Rollout' &&
    targetsWorkload({ plan, workload }) &&
    isSame(plan.request, abortRequest(true)) &&
    isSame(plan.changes, abortChanges)
  );
}

/** The same field to false again. */
function isAbortRolloutUndo({ undo }: UndoSubject<AbortRollout>): boolean {
  return (
    isSame(undo.request, abortRequest(false)) &&
    isSame(undo.expects, abortChanges) &&
    undo.expectsTemplateOf === undefined
  );
}
