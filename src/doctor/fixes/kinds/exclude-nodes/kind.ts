import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { OwnerFields } from '../../../../engine/parents/parent-resource-kind.js';
import { effect } from '../../effects-text.js';
import type { Kind } from '../../kind.js';
import { nested, targetedFields, undoneFields } from '../../owner-target.js';
import type { FieldChange } from '../../plan.js';
import {
  isMergePatch,
  isSame,
  type PlanSubject,
  targetsWorkload,
  type UndoSubject,
} from '../../plan-shape.js';
import { exclusionOf, requiredPath, requiredSteps } from './node-exclusion.js';
import { affinityBody, ExcludeNodes, pathsMade, planExcludeNodes, templateRequiring } from './plan.js';
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

/**
 * The required node affinity with `NotIn` for exactly the named hostnames, worked out again from what was
 * there.
 */
function isExcludeNodesPlan({ workload, remediation, plan }: PlanSubject<ExcludeNodes>): boolean {
  const { request, changes } = plan;
  const fields = targetedFields(plan, workload);
  const path = fields === undefined ? requiredPath : pathIn(fields);
  const after = exclusionAfter(remediation, changes, path);
  if (fields !== undefined) {
    return after !== undefined && isMergePatch(request, nested(path.split('.'), after));
  }
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
function isExcludeNodesUndo({ workload, remediation, undo }: UndoSubject<ExcludeNodes>): boolean {
  const { request, expects, expectsTemplateOf, of } = undo;
  if (of !== undefined) {
    const fields = undoneFields(of, workload);
    if (fields === undefined || expectsTemplateOf !== undefined) return false;
    const path = pathIn(fields);
    if (exclusionAfter(remediation, expects, path) === undefined) return false;
    const before = expects[0]?.before;
    return before === undefined
      ? pathsMade(fields).some((each) => isMergePatch(request, nested(each, null)))
      : isMergePatch(request, nested(path.split('.'), before));
  }
  if (expectsTemplateOf !== undefined || exclusionAfter(remediation, expects) === undefined) return false;
  const before = expects[0]?.before;
  const former = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: before ?? null } };
  const removals = before === undefined ? [null, { nodeAffinity: null }] : [];
  return [former, ...removals].some((affinity) => isMergePatch(request, affinityBody(affinity)));
}

function pathIn({ affinity }: OwnerFields): string {
  return [...affinity, ...requiredSteps].join('.');
}

/** The value after the exclusion, where the changes are this one change. */
function exclusionAfter(
  { nodes }: PlanSubject<ExcludeNodes>['remediation'],
  changes: readonly FieldChange[],
  path: string = requiredPath,
): unknown {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || nodes.length === 0) return undefined;
  const { after, changes: isChange } = exclusionOf(
    templateRequiring(change.before),
    nodes.map(({ hostname }) => hostname),
  );
  return isChange && isSame(change, { path, before: change.before, after }) ? after : undefined;
}

/**
 * Whether the workload's template keeps all these nodes out still, by this change or by whatever became of
 * it.
 */
function stillExcluded({ nodes }: ExcludeNodes, { workload }: Snapshot): boolean {
  const hostnames = nodes.map(({ hostname }) => hostname);
  return !exclusionOf(workload.spec.template.raw, hostnames).changes;
}
