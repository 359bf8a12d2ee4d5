import type { WorkloadRef } from '../core/cluster/workload.js';

/** Jobs of one fairness key wait for each other: clusters and namespaces are served in turn. */
export function fairnessKeyOf({ cluster, namespace }: Pick<WorkloadRef, 'cluster' | 'namespace'>): string {
  return `${cluster}/${namespace}`;
}
