import type { PodWatcher } from '../../../service/history/crash-history-ports.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { boundedEntries, quickSchema } from '../object-schema.js';
import { collectionPath } from '../resource-paths.js';
import { type CollectionWatcherOptions, createCollectionWatcher } from '../watch/watch-collection.js';
import type { PodCache } from './pod-cache.js';

interface PodWatcherOptions extends CollectionWatcherOptions {
  readonly connections: readonly ClusterConnection[];
  /** Is filled by what the watch of all namespaces brings. */
  readonly cache?: Pick<PodCache, 'fill'>;
}

/** Lists and watches all pods. One loop a cluster and namespace: one that is down holds up no other. */
export function createPodWatcher({ connections, cache, ...options }: PodWatcherOptions): PodWatcher {
  const watchCollection = createCollectionWatcher(options);
  const schema = quickSchema('Pod');
  return {
    clusters: connections.map(({ name }) => name),
    async watch(cluster, namespace, hears, signal) {
      const connection = connections.find(({ name }) => name === cluster);
      if (connection === undefined) return;
      const watched = { path: collectionPath('Pod', namespace), inProtobuf: true };
      const filling = namespace === '' ? cache?.fill(cluster) : undefined;
      await watchCollection(
        connection,
        watched,
        {
          listBegins() {
            filling?.listBegins();
            hears.listBegins();
          },
          listEnds(version) {
            filling?.listEnds(version);
            hears.listEnds();
          },
          /** A pod that does not look like one is left out: one odd object stops nothing. */
          object(told, gone) {
            filling?.object(told, gone);
            const pod = schema.safeParse(boundedEntries(told));
            if (pod.success) hears.pod(pod.data, gone);
            else hears.trouble('malformed', '');
          },
          inStep() {
            filling?.inStep();
            hears.inStep();
          },
          told: (version) => filling?.told(version),
          begins: (renew) => filling?.begins(renew),
          trouble(because, message) {
            filling?.trouble(because, message);
            hears.trouble(because, message);
          },
        },
        signal,
      );
      filling?.end();
    },
  };
}
