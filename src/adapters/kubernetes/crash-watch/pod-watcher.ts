import { WatchedPod } from '../../../core/crash-history/watched-pod.js';
import type { PodWatcher } from '../../../usecases/history/crash-history-ports.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { collectionPath } from '../resource-paths.js';
import { type CollectionWatcherOptions, createCollectionWatcher } from '../watch/watch-collection.js';

export interface PodWatcherOptions extends CollectionWatcherOptions {
  readonly connections: readonly ClusterConnection[];
}

/** Lists and watches all pods. One loop a cluster and namespace: one that is down holds up no other. */
export function createPodWatcher({ connections, ...options }: PodWatcherOptions): PodWatcher {
  const watchCollection = createCollectionWatcher(options);
  return {
    clusters: connections.map(({ name }) => name),
    async watch(cluster, namespace, hears, signal) {
      const connection = connections.find(({ name }) => name === cluster);
      if (connection === undefined) return;
      const watched = { path: collectionPath('Pod', namespace), inProtobuf: true };
      await watchCollection(connection, watched, { ...hears, object }, signal);

      /** A pod that does not look like one is left out: one odd object stops nothing. */
      function object(told: unknown, gone: boolean): void {
        const pod = WatchedPod.safeParse(told);
        if (pod.success) hears.pod(pod.data, gone);
        else hears.trouble('malformed', '');
      }
    },
  };
}
