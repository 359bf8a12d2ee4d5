import type { Workload } from '../../engine/objects/workload.js';

/** Update strategy OnDelete: a new template reaches a pod only when somebody deletes it. */
export function replacesOnlyDeleted(workload: Workload): boolean {
  return 'updateStrategy' in workload.spec && workload.spec.updateStrategy.type === 'OnDelete';
}
