import type { WorkloadKind, WorkloadRef } from '../../../../engine/objects/workload.js';
import type { Kind } from '../../kind.js';
import type { FieldChange, SecondStepPlan, TemplateSource } from '../../plan.js';
import { isSame, type PlanSubject, targetsWorkload, type UndoSubject } from '../../plan-shape.js';
import { planUndoRollout, UndoRollout } from './plan.js';
import { text } from './text.js';

/** Puts the pod template of a kept revision back. */
export const undoRollout = {
  kind: 'undo-rollout',
  schema: UndoRollout,
  text,
  needs: ['ReplicaSet', 'ControllerRevision', 'PodDisruptionBudget'],
  plan: planUndoRollout,
  isPlan: isUndoRolloutPlan,
  isUndo: isUndoRolloutUndo,
} as const satisfies Kind<UndoRollout>;

/**
 * The template of the revision that the remediation names, and fields of the template only; as a second step
 * the deletion of the pods that the remediation names.
 */
function isUndoRolloutPlan({ workload, remediation, plan }: PlanSubject<UndoRollout>): boolean {
  const { from } = remediation;
  return (
    targetsWorkload({ plan, workload }) &&
    keepsTemplatesOf(workload.kind, from) &&
    isSame(plan.request, { verb: 'restore-template', from }) &&
    changesTemplateOnly(plan.changes) &&
    (plan.afterwards === undefined || deletesNamedPods(plan.afterwards, remediation, workload))
  );
}

/**
 * Pods of this StatefulSet by name and uid, each once. That its controller owns the pods, the cluster says:
 * the patcher asks right before each deletion.
 */
function deletesNamedPods(
  { pods }: SecondStepPlan,
  { thenDelete = [] }: PlanSubject<UndoRollout>['remediation'],
  { kind, name }: WorkloadRef,
): boolean {
  const uids = new Set(pods.map(({ uid }) => uid));
  return (
    kind === 'StatefulSet' &&
    pods.length > 0 &&
    uids.size === pods.length &&
    !uids.has('') &&
    pods.every((pod) => isPodOf(name, pod.name)) &&
    isSame(
      pods.map((pod) => pod.name),
      thenDelete,
    )
  );
}

/** A StatefulSet names its pods by their ordinals (kubernetes `stateful_set_utils.go: getPodName`). */
function isPodOf(statefulSet: string, pod: string): boolean {
  return pod.startsWith(`${statefulSet}-`) && /^(0|[1-9][0-9]{0,9})$/.test(pod.slice(statefulSet.length + 1));
}

/** Back to the revision that was given up; the template must still be the one that the change restored. */
function isUndoRolloutUndo({ workload, remediation, undo }: UndoSubject<UndoRollout>): boolean {
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
  const rollsByReplicaSets = kind === 'Deployment' || kind === 'Rollout';
  return source === (rollsByReplicaSets ? 'ReplicaSet' : 'ControllerRevision');
}
