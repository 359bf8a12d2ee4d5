import { keepEachCluster, saidSeldom } from './keep-each-cluster.js';
import type { WorkerContainer } from './worker-container.js';

/**
 * Keeps the nodes of every cluster by a watch, in each process that diagnoses. Where they may not be watched,
 * each diagnosis lists them.
 *
 * @returns the function that ends the watches
 */
export function startNodeCache({
  config,
  log,
  nodeCache,
}: Pick<WorkerContainer, 'config' | 'log' | 'nodeCache'>): () => Promise<void> {
  if (config.nodeWatch === 'off' || !config.workers.includes('diagnosis')) return async () => undefined;
  const say = saidSeldom(
    ({ cluster, because, message }: { type: 'trouble'; cluster: string; because: string; message: string }) =>
      log.warn(
        { cluster, because, message },
        'the nodes cannot be watched at the moment: each diagnosis lists them',
      ),
  );
  return keepEachCluster(
    nodeCache.clusters,
    (cluster, signal) =>
      nodeCache.watch(
        cluster,
        (because, message) => say({ type: 'trouble', cluster, because, message }),
        signal,
      ),
    { log, what: 'nodes' },
  );
}
