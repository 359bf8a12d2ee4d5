import type { Workload } from '../cluster/workload.js';

/** Update strategy OnDelete: a new template reaches a pod only when somebody deletes it. */
export function replacesOnlyDeleted(workload: Workload): boolean {
  return workload.kind !== 'Deployment' && workload.spec.updateStrategy.type === 'OnDelete';
}
