import type { JsonObject } from '../../../cluster/wire.js';
import type { FieldChange } from '../../plan.js';
import {
  isMergePatch,
  isSame,
  type PlanSubject,
  targetsWorkload,
  type UndoSubject,
} from '../../plan-shape.js';
import { exclusionOf, requiredPath } from './node-exclusion.js';
import { affinityBody } from './plan.js';

/** The required node affinity with `NotIn` for exactly the named hostnames, worked out again from what was there. */
export function isExcludeNodesPlan({ workload, remediation, plan }: PlanSubject<'exclude-nodes'>): boolean {
  const { request, changes } = plan;
  const after = exclusionAfter(remediation, changes);
  return (
    targetsWorkload({ plan, workload }) &&
    after !== undefined &&
    isMergePatch(
      request,
      affinityBody({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: after } }),
    )
  );
}

/** The former value, or the removal of what had to be made for the exclusion. */
export function isExcludeNodesUndo({ remediation, undo }: UndoSubject<'exclude-nodes'>): boolean {
  const { request, expects, expectsTemplateOf } = undo;
  if (expectsTemplateOf !== undefined || exclusionAfter(remediation, expects) === undefined) return false;
  const before = expects[0]?.before;
  const former = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: before ?? null } };
  const removals = before === undefined ? [null, { nodeAffinity: null }] : [];
  return [former, ...removals].some((affinity) => isMergePatch(request, affinityBody(affinity)));
}

/** The value after the exclusion, where the changes are this one change. */
function exclusionAfter(
  { nodes }: PlanSubject<'exclude-nodes'>['remediation'],
  changes: readonly FieldChange[],
): unknown {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || nodes.length === 0) return undefined;
  const required = { requiredDuringSchedulingIgnoredDuringExecution: change.before };
  const template: JsonObject = { spec: { affinity: { nodeAffinity: required } } };
  const { after, changes: isChange } = exclusionOf(
    template,
    nodes.map(({ hostname }) => hostname),
  );
  return isChange && isSame(change, { path: requiredPath, before: change.before, after }) ? after : undefined;
}
