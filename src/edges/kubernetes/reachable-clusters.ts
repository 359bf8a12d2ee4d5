import type { ClusterConnection } from './cluster-connection.js';

const timeoutMs = 3_000;

/**
 * Asks each cluster for `/version`, which every account may read (role `system:public-info-viewer`). An
 * answer counts unless the server fails or refuses the credentials: nothing could be read then.
 */
export function createReachableClusters(
  connections: readonly ClusterConnection[],
): () => Promise<ReadonlyMap<string, boolean>> {
  const answers = async ({ call }: ClusterConnection): Promise<boolean> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const late = new Promise<false>((resolve) =>
      signal.addEventListener('abort', () => resolve(false), { once: true }),
    );
    // Credentials of a plug-in take their own time, so the signal alone does not bound the wait.
    const answered = call({ path: '/version', signal }).then(
      ({ status }) => status < 500 && status !== 401,
      () => false,
    );
    return Promise.race([answered, late]);
  };
  return async () =>
    new Map(await Promise.all(connections.map(async (each) => [each.name, await answers(each)] as const)));
}
