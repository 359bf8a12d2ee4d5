import type { Rollout } from '../../../cluster/argo-rollout.js';
import type { LeaderWorkerSet } from '../../../cluster/leader-worker-set.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { DeploymentStrategy, Workload } from '../../../cluster/workload.js';
import { ownerTargetOf } from '../../owner-target.js';
import type { FieldChange, Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { targetOf } from '../../target-of.js';
import { planBounds } from './plan-bounds.js';
import { planOwnerStrategy } from './plan-owner.js';
import type { PatchStrategy } from './record.js';

type Strategy = PatchStrategy['strategy'];

/**
 * A merge patch of a Deployment's `spec.strategy` or a DaemonSet's `spec.updateStrategy`, which are outside
 * the template: the generation rises, no revision is made (kubernetes deployment_controller.go,
 * daemon_controller.go: an update event triggers a sync). Ints go as JSON numbers, since a string must be a
 * percentage; Recreate nulls `rollingUpdate`, which validation forbids beside it.
 *
 * Where people own an object above the workload, its field is patched instead.
 *
 * @returns a refusal when the Deployment is paused (the controller would not act), when the workload has this
 *   strategy already, or when its kind has no such strategy
 */
export function planPatchStrategy(
  { id, kind, strategy }: Pick<PatchStrategy, 'id' | 'kind' | 'strategy'>,
  snapshot: Snapshot,
): Plan | Refusal {
  const { workload } = snapshot;
  const owner = ownerTargetOf(snapshot);
  if (owner !== undefined) {
    return 'type' in owner ? owner : planOwnerStrategy({ id, kind, strategy }, owner, workload);
  }
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (workload.kind === 'Rollout' || workload.kind === 'LeaderWorkerSet') {
    return planBounds({ id, kind, strategy }, workload);
  }
  const current = currentOf(workload);
  if (current === undefined || (workload.kind === 'DaemonSet' && strategy.type === 'Recreate')) {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  if (workload.kind === 'Deployment' && workload.spec.paused) {
    return refusal('paused', 'paused', { workload: name });
  }
  const { field, before } = current;
  const changes = strategyChanges(field, before, strategy);
  if (changes.length === 0) return refusal('already-applied', 'already-applied', { workload: name });
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: { verb: 'patch', patchType: 'merge', body: { spec: { [field]: strategyBody(strategy) } } },
    changes,
    undo: {
      request: { verb: 'patch', patchType: 'merge', body: { spec: { [field]: formerOf(before) } } },
      expects: changes,
    },
  };
}

interface CurrentStrategy {
  readonly type: string;
  readonly rollingUpdate: Partial<NonNullable<DeploymentStrategy['rollingUpdate']>> | undefined;
}

/**
 * Where the kind keeps its strategy, and what it is; `undefined` for a StatefulSet, which cannot surge, and
 * for a service, which has no such field.
 */
function currentOf(
  workload: Exclude<Workload, Rollout | LeaderWorkerSet>,
): { readonly field: 'strategy' | 'updateStrategy'; readonly before: CurrentStrategy } | undefined {
  switch (workload.kind) {
    case 'Deployment':
      return { field: 'strategy', before: workload.spec.strategy };
    case 'DaemonSet':
      return { field: 'updateStrategy', before: workload.spec.updateStrategy };
    case 'StatefulSet':
    case 'KnativeService':
    case 'RayService':
    case 'DynamoGraphDeployment':
      return undefined;
  }
}

/** The patched field as the request states it. */
export function strategyBody(strategy: Strategy): object {
  if (strategy.type === 'Recreate') return { type: 'Recreate', rollingUpdate: null };
  const { type, maxSurge, maxUnavailable } = strategy;
  return { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

function formerOf({ type, rollingUpdate }: CurrentStrategy): object {
  if (rollingUpdate === undefined) return { type, rollingUpdate: null };
  return { type, rollingUpdate: { ...rollingUpdate } };
}

/** The fields that differ, each with the value before and after. */
export function strategyChanges(
  field: string,
  before: CurrentStrategy,
  strategy: Strategy,
): readonly FieldChange[] {
  const rolling = strategy.type === 'RollingUpdate' ? strategy : undefined;
  const fields: readonly FieldChange[] = [
    { path: `spec.${field}.type`, before: before.type, after: strategy.type },
    {
      path: `spec.${field}.rollingUpdate.maxSurge`,
      before: before.rollingUpdate?.maxSurge,
      after: rolling?.maxSurge,
    },
    {
      path: `spec.${field}.rollingUpdate.maxUnavailable`,
      before: before.rollingUpdate?.maxUnavailable,
      after: rolling?.maxUnavailable,
    },
  ];
  return fields.filter((each) => each.before !== each.after);
}
