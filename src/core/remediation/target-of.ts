import type { ReplicaSet, Workload } from '../cluster/workload.js';
import type { PlanTarget } from './plan.js';

/** The object a plan changes, as it is in the snapshot. All these kinds are served in `apps/v1`. */
export function targetOf({ kind, metadata }: Workload | ReplicaSet): PlanTarget {
  const { namespace, name, uid, generation } = metadata;
  return {
    apiVersion: 'apps/v1',
    kind,
    namespace,
    name,
    uid,
    ...(generation === undefined ? {} : { generation }),
  };
}
