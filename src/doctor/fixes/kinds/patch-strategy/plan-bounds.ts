import type { Rollout } from '../../../../engine/objects/argo-rollout.js';
import type { LeaderWorkerSet } from '../../../../engine/objects/leader-worker-set.js';
import { hasGroups, isPaused, type WorkloadKind } from '../../../../engine/objects/workload.js';
import { targetOf } from '../../owner-target.js';
import type { FieldChange, Plan, Refusal } from '../../plan.js';
import { isMergePatch, isSame, type PlanSubject, targetsWorkload, type UndoSubject } from '../../plan.js';
import { refusal } from '../../refusals.js';
import type { PatchStrategy } from './forms.js';

type Strategy = PatchStrategy['strategy'];
type Bounds = Pick<NonNullable<Rollout['spec']['strategy']['canary']>, 'maxSurge' | 'maxUnavailable'>;

/**
 * Where a kind has the two bounds without a `type`: a Rollout beside the steps of its canary (argo-rollouts
 * `types.go: CanaryStrategy`), a LeaderWorkerSet beside its partition (lws
 * `leaderworkerset_types.go: RollingUpdateConfiguration`).
 */
const boundsPaths = {
  Rollout: ['spec', 'strategy', 'canary'],
  LeaderWorkerSet: ['spec', 'rolloutStrategy', 'rollingUpdateConfiguration'],
} as const;

type BoundedKind = keyof typeof boundsPaths;

/** Whether the bounds of this kind have no `type` beside them. */
export function isBoundedKind(kind: WorkloadKind): kind is BoundedKind {
  return kind in boundsPaths;
}

/**
 * A merge patch of the two bounds and of nothing else.
 *
 * @returns a refusal where the bounds are not used: of a blue-green Rollout, and of a canary with a traffic
 *   router
 */
export function planBounds(
  { id, kind, strategy }: Pick<PatchStrategy, 'id' | 'kind' | 'strategy'>,
  workload: Rollout | LeaderWorkerSet,
): Plan | Refusal {
  const { metadata } = workload;
  const name = `${metadata.namespace}/${metadata.name}`;
  const current = currentBounds(workload);
  if (strategy.type === 'Recreate' || current === undefined) {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  if (isPaused(workload)) return refusal('paused', 'paused', { workload: name });
  const changes = boundChanges(workload.kind, current, strategy);
  if (changes.length === 0) return refusal('already-applied', 'already-applied', { workload: name });
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: { verb: 'patch', patchType: 'merge', body: boundsBody(workload.kind, boundsOf(strategy)) },
    changes,
    undo: {
      request: { verb: 'patch', patchType: 'merge', body: boundsBody(workload.kind, current) },
      expects: changes,
    },
  };
}

/** The bounds that the controller uses; `undefined` where it uses none. */
function currentBounds(workload: Rollout | LeaderWorkerSet): Bounds | undefined {
  if (hasGroups(workload)) return workload.spec.rolloutStrategy.rollingUpdateConfiguration;
  const { canary } = workload.spec.strategy;
  return canary?.trafficRouting === undefined ? canary : undefined;
}

/** Exactly the two bounds that the remediation names. */
export function isBoundsPlan({
  workload,
  remediation: { strategy },
  plan,
}: PlanSubject<PatchStrategy>): boolean {
  const { kind } = workload;
  return (
    strategy.type === 'RollingUpdate' &&
    isBoundedKind(kind) &&
    targetsWorkload({ plan, workload }) &&
    plan.changes.length > 0 &&
    isMergePatch(plan.request, boundsBody(kind, boundsOf(strategy))) &&
    isSame(plan.changes, boundChanges(kind, formerBounds(kind, strategy, plan.changes), strategy))
  );
}

/** The former bounds, as the fields that changed state them; an absent one is removed again. */
export function isBoundsUndo({
  workload: { kind },
  remediation: { strategy },
  undo,
}: UndoSubject<PatchStrategy>): boolean {
  if (strategy.type === 'Recreate' || undo.expectsTemplateOf !== undefined || undo.expects.length === 0) {
    return false;
  }
  if (!isBoundedKind(kind)) return false;
  const former = formerBounds(kind, strategy, undo.expects);
  return (
    isSame(undo.expects, boundChanges(kind, former, strategy)) &&
    [former.maxSurge, former.maxUnavailable].every(isBound) &&
    isMergePatch(undo.request, boundsBody(kind, former))
  );
}

function boundsOf(strategy: Strategy): Bounds {
  if (strategy.type === 'Recreate') return { maxSurge: undefined, maxUnavailable: undefined };
  const { maxSurge, maxUnavailable } = strategy;
  return { maxSurge, maxUnavailable };
}

function boundsBody(kind: BoundedKind, { maxSurge, maxUnavailable }: Bounds): object {
  const bounds: object = { maxSurge: maxSurge ?? null, maxUnavailable: maxUnavailable ?? null };
  return boundsPaths[kind].reduceRight((inner, name) => ({ [name]: inner }), bounds);
}

const pathOf = (kind: BoundedKind, name: keyof Bounds): string => [...boundsPaths[kind], name].join('.');

function boundChanges(kind: BoundedKind, before: Bounds, strategy: Strategy): readonly FieldChange[] {
  const after = boundsOf(strategy);
  return (['maxSurge', 'maxUnavailable'] as const)
    .map((name) => ({ path: pathOf(kind, name), before: before[name], after: after[name] }))
    .filter((change) => change.before !== change.after);
}

function formerBounds(kind: BoundedKind, strategy: Strategy, changes: readonly FieldChange[]): Bounds {
  const formerOf = (name: keyof Bounds): unknown => {
    const change = changes.find(({ path }) => path === pathOf(kind, name));
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
