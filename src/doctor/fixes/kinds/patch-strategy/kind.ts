import type { Rollout } from '../../../../engine/objects/argo-rollout.js';
import { isKserveKind } from '../../../../engine/objects/inference-service.js';
import type { LeaderWorkerSet } from '../../../../engine/objects/leader-worker-set.js';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { DeploymentStrategy, Workload, WorkloadKind } from '../../../../engine/objects/workload.js';
import {
  hasDeploymentStrategy,
  hasGroups,
  hasOrdinals,
  hasPodPerNode,
  hasSteps,
  isPaused,
} from '../../../../engine/objects/workload.js';
import type { Kind } from '../../kind.js';
import { ownerTargetOf, targetOf } from '../../owner-target.js';
import type { FieldChange, Plan, PlanSubject, Refusal, UndoSubject } from '../../plan.js';
import { isMergePatch, isSame, targetsWorkload } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { PatchStrategy } from './forms.js';
import { isOwnerStrategyPlan, isOwnerStrategyUndo, planOwnerStrategy } from './plan-owner.js';
import { text } from './text.js';

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
function isBoundedKind(kind: WorkloadKind): kind is BoundedKind {
  return kind in boundsPaths;
}

/**
 * A merge patch of the two bounds and of nothing else.
 *
 * @returns a refusal where the bounds are not used: of a blue-green Rollout, and of a canary with a traffic
 *   router
 */
function planBounds(
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
function isBoundsPlan({ workload, remediation: { strategy }, plan }: PlanSubject<PatchStrategy>): boolean {
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
function isBoundsUndo({
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

/**
 * Changes how a Deployment, a DaemonSet, a canary of Argo Rollouts or a LeaderWorkerSet replaces its pods.
 */
export const patchStrategy = {
  kind: 'patch-strategy',
  schema: PatchStrategy,
  text,
  plan: planPatchStrategy,
  isPlan: isPatchStrategyPlan,
  isUndo: isPatchStrategyUndo,
} as const satisfies Kind<PatchStrategy>;

type Subject = PlanSubject<PatchStrategy>;

/**
 * A merge patch of the strategy field of this kind, with the strategy that the remediation names and nothing
 * else.
 */
function isPatchStrategyPlan(subject: Subject): boolean {
  const { workload, remediation, plan } = subject;
  const { strategy } = remediation;
  if (isKserveKind(plan.target.kind)) return isOwnerStrategyPlan(subject);
  if (isBoundedKind(workload.kind)) return isBoundsPlan(subject);
  const field = fieldOfKind(workload.kind);
  if (field === undefined || (field === 'updateStrategy' && strategy.type === 'Recreate')) return false;
  const body = { spec: { [field]: strategyBody(strategy) } };
  const former = formerStrategy(field, strategy, plan.changes);
  return (
    targetsWorkload({ plan, workload }) &&
    isMergePatch(plan.request, body) &&
    plan.changes.length > 0 &&
    isSame(plan.changes, strategyChanges(field, former, strategy))
  );
}

/** The former strategy, as the fields that changed state it. */
function isPatchStrategyUndo(subject: UndoSubject<PatchStrategy>): boolean {
  const { workload, remediation, undo } = subject;
  if (undo.of !== undefined) return isOwnerStrategyUndo(subject);
  if (isBoundedKind(workload.kind)) return isBoundsUndo(subject);
  const { strategy } = remediation;
  const field = fieldOfKind(workload.kind);
  if (field === undefined || undo.expectsTemplateOf !== undefined || undo.expects.length === 0) return false;
  const former = formerStrategy(field, strategy, undo.expects);
  if (!isSame(undo.expects, strategyChanges(field, former, strategy))) return false;
  const { type, rollingUpdate } = former;
  const isRolling =
    type === 'RollingUpdate' && isAmount(rollingUpdate.maxSurge) && isAmount(rollingUpdate.maxUnavailable);
  if (isRolling) return isMergePatch(undo.request, { spec: { [field]: { type, rollingUpdate } } });
  const isWithout = rollingUpdate.maxSurge === undefined && rollingUpdate.maxUnavailable === undefined;
  return (
    formerTypes.has(String(type)) &&
    isWithout &&
    isMergePatch(undo.request, { spec: { [field]: { type, rollingUpdate: null } } })
  );
}

const formerTypes: ReadonlySet<string> = new Set(['Recreate', 'OnDelete', 'RollingUpdate']);

function fieldOfKind(kind: WorkloadKind): 'strategy' | 'updateStrategy' | undefined {
  if (hasOrdinals({ kind }) || isBoundedKind(kind)) return undefined;
  return hasDeploymentStrategy({ kind }) ? 'strategy' : 'updateStrategy';
}

interface FormerStrategy {
  readonly type: string;
  readonly rollingUpdate: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
}

/**
 * What was there before: a field that the changes do not list already had the value that the remediation
 * sets.
 */
function formerStrategy(
  field: string,
  strategy: Subject['remediation']['strategy'],
  changes: Subject['plan']['changes'],
): FormerStrategy {
  const formerValue = (name: string, kept: unknown): unknown => {
    const change = changes.find(({ path }) => path === `spec.${field}.${name}`);
    return change === undefined ? kept : change.before;
  };
  const rolling = strategy.type === 'RollingUpdate' ? strategy : undefined;
  return {
    type: formerValue('type', strategy.type),
    rollingUpdate: {
      maxSurge: formerValue('rollingUpdate.maxSurge', rolling?.maxSurge),
      maxUnavailable: formerValue('rollingUpdate.maxUnavailable', rolling?.maxUnavailable),
    },
  } as FormerStrategy;
}

/** A count or a percentage (apimachinery `IntOrString`). */
function isAmount(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0;
  return typeof value === 'string' && /^\d{1,9}%$/.test(value);
}

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
  if (hasSteps(workload) || hasGroups(workload)) {
    return planBounds({ id, kind, strategy }, workload);
  }
  const current = currentOf(workload);
  if (current === undefined || (hasPodPerNode(workload) && strategy.type === 'Recreate')) {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  if (hasDeploymentStrategy(workload) && workload.spec.paused) {
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
  if (hasDeploymentStrategy(workload)) return { field: 'strategy', before: workload.spec.strategy };
  if (!hasPodPerNode(workload)) return undefined;
  return { field: 'updateStrategy', before: workload.spec.updateStrategy };
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
function strategyChanges(field: string, before: CurrentStrategy, strategy: Strategy): readonly FieldChange[] {
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
