import type { ReplicaSet, Workload } from '../cluster/workload.js';
import type { PlanTarget } from './plan.js';

/** Where the API serves the workloads that plans change. */
export function apiVersionOf(kind: string): string {
  return apiVersions[kind] ?? 'apps/v1';
}

const apiVersions: Readonly<Record<string, string>> = {
  Rollout: 'argoproj.io/v1alpha1',
  LeaderWorkerSet: 'leaderworkerset.x-k8s.io/v1',
  KnativeService: 'serving.knative.dev/v1',
  RayService: 'ray.io/v1',
};

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
