import {
  isMergePatch,
  isSame,
  type PlanSubject,
  targetsWorkload,
  type UndoSubject,
} from '../../plan-shape.js';

const changes = [{ path: 'spec.paused', before: true, after: false }];

/** A merge patch of `spec.paused` to false, of a Deployment. */
export function isResumeRolloutPlan({ workload, plan }: PlanSubject<'resume-rollout'>): boolean {
  return (
    workload.kind === 'Deployment' &&
    targetsWorkload({ plan, workload }) &&
    isMergePatch(plan.request, { spec: { paused: false } }) &&
    isSame(plan.changes, changes)
  );
}

export function isResumeRolloutUndo({ undo }: UndoSubject<'resume-rollout'>): boolean {
  return (
    isMergePatch(undo.request, { spec: { paused: true } }) &&
    isSame(undo.expects, changes) &&
    undo.expectsTemplateOf === undefined
  );
}
