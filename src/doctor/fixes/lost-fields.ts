import type { Snapshot } from '../../engine/objects/snapshot.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { fieldOf } from './field-at.js';
import { isAfter } from './holds.js';
import { undoneObjectOf } from './owner-target.js';
import type { FieldChange, TemplateSource, UndoPlan } from './plan.js';
import { templateChanges } from './template-changes.js';
import { templateFrom } from './template-source.js';

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
