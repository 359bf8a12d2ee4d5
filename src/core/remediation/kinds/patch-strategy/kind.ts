import { isKserveKind } from '../../../cluster/inference-service.js';
import type { WorkloadKind } from '../../../cluster/workload.js';
import type { Kind } from '../../kind.js';
import {
  isMergePatch,
  isSame,
  type PlanSubject,
  targetsWorkload,
  type UndoSubject,
} from '../../plan-shape.js';
import { planPatchStrategy, strategyBody, strategyChanges } from './plan.js';
import { isBoundedKind, isBoundsPlan, isBoundsUndo } from './plan-bounds.js';
import { isOwnerStrategyPlan, isOwnerStrategyUndo } from './plan-owner.js';
import { PatchStrategy } from './record.js';
import { text } from './text.js';

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
  if (kind === 'StatefulSet' || isBoundedKind(kind)) return undefined;
  return kind === 'Deployment' ? 'strategy' : 'updateStrategy';
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
