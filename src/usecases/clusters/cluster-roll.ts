/** What a worker of a cluster does: its rights decide. */
export const clusterRoles = ['diagnosis', 'remediation'] as const;
export type ClusterRole = (typeof clusterRoles)[number];

/** Which clusters have workers of their own, as of some seconds ago. */
export interface ClusterRoll {
  /** Clusters whose workers reported within the last day, by name. */
  readonly clusters: readonly string[];
  /** Whether a worker in that role has reported within the last half minute. */
  isServed(cluster: string, role: ClusterRole): boolean;
}

/** The clusters without a worker that diagnoses them at this moment. */
export function clustersAway({ clusters, isServed }: ClusterRoll): readonly string[] {
  return clusters.filter((cluster) => !isServed(cluster, 'diagnosis'));
}
