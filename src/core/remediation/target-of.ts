import type { ReplicaSet, Workload } from '../cluster/workload.js';
import type { PlanTarget } from './plan.js';

/** Where the API serves the workloads that plans change. */
export function apiVersionOf(kind: string): 'apps/v1' | 'argoproj.io/v1alpha1' {
  return kind === 'Rollout' ? 'argoproj.io/v1alpha1' : 'apps/v1';
}

/** The object a plan changes, as it is in the snapshot. */
export function targetOf({ kind, metadata }: Workload | ReplicaSet): PlanTarget {
  const { namespace, name, uid, generation } = metadata;
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    namespace,
    name,
    uid,
    ...(generation === undefined ? {} : { generation }),
  };
}
