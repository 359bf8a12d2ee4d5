import type { Workload } from '../cluster/workload.js';

/** Update strategy OnDelete: a new template reaches a pod only when somebody deletes it. */
export function replacesOnlyDeleted(workload: Workload): boolean {
  if (workload.kind === 'Deployment' || workload.kind === 'Rollout') return false;
  return workload.spec.updateStrategy.type === 'OnDelete';
}
