import type { Snapshot } from '../../../cluster/snapshot.js';
import type { JsonObject } from '../../../cluster/wire.js';
import { effect } from '../../effects-text.js';
import type { Kind } from '../../kind.js';
import type { FieldChange } from '../../plan.js';
import {
  isMergePatch,
  isSame,
  type PlanSubject,
  targetsWorkload,
  type UndoSubject,
} from '../../plan-shape.js';
import { exclusionOf, requiredPath } from './node-exclusion.js';
import { affinityBody, ExcludeNodes, planExcludeNodes } from './plan.js';
import { text } from './text.js';

/** Keeps the pods of a workload off some nodes. */
export const excludeNodes = {
  kind: 'exclude-nodes',
  schema: ExcludeNodes,
  text,
  needs: ['Node'],
  plan: planExcludeNodes,
  isPlan: isExcludeNodesPlan,
  isUndo: isExcludeNodesUndo,
  reminder: { afterHours: ({ remindAfterHours }) => remindAfterHours, isInForce: stillExcluded },
  undoEffects: ({ nodes }) => [effect('undo-allows-nodes', { nodes: nodes.map(({ name }) => name) })],
} as const satisfies Kind<ExcludeNodes>;

/** The required node affinity with `NotIn` for exactly the named hostnames, worked out again from what was there. */
function isExcludeNodesPlan({ workload, remediation, plan }: PlanSubject<ExcludeNodes>): boolean {
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
function isExcludeNodesUndo({ remediation, undo }: UndoSubject<ExcludeNodes>): boolean {
  const { request, expects, expectsTemplateOf } = undo;
  if (expectsTemplateOf !== undefined || exclusionAfter(remediation, expects) === undefined) return false;
  const before = expects[0]?.before;
  const former = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: before ?? null } };
  const removals = before === undefined ? [null, { nodeAffinity: null }] : [];
  return [former, ...removals].some((affinity) => isMergePatch(request, affinityBody(affinity)));
}

/** The value after the exclusion, where the changes are this one change. */
function exclusionAfter(
  { nodes }: PlanSubject<ExcludeNodes>['remediation'],
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

/** Whether the workload's template keeps all these nodes out still, by this change or by whatever became of it. */
function stillExcluded({ nodes }: ExcludeNodes, { workload }: Snapshot): boolean {
  const hostnames = nodes.map(({ hostname }) => hostname);
  return !exclusionOf(workload.spec.template.raw, hostnames).changes;
}
