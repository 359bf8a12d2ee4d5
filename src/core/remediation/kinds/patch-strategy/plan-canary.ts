import type { Rollout } from '../../../cluster/argo-rollout.js';
import type { OfferedRemediation } from '../../offered-fields.js';
import type { FieldChange, Plan, Refusal } from '../../plan.js';
import {
  isMergePatch,
  isSame,
  type PlanSubject,
  targetsWorkload,
  type UndoSubject,
} from '../../plan-shape.js';
import { refusal } from '../../refusals.js';
import { targetOf } from '../../target-of.js';

/** Of the record of `patch-strategy`, what a canary needs. */
interface CanaryPatch extends OfferedRemediation {
  readonly kind: 'patch-strategy';
  readonly strategy:
    | {
        readonly type: 'RollingUpdate';
        readonly maxSurge: number | string;
        readonly maxUnavailable: number | string;
      }
    | { readonly type: 'Recreate' };
}

type Strategy = CanaryPatch['strategy'];
type Bounds = Pick<NonNullable<Rollout['spec']['strategy']['canary']>, 'maxSurge' | 'maxUnavailable'>;

/**
 * A merge patch of the two bounds of a canary. A Rollout has them beside its steps, without a `type`
 * (argo-rollouts `types.go: CanaryStrategy`).
 *
 * @returns a refusal where the bounds are not used: of a blue-green Rollout, and of a canary with a traffic router
 */
export function planCanaryBounds(
  { id, kind, strategy }: Pick<CanaryPatch, 'id' | 'kind' | 'strategy'>,
  rollout: Rollout,
): Plan | Refusal {
  const { metadata, spec } = rollout;
  const name = `${metadata.namespace}/${metadata.name}`;
  const { canary } = spec.strategy;
  if (strategy.type === 'Recreate' || canary === undefined || canary.trafficRouting !== undefined) {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  if (spec.paused) return refusal('paused', 'paused', { workload: name });
  const changes = boundChanges(canary, strategy);
  if (changes.length === 0) return refusal('already-applied', 'already-applied', { workload: name });
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(rollout),
    request: { verb: 'patch', patchType: 'merge', body: boundsBody(boundsOf(strategy)) },
    changes,
    undo: {
      request: { verb: 'patch', patchType: 'merge', body: boundsBody(canary) },
      expects: changes,
    },
  };
}

/** Exactly the two bounds that the remediation names, of a Rollout. */
export function isCanaryPlan({
  workload,
  remediation: { strategy },
  plan,
}: PlanSubject<CanaryPatch>): boolean {
  return (
    strategy.type === 'RollingUpdate' &&
    targetsWorkload({ plan, workload }) &&
    plan.changes.length > 0 &&
    isMergePatch(plan.request, boundsBody(boundsOf(strategy))) &&
    isSame(plan.changes, boundChanges(formerBounds(strategy, plan.changes), strategy))
  );
}

/** The former bounds, as the fields that changed state them; an absent one is removed again. */
export function isCanaryUndo({ remediation: { strategy }, undo }: UndoSubject<CanaryPatch>): boolean {
  if (strategy.type === 'Recreate' || undo.expectsTemplateOf !== undefined || undo.expects.length === 0) {
    return false;
  }
  const former = formerBounds(strategy, undo.expects);
  return (
    isSame(undo.expects, boundChanges(former, strategy)) &&
    [former.maxSurge, former.maxUnavailable].every(isBound) &&
    isMergePatch(undo.request, boundsBody(former))
  );
}

function boundsOf(strategy: Strategy): Bounds {
  if (strategy.type === 'Recreate') return { maxSurge: undefined, maxUnavailable: undefined };
  const { maxSurge, maxUnavailable } = strategy;
  return { maxSurge, maxUnavailable };
}

function boundsBody({ maxSurge, maxUnavailable }: Bounds): object {
  const bounds = { maxSurge: maxSurge ?? null, maxUnavailable: maxUnavailable ?? null };
  return { spec: { strategy: { canary: bounds } } };
}

const pathOf = (name: keyof Bounds): string => `spec.strategy.canary.${name}`;

function boundChanges(before: Bounds, strategy: Strategy): readonly FieldChange[] {
  const after = boundsOf(strategy);
  return (['maxSurge', 'maxUnavailable'] as const)
    .map((name) => ({ path: pathOf(name), before: before[name], after: after[name] }))
    .filter((change) => change.before !== change.after);
}

function formerBounds(strategy: Strategy, changes: readonly FieldChange[]): Bounds {
  const formerOf = (name: keyof Bounds): unknown => {
    const change = changes.find(({ path }) => path === pathOf(name));
    return change === undefined ? boundsOf(strategy)[name] : change.before;
  };
  return { maxSurge: formerOf('maxSurge'), maxUnavailable: formerOf('maxUnavailable') } as Bounds;
}

/** A count, a percentage with or without its sign, or nothing. */
function isBound(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0;
  return typeof value === 'string' && /^\d{1,9}%?$/.test(value);
}
