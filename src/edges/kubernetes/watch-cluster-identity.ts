import * as z from 'zod';
import type { ClusterConnection } from './cluster-connection.js';

const askEveryMs = 15_000;
const timeoutMs = 5_000;

const Namespace = z.object({ metadata: z.object({ uid: z.string() }) });

interface ClusterIdentity {
  /** Uid of the namespace `kube-system`; absent while it could not be read, as without the right to. */
  readonly clusterUid?: string;
  /** Whether the API server answered the last request; true before the first one. */
  readonly isReachable: boolean;
}

type WatchedIdentity = { readonly current: () => ClusterIdentity; close(): void };

/**
 * Asks a cluster now and then for its namespace `kube-system`, which exists from its first start to its end.
 * A cluster is unreachable when no answer comes in time, when its server fails, and when it refuses the
 * credentials.
 */
export function watchClusterIdentity({ call }: ClusterConnection, everyMs = askEveryMs): WatchedIdentity {
  let last: ClusterIdentity = { isReachable: true };
  const ask = async (): Promise<void> => {
    const signal = AbortSignal.timeout(timeoutMs);
    // Credentials of a plug-in take their own time, so the signal alone does not bound the wait.
    const late = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    const path = '/api/v1/namespaces/kube-system';
    const answer = await Promise.race([call({ path, signal }).catch(() => undefined), late]);
    const isReachable = answer !== undefined && answer.status < 500 && answer.status !== 401;
    const uid = answer?.status === 200 ? Namespace.safeParse(answer.body).data?.metadata.uid : undefined;
    // What was read once stays true while the API server is away.
    const clusterUid = isReachable ? uid : last.clusterUid;
    last = { isReachable, ...(clusterUid === undefined ? {} : { clusterUid }) };
  };
  void ask();
  const timer = setInterval(() => void ask(), everyMs);
  return { current: () => last, close: () => clearInterval(timer) };
}
