import type { ServerResponse } from 'node:http';
import { type BoundedServer, startBoundedServer } from '../../http/bounded-server.js';
import { discardRest, isBodyReceived } from '../../http/read-body.js';
import type { Metrics } from './metrics.js';

export interface StatusServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly metrics: Metrics;
  /** What keeps this process from being useful, in words for the operator; undefined when nothing does. */
  readonly problem: () => Promise<string | undefined>;
}

const maxConnections = 64;
const requestTimeoutMs = 5_000;

/**
 * Answers `/healthz` (the process runs), `/readyz` (what it needs works) and `/metrics`, on a port of its own: none of it
 * is for those who can reach Slack's port or the alerts'.
 *
 * @throws when the port is taken
 */
export async function startStatusServer(options: StatusServerOptions): Promise<BoundedServer> {
  const { port, metrics, problem } = options;

  async function answer(url: string, response: ServerResponse): Promise<void> {
    const text = { 'content-type': 'text/plain' };
    switch (url.split('?')[0]) {
      case '/healthz':
        response.writeHead(200, text).end('ok\n');
        return;
      case '/readyz': {
        const found = await problem();
        response.writeHead(found === undefined ? 200 : 503, text).end(`${found ?? 'ready'}\n`);
        return;
      }
      case '/metrics': {
        const page = await metrics.page();
        response.writeHead(200, { 'content-type': page.contentType }).end(page.body);
        return;
      }
      default:
        response.writeHead(404, text).end('not found\n');
    }
  }

  return startBoundedServer({
    port,
    maxConnections,
    requestTimeoutMs,
    onRequest: (request, response) => {
      const { method } = request;
      if (!isBodyReceived(request)) response.setHeader('connection', 'close');
      if (method !== 'GET' && method !== 'HEAD') response.writeHead(405, { allow: 'GET' }).end();
      else answer(request.url ?? '/', response).catch(() => response.writeHead(500).end());
      discardRest(request);
    },
  });
}
