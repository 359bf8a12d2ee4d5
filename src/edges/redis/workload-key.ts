import { WorkloadRef } from '../../engine/objects/workload.js';

/** The workload as the end of a Redis key or a member of a set; two workloads never share one. */
export function workloadKey({ cluster, kind, namespace, name }: WorkloadRef): string {
  return JSON.stringify([cluster, kind, namespace, name]);
}

/** The workload that a key names; undefined when it is none of ours. */
export function workloadOfKey(key: string): WorkloadRef | undefined {
  try {
    const [cluster, kind, namespace, name] = JSON.parse(key) as readonly unknown[];
    return WorkloadRef.safeParse({ cluster, kind, namespace, name }).data;
  } catch {
    return undefined;
  }
}
