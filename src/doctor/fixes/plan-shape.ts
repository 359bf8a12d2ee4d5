import { apiVersionOf, type WorkloadRef } from '../../engine/objects/workload.js';
import type { OfferedRemediation } from './offered-fields.js';
import { type ChangeRequest, canonicalJson, type FieldChange, type Plan, type UndoPlan } from './plan.js';

/** A plan, and what it claims to carry out on which workload. */
export interface PlanSubject<Remediation extends OfferedRemediation = OfferedRemediation> {
  readonly workload: WorkloadRef;
  readonly remediation: Remediation;
  readonly plan: Plan;
}

/** A way back, and the change that it takes back. */
export interface UndoSubject<Remediation extends OfferedRemediation = OfferedRemediation> {
  readonly workload: WorkloadRef;
  readonly remediation: Remediation;
  readonly undo: UndoPlan;
}

/** Whether the plan changes the workload itself, as `targetOf` writes it. */
export function targetsWorkload({
  plan: { target },
  workload,
}: Pick<PlanSubject, 'plan' | 'workload'>): boolean {
  return (
    target.kind === workload.kind &&
    target.name === workload.name &&
    target.apiVersion === apiVersionOf(target.kind) &&
    target.generation !== undefined
  );
}

/** Whether the target is an object of `apps/v1` at a known generation. */
export function targetsApps({ apiVersion, generation }: Plan['target']): boolean {
  return apiVersion === 'apps/v1' && generation !== undefined;
}

/** Whether the request is a merge patch of the object itself with exactly this body. */
export function isMergePatch(request: ChangeRequest, body: unknown): boolean {
  return isSame(request, { verb: 'patch', patchType: 'merge', body });
}

/** Equal as JSON: no field more, none less. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The same fields in the opposite direction. */
export function reversed(changes: readonly FieldChange[]): readonly FieldChange[] {
  return changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
}
