import * as z from 'zod';
import { isReady, isTerminating } from '../../../../engine/objects/pod.js';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import { isPaused } from '../../../../engine/objects/workload.js';
import { declaredTemplate } from '../../../../engine/workloads/argo-rollout/replica-set-roles.js';
import { type RolloutState, rolloutStateOf } from '../../../../engine/workloads/rollout-state.js';
import { sameTemplate } from '../../../../engine/workloads/template-equality.js';
import { budgetsOn } from '../../disruption-budgets.js';
import { offeredFields } from '../../offered-fields.js';
import { refusedByOwner } from '../../owner-target.js';
import type { Plan, Refusal, SecondStepPlan } from '../../plan.js';
import { TemplateSource } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { templateText } from '../../restored-template.js';
import { targetOf } from '../../target-of.js';
import { templateChanges } from '../../template-changes.js';
import { currentSource, isTemplateElsewhere, templateFrom } from '../../template-source.js';

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
export function planUndoRollout(
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
  if (state.kind !== 'Rollout') return true;
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
