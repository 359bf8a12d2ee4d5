import type { ClusterConnection } from '#src/edges/kubernetes/cluster-connection.js';
import { createNodeCache } from '#src/edges/kubernetes/node-watch/node-cache.js';

/**
 * Begins the watch of the nodes and ends it: `in step` once the list was complete and the watch began, else
 * why not.
 */
export async function watchNodesOnce(connection: ClusterConnection): Promise<string> {
  const stopping = new AbortController();
  let outcome = 'silent';
  const end = (what: string): void => {
    if (!stopping.signal.aborted) outcome = what;
    stopping.abort();
  };
  const observed: ClusterConnection = {
    ...connection,
    async stream(request) {
      const answer = await connection.stream(request);
      if ('chunks' in answer) end('in step');
      return answer;
    },
  };
  const cache = createNodeCache({ connections: [observed], pageTimeoutMs: 30_000 });
  const deadline = setTimeout(() => end('silent'), 60_000);
  await cache.watch(connection.name, (because) => end(because), stopping.signal);
  clearTimeout(deadline);
  return outcome;
}
