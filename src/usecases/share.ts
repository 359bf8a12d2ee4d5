import type { WorkloadRef } from '../core/cluster/workload.js';

/** Whose share of the time is taken by what is done for a workload: clusters and namespaces are served in turn. */
export function shareOf({ cluster, namespace }: Pick<WorkloadRef, 'cluster' | 'namespace'>): string {
  return `${cluster}/${namespace}`;
}
