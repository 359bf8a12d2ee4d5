import type { Workload } from '../../../../engine/objects/workload.js';
import { hasDeploymentStrategy, hasGroups, isPaused } from '../../../../engine/objects/workload.js';
import { isOnSeveralNodes } from '../../../../engine/parents/parent-resource-kinds.js';
import { fieldAt } from '../../field-at.js';
import { nested, type OwnerTarget, targetedFields, targetOf, undoneFields } from '../../owner-target.js';
import type { FieldChange, Plan, Refusal } from '../../plan.js';
import { isMergePatch, isSame, type PlanSubject, type UndoSubject } from '../../plan.js';
import { refusal } from '../../refusals.js';
import type { PatchStrategy } from './forms.js';

type Strategy = PatchStrategy['strategy'];
type Patch = Pick<PatchStrategy, 'id' | 'kind' | 'strategy'>;

/** Names of the values below the field, in the order of the request. */
const ofStrategy = ['type', 'rollingUpdate.maxSurge', 'rollingUpdate.maxUnavailable'] as const;
const ofBounds = ['maxSurge', 'maxUnavailable'] as const;
type Leaf = (typeof ofStrategy)[number] | (typeof ofBounds)[number];
type Values = { readonly [Name in Leaf]?: unknown };

/**
 * A merge patch of the field from which the owner's controller writes the strategy of the workload. A field
 * of the two bounds has no Recreate. Its controller leaves the former bounds in the workload when they are
 * removed, so an undo states them.
 */
export function planOwnerStrategy(
  { id, kind, strategy }: Patch,
  { object, fields, keeps }: OwnerTarget,
  workload: Workload,
): Plan | Refusal {
  const { namespace, name } = object.metadata;
  const owner = `${namespace}/${name}`;
  const { isBounds } = fields;
  if (isBounds && strategy.type === 'Recreate') {
    return refusal('not-applicable', 'not-applicable', { workload: owner, kind });
  }
  if (isPaused(workload)) return refusal('paused', 'paused', { workload: owner });
  const at = fields.strategy;
  // Only some releases have the bounds.
  if (isBounds && !keeps(at)) {
    const field = at.join('.');
    return refusal('not-in-owner', 'owner-field-not-served', { kind: object.kind, owner, field });
  }
  const live = isBounds ? liveBounds(workload) : {};
  const before = valuesBy(leavesOf(isBounds), (leaf) => fieldAt(object, pathTo(at, leaf)) ?? live[leaf]);
  const changes = changesOf(at, before, wantedOf(strategy, isBounds), isBounds);
  if (changes.length === 0) return refusal('already-applied', 'already-applied', { workload: owner });
  const target = targetOf(object);
  const { apiVersion, kind: ownerKind, uid } = target;
  // There, KServe replaces the pods at each change of the object, and the former strategy leads into the same
  // deadlock.
  const hasUndo = !isOnSeveralNodes(workload);
  return {
    type: 'plan',
    remediationId: id,
    target,
    request: { verb: 'patch', patchType: 'merge', body: nested(at, bodyOf(strategy, isBounds)) },
    changes,
    ...(hasUndo
      ? {
          undo: {
            request: { verb: 'patch', patchType: 'merge', body: nested(at, formerBody(before, isBounds)) },
            expects: changes,
            of: { apiVersion, kind: ownerKind, name, uid },
          },
        }
      : {}),
  };
}

/** Exactly the field of the owner, with the strategy that the remediation names. */
export function isOwnerStrategyPlan({ workload, remediation, plan }: PlanSubject<PatchStrategy>): boolean {
  const fields = targetedFields(plan, workload);
  const { strategy } = remediation;
  if (fields === undefined || (fields.isBounds && strategy.type === 'Recreate')) return false;
  const { isBounds } = fields;
  const wanted = wantedOf(strategy, isBounds);
  const before = formerValues(fields.strategy, wanted, plan.changes, isBounds);
  return (
    plan.changes.length > 0 &&
    isMergePatch(plan.request, nested(fields.strategy, bodyOf(strategy, isBounds))) &&
    isSame(plan.changes, changesOf(fields.strategy, before, wanted, isBounds))
  );
}

/** The former values of this field, as the fields that changed state them. */
export function isOwnerStrategyUndo({
  workload,
  remediation: { strategy },
  undo,
}: UndoSubject<PatchStrategy>): boolean {
  const { of, expects, expectsTemplateOf } = undo;
  if (of === undefined || expectsTemplateOf !== undefined || expects.length === 0) return false;
  const fields = undoneFields(of, workload);
  if (fields === undefined) return false;
  const { isBounds } = fields;
  const wanted = wantedOf(strategy, isBounds);
  const before = formerValues(fields.strategy, wanted, expects, isBounds);
  return (
    isSame(expects, changesOf(fields.strategy, before, wanted, isBounds)) &&
    Object.entries(before).every(([name, value]) => (name === 'type' ? isType(value) : isAmount(value))) &&
    isMergePatch(undo.request, nested(fields.strategy, formerBody(before, isBounds)))
  );
}

const leavesOf = (isBounds: boolean): readonly Leaf[] => (isBounds ? ofBounds : ofStrategy);
const pathTo = (at: readonly string[], leaf: Leaf): string => [...at, leaf].join('.');

function valuesBy(leaves: readonly Leaf[], read: (leaf: Leaf) => unknown): Values {
  return Object.fromEntries(leaves.map((leaf) => [leaf, read(leaf)]));
}

function wantedOf(strategy: Strategy, isBounds: boolean): Values {
  if (strategy.type === 'Recreate') return { type: strategy.type };
  const { type, maxSurge, maxUnavailable } = strategy;
  return isBounds
    ? { maxSurge, maxUnavailable }
    : { type, 'rollingUpdate.maxSurge': maxSurge, 'rollingUpdate.maxUnavailable': maxUnavailable };
}

function changesOf(
  at: readonly string[],
  before: Values,
  wanted: Values,
  isBounds: boolean,
): readonly FieldChange[] {
  return leavesOf(isBounds)
    .map((leaf) => ({ path: pathTo(at, leaf), before: before[leaf], after: wanted[leaf] }))
    .filter((change) => change.before !== change.after);
}

/** A field that the changes do not list had the wanted value already. */
function formerValues(
  at: readonly string[],
  wanted: Values,
  changes: readonly FieldChange[],
  isBounds: boolean,
): Values {
  return valuesBy(leavesOf(isBounds), (leaf) => {
    const change = changes.find(({ path }) => path === pathTo(at, leaf));
    return change === undefined ? wanted[leaf] : change.before;
  });
}

function bodyOf(strategy: Strategy, isBounds: boolean): object {
  if (strategy.type === 'Recreate') return { type: strategy.type, rollingUpdate: null };
  const { type, maxSurge, maxUnavailable } = strategy;
  const bounds = { maxSurge, maxUnavailable };
  return isBounds ? bounds : { type, rollingUpdate: bounds };
}

/** `null` removes what was not there. */
function formerBody(before: Values, isBounds: boolean): object | null {
  if (Object.values(before).every((value) => value === undefined)) return null;
  if (isBounds) {
    return { maxSurge: before.maxSurge ?? null, maxUnavailable: before.maxUnavailable ?? null };
  }
  const { type, 'rollingUpdate.maxSurge': surge, 'rollingUpdate.maxUnavailable': unavailable } = before;
  const hasBounds = surge !== undefined || unavailable !== undefined;
  const bounds = { maxSurge: surge ?? null, maxUnavailable: unavailable ?? null };
  return { type: type ?? null, rollingUpdate: hasBounds ? bounds : null };
}

/** What the workload has where its owner declares nothing. */
function liveBounds(workload: Workload): Values {
  if (hasGroups(workload)) {
    const { maxSurge, maxUnavailable } = workload.spec.rolloutStrategy.rollingUpdateConfiguration;
    return { maxSurge, maxUnavailable };
  }
  const bounds = hasDeploymentStrategy(workload) ? workload.spec.strategy.rollingUpdate : undefined;
  return { maxSurge: bounds?.maxSurge, maxUnavailable: bounds?.maxUnavailable };
}

function isType(value: unknown): boolean {
  return value === undefined || value === 'RollingUpdate' || value === 'Recreate';
}

/** A count, a percentage, or nothing. */
function isAmount(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0;
  return typeof value === 'string' && /^\d{1,9}%$/.test(value);
}
