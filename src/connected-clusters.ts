import { connectClusters } from './adapters/kubernetes/cluster-connection.js';
import type { ClusterReaderDeps } from './adapters/kubernetes/cluster-reader.js';
import type { Metrics } from './adapters/metrics/metrics.js';
import { clusterAccessOf } from './cluster-access.js';
import type { Config } from './config.js';

/** Clusters to read, with what a process watches of them. */
export type Clusters = Pick<ClusterReaderDeps, 'connections' | 'nodes' | 'pods'>;

/**
 * None where each cluster has workers of its own and this process serves no cluster.
 *
 * @throws when the kubeconfig cannot be used
 */
export function clustersOf(config: Config, { onClusterRequest }: Metrics): Clusters {
  const { kubeconfig, clusters, clusterName } = config;
  if (clusterAccessOf(config).type === 'beside-app') return { connections: [] };
  return {
    connections: connectClusters({
      kubeconfig,
      contexts: clusters,
      onlyAs: clusterName,
      onRequest: onClusterRequest,
    }),
  };
}
