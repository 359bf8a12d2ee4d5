import type { KserveService } from '../../engine/objects/inference-service.js';
import { apiVersionOf, type ReplicaSet, type Workload } from '../../engine/objects/workload.js';
import type { PlanTarget } from './plan.js';

/** The object a plan changes, as it is in the snapshot. */
export function targetOf({ kind, metadata }: Workload | ReplicaSet | KserveService): PlanTarget {
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
