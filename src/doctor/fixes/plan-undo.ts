import type { Snapshot } from '../../engine/objects/snapshot.js';
import { isObject } from '../../engine/objects/wire.js';
import { hasSteps, isPaused } from '../../engine/objects/workload.js';
import { stepsOf } from '../../engine/owners/field-drift.js';
import { isFullyPromoted } from '../../engine/workloads/argo-rollout/reconciliation.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { fieldOf, pathBelow } from './field-at.js';
import { isAfter, nameAt, shownValue } from './forecast-change.js';
import { ownerRefusal, targetOf, undoneObjectOf, valueAt } from './owner-target.js';
import type { FieldChange, Plan, Refusal, TemplateSource, UndoPlan } from './plan.js';
import { canonicalJson } from './plan.js';
import { refusal } from './refusals.js';
import { updateTargetOf } from './rollout-update.js';
import { templateChanges, templateFrom } from './template-changes.js';

/**
 * Plans to put back what a change replaced. Refused as `drifted` when a field no longer holds what the change
 * wrote: somebody else decided something since, and that is not ours to undo. A template is not put back
 * while the Deployment is paused, as kubectl does not either.
 */
export function planUndo(remediationId: string, undo: UndoPlan, snapshot: Snapshot): Plan | Refusal {
  const { workload } = snapshot;
  const object = undoneObjectOf(undo, snapshot);
  if (object === undefined) return goneOwner(undo, workload.metadata.namespace);
  const { namespace, name } = object.metadata;
  const subject = `${namespace}/${name}`;
  const { request, expects } = undo;
  const drifted = lostFields(undo, snapshot)[0]?.path ?? addedWithin(undo, object);
  if (drifted !== undefined) {
    const found = shownValue(nameAt(drifted), fieldOf(object, drifted));
    const values = {
      workload: subject,
      path: drifted,
      found: found === undefined ? '-' : canonicalJson(found),
    };
    return refusal('drifted', 'drifted', values);
  }
  const writesStatus = request.verb === 'patch' && request.subresource === 'status';
  const updated = writesStatus && hasSteps(workload) ? workload : undefined;
  // The controller takes an abort back then (argo-rollouts `rollout/controller.go: newRolloutContext`).
  if (updated !== undefined && isFullyPromoted(updated)) {
    return refusal('not-applicable', 'update-over', { workload: subject });
  }
  const startsRollout = expects.some(({ path }) => path.startsWith('spec.template.'));
  if ((startsRollout || request.verb === 'restore-template') && isPaused(workload)) {
    return refusal('paused', 'paused', { workload: subject });
  }
  const planned = {
    type: 'plan',
    remediationId: `undo-${remediationId}`,
    target: updated === undefined ? targetOf(object) : updateTargetOf(updated),
  } as const;
  if (request.verb !== 'restore-template') {
    const changes = expects.map(({ path, before, after }) => ({ path, before: after, after: before }));
    return { ...planned, request, changes };
  }
  const template = templateFrom(rolloutStateOf(snapshot), request.from);
  if (template === undefined) {
    return refusal('gone', 'template-gone', { workload: subject, from: request.from.name });
  }
  return { ...planned, request, changes: templateChanges(workload.spec.template.raw, template.raw) };
}

/**
 * A field that somebody has added since to an affinity that the undo would remove as a whole, because the
 * change had to make it.
 */
function addedWithin(
  { request, expects: [change, ...others] }: UndoPlan,
  object: Parameters<typeof fieldOf>[0],
): string | undefined {
  const steps = change === undefined || others.length > 0 ? [] : stepsOf(change.path);
  if (request.verb !== 'patch' || request.patchType !== 'merge' || !steps.includes('affinity'))
    return undefined;
  const removed = steps.findIndex((_, at) => valueAt(request.body, steps.slice(0, at)) === null);
  for (let at = removed; removed >= 0 && at < steps.length; at += 1) {
    const parent = steps.slice(0, at).join('.');
    const found = fieldOf(object, parent);
    const added = isObject(found) ? Object.keys(found).find((key) => key !== steps[at]) : undefined;
    if (added !== undefined) return pathBelow(parent, added);
  }
  return undefined;
}

function goneOwner({ of }: UndoPlan, namespace: string): Refusal {
  return ownerRefusal('owner-unread', { kind: of?.kind ?? '', namespace, name: of?.name ?? '' });
}

/**
 * Fields that no longer hold what a change wrote, as the change had them. A template whose revision is gone
 * cannot be compared: then the whole template counts as lost. Of an owner that was not read, none is.
 */
export function lostFields(
  { expects, expectsTemplateOf, of }: Pick<UndoPlan, 'expects' | 'expectsTemplateOf' | 'of'>,
  snapshot: Snapshot,
): readonly FieldChange[] {
  const object = undoneObjectOf({ of }, snapshot);
  if (object === undefined) return [];
  return [
    ...expects.filter((change) => !isAfter(change, fieldOf(object, change.path))),
    ...(expectsTemplateOf === undefined ? [] : lostTemplate(snapshot, expectsTemplateOf)),
  ];
}

function lostTemplate(snapshot: Snapshot, source: TemplateSource): readonly FieldChange[] {
  const wrote = templateFrom(rolloutStateOf(snapshot), source);
  if (wrote === undefined) return [{ path: 'spec.template' }];
  return templateChanges(snapshot.workload.spec.template.raw, wrote.raw);
}
