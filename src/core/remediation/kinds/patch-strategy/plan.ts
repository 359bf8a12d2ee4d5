import type { Snapshot } from '../../../cluster/snapshot.js';
import type { DeploymentStrategy } from '../../../cluster/workload.js';
import type { FieldChange, Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import type { RemediationOf } from '../../remediation.js';
import { targetOf } from '../../target-of.js';

type Strategy = RemediationOf<'patch-strategy'>['strategy'];

/**
 * A merge patch of `spec.strategy`, which is outside the template: the generation rises, no revision is made
 * (kubernetes deployment_controller.go: an update event triggers a sync). Ints go as JSON numbers, since a string must
 * be a percentage; Recreate nulls `rollingUpdate`, which validation forbids beside it.
 *
 * @returns a refusal when the Deployment is paused (the controller would not act) or has this strategy already
 */
export function planPatchStrategy(
  { id, kind, strategy }: RemediationOf<'patch-strategy'>,
  { workload }: Snapshot,
): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (workload.kind !== 'Deployment')
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  if (workload.spec.paused) return refusal('paused', 'paused', { workload: name });
  const before = workload.spec.strategy;
  const changes = changesOf(before, strategy);
  if (changes.length === 0) return refusal('already-applied', 'already-applied', { workload: name });
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: { verb: 'patch', patchType: 'merge', body: { spec: { strategy: bodyOf(strategy) } } },
    changes,
    undo: {
      request: { verb: 'patch', patchType: 'merge', body: { spec: { strategy: formerOf(before) } } },
      expects: changes,
    },
  };
}

function bodyOf(strategy: Strategy): object {
  if (strategy.type === 'Recreate') return { type: 'Recreate', rollingUpdate: null };
  const { type, maxSurge, maxUnavailable } = strategy;
  return { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

function formerOf({ type, rollingUpdate }: DeploymentStrategy): object {
  if (rollingUpdate === undefined) return { type, rollingUpdate: null };
  return { type, rollingUpdate: { ...rollingUpdate } };
}

function changesOf(before: DeploymentStrategy, strategy: Strategy): readonly FieldChange[] {
  const rolling = strategy.type === 'RollingUpdate' ? strategy : undefined;
  const fields: readonly FieldChange[] = [
    { path: 'spec.strategy.type', before: before.type, after: strategy.type },
    {
      path: 'spec.strategy.rollingUpdate.maxSurge',
      before: before.rollingUpdate?.maxSurge,
      after: rolling?.maxSurge,
    },
    {
      path: 'spec.strategy.rollingUpdate.maxUnavailable',
      before: before.rollingUpdate?.maxUnavailable,
      after: rolling?.maxUnavailable,
    },
  ];
  return fields.filter((field) => field.before !== field.after);
}
