import * as z from 'zod';
import { canonicalJson } from '../../doctor/fixes/plan.js';
import type { Policy } from '../../doctor/policy/policy.js';
import type { Digest } from '../records/process-ports.js';

/** What a worker of a cluster does: its rights decide. */
export const clusterRoles = ['diagnosis', 'remediation'] as const;
export type ClusterRole = (typeof clusterRoles)[number];

/** What a worker states of itself and of its cluster. */
export const WorkerFacts = z.object({
  /**
   * Uid of the namespace `kube-system`, by which workers of two clusters differ; absent while it could not be
   * read.
   */
  clusterUid: z.string().max(100).exactOptional(),
  /** Whether the API server answered the last request of the worker. */
  isReachable: z.boolean(),
  /** Digest of the policy that counts for the worker. */
  policy: z.string().max(100),
});
export type WorkerFacts = z.output<typeof WorkerFacts>;

/** Which clusters have workers of their own, as of some seconds ago. */
export interface ClusterRoll {
  /** Clusters whose workers reported within the last day, by name. */
  readonly clusters: readonly string[];
  /** Whether a worker in that role has reported within the last half minute. */
  isServed(cluster: string, role: ClusterRole): boolean;
  /**
   * What the workers state that reported within the last half minute; workers of older versions state
   * nothing.
   */
  workersOf(cluster: string): readonly WorkerFacts[];
}

/** The clusters without a worker that diagnoses them at this moment. */
export function clustersAway({ clusters, isServed }: ClusterRoll): readonly string[] {
  return clusters.filter((cluster) => !isServed(cluster, 'diagnosis'));
}

/** What is wrong with a cluster although its workers run. */
export const clusterFaults = ['name-shared', 'unreachable', 'policy-differs'] as const;
export type ClusterFault = (typeof clusterFaults)[number];

export type FaultyCluster = { readonly cluster: string; readonly faults: readonly ClusterFault[] };

/** @param policy digest of the policy that counts for the app; absent where it could not be read */
export function faultyClusters(roll: ClusterRoll, policy: string | undefined): readonly FaultyCluster[] {
  return roll.clusters
    .map((cluster) => ({ cluster, faults: faultsOfCluster(roll, cluster, policy) }))
    .filter(({ faults }) => faults.length > 0);
}

/** What is wrong with one cluster, with the same `policy`. */
export function faultsOfCluster(
  roll: Pick<ClusterRoll, 'workersOf'>,
  cluster: string,
  policy: string | undefined,
): readonly ClusterFault[] {
  const workers = roll.workersOf(cluster);
  return [
    ...(isNameShared(roll, cluster) ? (['name-shared'] as const) : []),
    ...(isUnreachable(roll, cluster) ? (['unreachable'] as const) : []),
    ...(policy !== undefined && workers.some((each) => each.policy !== policy)
      ? (['policy-differs'] as const)
      : []),
  ];
}

/** Whether workers of two clusters report under one name, and so take each other's jobs. */
export function isNameShared({ workersOf }: Pick<ClusterRoll, 'workersOf'>, cluster: string): boolean {
  const uids = workersOf(cluster).flatMap(({ clusterUid }) => clusterUid ?? []);
  return new Set(uids).size > 1;
}

/** Whether the API server answers no worker of the cluster. */
export function isUnreachable({ workersOf }: Pick<ClusterRoll, 'workersOf'>, cluster: string): boolean {
  const workers = workersOf(cluster);
  return workers.length > 0 && workers.every(({ isReachable }) => !isReachable);
}

/** The same for policies that grant and demand the same, however their files are written. */
export function policyDigest(policy: Policy, digest: Digest): string {
  return digest(canonicalJson(policy)).slice(0, 16);
}
