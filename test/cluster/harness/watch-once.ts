import type { ClusterConnection } from '#src/edges/kubernetes/cluster-connection.js';
import { createPodWatcher } from '#src/edges/kubernetes/crash-watch/pod-cache.js';

/**
 * Begins the watch of the crash history and ends it: `in step` once the list is complete and the watch runs,
 * otherwise the reason.
 *
 * @param namespace '' for all
 */
export async function watchOnce(connection: ClusterConnection, namespace: string): Promise<string> {
  const watcher = createPodWatcher({ connections: [connection], pageTimeoutMs: 30_000 });
  const stopping = new AbortController();
  let outcome = 'silent';
  const end = (what: string): void => {
    if (!stopping.signal.aborted) outcome = what;
    stopping.abort();
  };
  const deadline = setTimeout(() => end('silent'), 60_000);
  const nothing = (): void => undefined;
  await watcher.watch(
    connection.name,
    namespace,
    {
      listBegins: nothing,
      listEnds: nothing,
      pod: nothing,
      inStep: () => end('in step'),
      trouble: (why) => end(why),
    },
    stopping.signal,
  );
  clearTimeout(deadline);
  return outcome;
}
