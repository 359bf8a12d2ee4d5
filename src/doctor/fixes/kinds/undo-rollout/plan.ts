import * as z from 'zod';
import { isReady, isTerminating } from '../../../../engine/objects/pod.js';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import type { WorkloadKind, WorkloadRef } from '../../../../engine/objects/workload.js';
import { hasOrdinals, hasReplicaSets, hasSteps, isPaused } from '../../../../engine/objects/workload.js';
import { declaredTemplate } from '../../../../engine/workloads/argo-rollout/replica-set-roles.js';
import { type RolloutState, rolloutStateOf } from '../../../../engine/workloads/rollout-state.js';
import { sameTemplate } from '../../../../engine/workloads/template-equality.js';
import { budgetsOn } from '../../considered.js';
import type { Kind } from '../../kind.js';
import { offeredFields } from '../../offered-fields.js';
import { refusedByOwner, targetOf } from '../../owner-target.js';
import type { FieldChange, Plan, PlanSubject, Refusal, SecondStepPlan, UndoSubject } from '../../plan.js';
import { isSame, TemplateSource, targetsWorkload } from '../../plan.js';
import { refusal } from '../../refusals.js';
import {
  currentSource,
  isTemplateElsewhere,
  templateChanges,
  templateFrom,
  templateText,
} from '../../template-changes.js';
import { text } from './text.js';

/** The record of one remediation of this kind. */
export const UndoRollout = z.object({
  kind: z.literal('undo-rollout'),
  ...offeredFields,
  toRevision: z.number(),
  /** Keeps the template to go back to. */
  from: TemplateSource,
  /**
   * Pods that an OrderedReady StatefulSet does not replace by itself: the second step of the plan deletes
   * them.
   */
  thenDelete: z.array(z.string()).optional(),
  /** The object that keeps the present template was not read, so nothing could bring it back. */
  hasNoUndo: z.literal(true).optional(),
});
export type UndoRollout = Immutable<z.output<typeof UndoRollout>>;

/**
 * The workload's pod template becomes that of a kept revision, as `kubectl rollout undo` does, but under uid
 * and resourceVersion (kubectl `rollback.go` patches without a precondition). The undo brings the present
 * revision back, as long as the cluster keeps it and nobody changes the template meanwhile.
 *
 * @returns a refusal when the Deployment is paused, the revision is no longer kept, the template is that one
 *   already, or a pod of the second step is gone, ready or protected by a PodDisruptionBudget
 */
function planUndoRollout(
  { id, kind, from, toRevision, thenDelete }: UndoRollout,
  snapshot: Snapshot,
): Plan | Refusal {
  const { workload } = snapshot;
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (isPaused(workload)) {
    return refusal('paused', 'paused', { workload: name });
  }
  const refused = refusedByOwner('owner-keeps-no-revision', workload);
  if (refused !== undefined) return refused;
  const state = rolloutStateOf(snapshot);
  const template = templateFrom(state, from);
  if (template === undefined) {
    return refusal('gone', 'revision-gone', { workload: name, revision: toRevision });
  }
  const isChanged = isTemplateElsewhere(workload) || !isKeptAsDeclared(state, from);
  if (isChanged) return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  if (sameTemplate(template, workload.spec.template)) {
    return refusal('already-applied', 'already-applied', { workload: name });
  }
  const afterwards = thenDelete && planSecondStep(thenDelete, state, snapshot);
  if (afterwards !== undefined && 'type' in afterwards) return afterwards;
  const present = currentSource(state);
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: { verb: 'restore-template', from },
    changes: templateChanges(workload.spec.template.raw, template.raw),
    ...(afterwards === undefined ? {} : { afterwards }),
    ...(present === undefined
      ? {}
      : {
          undo: {
            request: { verb: 'restore-template', from: present },
            expects: [],
            expectsTemplateOf: from,
          },
        }),
  };
}

/**
 * The patcher copies the template that the revision keeps, with whatever the controller of a Rollout has
 * added to it.
 */
function isKeptAsDeclared(state: RolloutState, { uid }: UndoRollout['from']): boolean {
  if (!hasSteps(state)) return true;
  const kept = state.replicaSets.find(({ metadata }) => metadata.uid === uid);
  return (
    kept !== undefined && templateText(kept.spec.template.raw) === templateText(declaredTemplate(kept).raw)
  );
}

/** The pods of these names by uid, under the conditions of `delete-pod`. */
function planSecondStep(
  names: readonly string[],
  { pods }: RolloutState,
  snapshot: Snapshot,
): SecondStepPlan | Refusal {
  const planned: { readonly name: string; readonly uid: string }[] = [];
  for (const name of names) {
    const pod = pods.find(({ metadata }) => metadata.name === name);
    if (pod === undefined || isTerminating(pod)) return refusal('gone', 'pod-gone', { pod: name });
    if (isReady(pod)) return refusal('finding-gone', 'pod-ready', { pod: name });
    const budgets = budgetsOn(snapshot, pod);
    if (budgets.type === 'refused') {
      return refusal('not-applicable', 'pod-protected', { pod: name, budget: budgets.budget });
    }
    planned.push({ name, uid: pod.metadata.uid });
  }
  return { verb: 'delete-pods', pods: planned };
}

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
    hasOrdinals({ kind }) &&
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
  const rollsByReplicaSets = hasReplicaSets({ kind });
  return source === (rollsByReplicaSets ? 'ReplicaSet' : 'ControllerRevision');
}
