import type { WorkloadRef } from '../../engine/objects/workload.js';
import { targetedFields } from '../fixes/owner-target.js';
import type { Plan } from '../fixes/plan.js';
import type { DeclaredObject } from './find-declaration.js';

/**
 * The object in whose manifest the change of a plan is made: the workload, or the object that people own
 * above it.
 */
export function declaredObjectOf(plan: Pick<Plan, 'target'>, workload: WorkloadRef): DeclaredObject {
  if (targetedFields(plan, workload) === undefined) return workload;
  const { apiVersion, kind, namespace, name } = plan.target;
  const [apiGroup = ''] = apiVersion.split('/');
  return { apiGroup, kind, namespace, name };
}
