import { effect } from '../../effects-text.js';
import type { Kind } from '../../kind.js';
import {
  isMergePatch,
  isSame,
  type PlanSubject,
  targetsWorkload,
  type UndoSubject,
} from '../../plan-shape.js';
import { planResumeRollout, ResumeRollout } from './plan.js';
import { text } from './text.js';

/** Resumes a paused Deployment or Rollout. */
export const resumeRollout = {
  kind: 'resume-rollout',
  schema: ResumeRollout,
  text,
  plan: planResumeRollout,
  isPlan: isResumeRolloutPlan,
  isUndo: isResumeRolloutUndo,
  undoEffects: () => [effect('undo-pauses')],
} as const satisfies Kind<ResumeRollout>;

const changes = [{ path: 'spec.paused', before: true, after: false }];

/** A merge patch of `spec.paused` to false. */
function isResumeRolloutPlan({ workload, plan }: PlanSubject<ResumeRollout>): boolean {
  return (
    (workload.kind === 'Deployment' || workload.kind === 'Rollout') &&
    targetsWorkload({ plan, workload }) &&
    isMergePatch(plan.request, { spec: { paused: false } }) &&
    isSame(plan.changes, changes)
  );
}

function isResumeRolloutUndo({ undo }: UndoSubject<ResumeRollout>): boolean {
  return (
    isMergePatch(undo.request, { spec: { paused: true } }) &&
    isSame(undo.expects, changes) &&
    undo.expectsTemplateOf === undefined
  );
}
