import type { BoundedServer } from '../http/http-server.js';
import { type Route, startHttpServer } from '../http/http-server.js';
import type { Metrics } from './metrics.js';

interface StatusServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly metrics: Metrics;
  /** What keeps this process from being useful, in words for the operator; undefined when nothing does. */
  readonly problem: () => Promise<string | undefined>;
}

const maxConnections = 64;
const requestTimeoutMs = 5_000;

/**
 * Answers `/healthz` (the process runs), `/readyz` (what it needs works) and `/metrics`, on a port of its
 * own: none of it is for those who can reach Slack's port or the alerts'.
 *
 * @throws when the port is taken
 */
export async function startStatusServer(options: StatusServerOptions): Promise<BoundedServer> {
  const { port, metrics, problem } = options;
  const routes = new Map<string, Route['answer']>([
    ['/healthz', async () => ({ status: 200, body: 'ok\n' })],
    [
      '/readyz',
      async () => {
        const found = await problem();
        return { status: found === undefined ? 200 : 503, body: `${found ?? 'ready'}\n` };
      },
    ],
    ['/metrics', async () => ({ status: 200, ...(await metrics.page()) })],
  ]);
  return startHttpServer({
    port,
    maxConnections,
    requestTimeoutMs,
    routeOf(path) {
      const answer = routes.get(path);
      return answer && { method: 'GET', answer };
    },
  });
}
