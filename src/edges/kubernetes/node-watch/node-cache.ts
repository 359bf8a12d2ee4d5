import { performance } from 'node:perf_hooks';
import * as z from 'zod';
import type { Node } from '../../../engine/objects/node.js';
import type { UnseenReason } from '../../../engine/objects/snapshot.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { boundedEntries, quickSchema } from '../object-schema.js';
import { collectionPath } from '../resource-paths.js';
import { type CollectionWatcherOptions, createCollectionWatcher } from '../watch/watch-collection.js';

/** With more nodes the lists are read by each diagnosis: a node takes some kilobytes here. */
const maxNodes = 15_000;
/** A watch that has told nothing for so long, in milliseconds, is no ground for a diagnosis. */
export const maxAgeMs = 20_000;
/**
 * The API server ends each watch after this and up to twice as long. It plans a bookmark two seconds before
 * the end and sends it with the precision of its timers, 3 to 0.7 seconds before
 * (`apiserver/pkg/storage/cacher: nextBookmarkTime`, `dispatchEvents`; 2.2 to 0.8 seconds measured with
 * 1.36.3). So in a cluster in which no node changes, at most 18.5 seconds lie between two bookmarks, less
 * than `maxAgeMs`. A bookmark says that the watch is in step with the API server's cache, which may itself be
 * behind etcd, as it may be for a list. An API server whose cache of the nodes is switched off sends none,
 * and neither does one with etcd before 3.4.31 or 3.5.13 until some node changes, as it leaves out a bookmark
 * of the version that the watch began with (`cacher/cache_watcher.go: processInterval`). Each kubelet writes
 * its node's state every five minutes. In a small cluster the nodes are listed meanwhile.
 */
const watchSeconds = 8;

/** All nodes of a cluster as a watch has told them. */
export interface WatchedNodes {
  readonly nodes: readonly Node[];
  /** Milliseconds since the API server last told that this is all. */
  readonly ageMs: number;
}

export interface NodeCache {
  readonly clusters: readonly string[];
  /**
   * `undefined` where the watch is not in step, is older than `maxAgeMs`, or told a node that cannot be read.
   */
  nodes(cluster: string): WatchedNodes | undefined;
  /** Lists and watches the nodes until the signal. Never throws. */
  watch(
    cluster: string,
    onTrouble: (because: UnseenReason | 'expired' | 'ended', message: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
}

interface NodeCacheOptions extends CollectionWatcherOptions {
  readonly connections: readonly ClusterConnection[];
  /** Monotonic, in milliseconds. */
  readonly elapsed?: () => number;
}

interface Kept {
  /** By name; `undefined`: a node that does not parse. */
  readonly byName: Map<string, Node | undefined>;
  unreadable: number;
  /** When the API server last told something, by `elapsed`. */
  firstSentAt: number;
}

const Named = z.object({ metadata: z.object({ name: z.string() }) });

/** Keeps the nodes of clusters by a watch, only the fields that a diagnosis reads. */
export function createNodeCache({
  connections,
  elapsed = () => performance.now(),
  ...options
}: NodeCacheOptions): NodeCache {
  const watchCollection = createCollectionWatcher({ watchSeconds, ...options });
  const known = new Map<string, Kept>();

  return {
    clusters: connections.map(({ name }) => name),
    nodes(cluster) {
      const kept = known.get(cluster);
      if (kept === undefined || kept.unreadable > 0 || kept.byName.size > maxNodes) return undefined;
      const ageMs = elapsed() - kept.firstSentAt;
      if (ageMs > maxAgeMs) return undefined;
      return { nodes: [...kept.byName.values()].flatMap((node) => node ?? []), ageMs: Math.round(ageMs) };
    },
    async watch(cluster, onTrouble, signal) {
      const connection = connections.find(({ name }) => name === cluster);
      if (connection === undefined) return;
      let kept: Kept = { byName: new Map(), unreadable: 0, firstSentAt: 0 };
      /** What a list under way has told; it takes the place of `kept` when it is complete. */
      let listed: Kept | undefined;
      let listedFrom = 0;
      await watchCollection(
        connection,
        { path: collectionPath('Node', ''), inProtobuf: true },
        {
          listBegins() {
            listed = { byName: new Map(), unreadable: 0, firstSentAt: 0 };
            listedFrom = elapsed();
          },
          listEnds() {
            if (listed === undefined) return;
            // The list is as old as its request.
            kept = { ...listed, firstSentAt: listedFrom };
            listed = undefined;
            known.set(cluster, kept);
          },
          object: (object, gone) => keep(listed ?? kept, object, gone),
          inStep: () => undefined,
          told() {
            kept.firstSentAt = elapsed();
          },
          trouble(because, message) {
            listed = undefined;
            onTrouble(because, message);
          },
        },
        signal,
      );
      known.delete(cluster);
    },
  };
}

function keep(kept: Kept, object: unknown, gone: boolean): void {
  const { byName } = kept;
  const parsed = quickSchema('Node').safeParse(boundedEntries(object));
  const name = parsed.success
    ? parsed.data.metadata.name
    : (Named.safeParse(object).data?.metadata.name ?? '');
  const forget = (): void => {
    if (byName.has(name) && byName.get(name) === undefined) kept.unreadable -= 1;
    byName.delete(name);
  };
  forget();
  if (gone) return;
  // What is beyond the limit is not kept; one more says that the limit is exceeded.
  if (byName.size > maxNodes) return;
  byName.set(name, parsed.success ? parsed.data : undefined);
  if (!parsed.success) kept.unreadable += 1;
}
