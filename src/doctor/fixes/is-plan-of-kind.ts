import type { WorkloadRef } from '../../engine/objects/workload.js';
import { changesTemplateOnly } from './kinds/undo-rollout/plan.js';
import { changedOwner } from './owner-target.js';
import type { Plan, UndoPlan } from './plan.js';
import { type PlanSubject, reversed, targetsWorkload } from './plan.js';
import { kindOf } from './plan-remediation.js';
import type { Remediation } from './remediation.js';

export interface ClaimedPlan {
  readonly workload: WorkloadRef;
  readonly remediation: Remediation;
  /** Whether the plan puts back what the remediation changed. */
  readonly undoes: boolean;
  readonly plan: Plan;
}

/** A DNS subdomain name, as Kubernetes names what we change: nothing that leads elsewhere in a path. */
const objectName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/**
 * Whether the remediation's kind could have made this plan for this workload: target, request, listed fields,
 * second step and way back. A record that claims one kind and carries the request of another, or a field
 * more, is none.
 */
export function isPlanOfKind({ workload, remediation, undoes, plan }: ClaimedPlan): boolean {
  const { target } = plan;
  if (target.namespace !== workload.namespace) return false;
  if (!objectName.test(target.namespace) || !objectName.test(target.name)) return false;
  if (plan.afterwards !== undefined && (undoes || remediation.kind !== 'undo-rollout')) return false;
  const subject = { workload, remediation, plan };
  if (undoes) return plan.remediationId === `undo-${remediation.id}` && isUndoPlan(subject);
  const kind = kindOf(remediation);
  return (
    kind !== undefined &&
    plan.remediationId === remediation.id &&
    kind.isPlan(subject) &&
    (plan.undo === undefined || kind.isUndo?.({ ...subject, undo: plan.undo }) === true)
  );
}

/** A template is put back by name of its revision; everything else by the reverse of the listed fields. */
function isUndoPlan({ workload, remediation, plan }: PlanSubject<Remediation>): boolean {
  const { request, changes, undo } = plan;
  const restores = request.verb === 'restore-template' && remediation.kind === 'undo-rollout';
  const taken: UndoPlan = restores
    ? { request, expects: [], expectsTemplateOf: remediation.from }
    : { request, expects: reversed(changes), ...changedOwner(plan, workload) };
  return (
    undo === undefined &&
    (taken.of !== undefined || targetsWorkload({ plan, workload })) &&
    (!restores || changesTemplateOnly(changes)) &&
    kindOf(remediation)?.isUndo?.({ workload, remediation, undo: taken }) === true
  );
}
