import type { WorkloadKind } from '../../../cluster/workload.js';
import type { FieldChange, TemplateSource } from '../../plan.js';
import { isSame, type PlanSubject, targetsWorkload, type UndoSubject } from '../../plan-shape.js';

/** The template of the revision that the remediation names, and fields of the template only. */
export function isUndoRolloutPlan({ workload, remediation, plan }: PlanSubject<'undo-rollout'>): boolean {
  const { from } = remediation;
  return (
    targetsWorkload({ plan, workload }) &&
    keepsTemplatesOf(workload.kind, from) &&
    isSame(plan.request, { verb: 'restore-template', from }) &&
    changesTemplateOnly(plan.changes)
  );
}

/** Back to the revision that was given up; the template must still be the one that the change restored. */
export function isUndoRolloutUndo({ workload, remediation, undo }: UndoSubject<'undo-rollout'>): boolean {
  const { request, expects, expectsTemplateOf } = undo;
  return (
    request.verb === 'restore-template' &&
    keepsTemplatesOf(workload.kind, request.from) &&
    request.from.uid !== remediation.from.uid &&
    expects.length === 0 &&
    isSame(expectsTemplateOf, remediation.from)
  );
}

/** A plan that undoes lists the fields of the template, which the stored way back does not. */
export function changesTemplateOnly(changes: readonly FieldChange[]): boolean {
  return changes.every(({ path }) => path.startsWith('spec.template.') || path === 'spec.template');
}

function keepsTemplatesOf(kind: WorkloadKind, { kind: source }: TemplateSource): boolean {
  return source === (kind === 'Deployment' ? 'ReplicaSet' : 'ControllerRevision');
}
