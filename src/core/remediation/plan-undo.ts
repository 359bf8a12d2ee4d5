import type { Snapshot } from '../cluster/snapshot.js';
import { fieldAt } from './field-at.js';
import { canonicalJson, type Plan, type Refusal, type UndoPlan } from './plan.js';
import { refusal } from './refusals.js';
import { targetOf } from './target-of.js';

/**
 * Plans to put back what a change replaced. Refused as `drifted` when a field no longer holds what the change wrote:
 * somebody else decided something since, and that is not ours to undo.
 */
export function planUndo(remediationId: string, undo: UndoPlan, { workload }: Snapshot): Plan | Refusal {
  const { namespace, name } = workload.metadata;
  for (const { path, after } of undo.expects) {
    const found = fieldAt(workload, path);
    if (canonicalJson(found ?? null) !== canonicalJson(after ?? null)) {
      const values = {
        workload: `${namespace}/${name}`,
        path,
        found: found === undefined ? '-' : canonicalJson(found),
      };
      return refusal('drifted', 'drifted', values);
    }
  }
  return {
    type: 'plan',
    remediationId: `undo-${remediationId}`,
    target: targetOf(workload),
    request: undo.request,
    changes: undo.expects.map(({ path, before, after }) => ({ path, before: after, after: before })),
  };
}
