import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.js';

export interface StatusServerOptions {
  readonly port: number;
  readonly metrics: Metrics;
  /** What must work for this process to be useful; names of what does not. */
  readonly problems: () => Promise<readonly string[]>;
}

export interface StatusServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers `/healthz` (the process runs), `/readyz` (what it needs answers) and `/metrics`. */
export async function startStatusServer({
  port,
  metrics,
  problems,
}: StatusServerOptions): Promise<StatusServer> {
  const server = createServer((request, response) => {
    answer(request.url ?? '/', response).catch(() => response.writeHead(500).end());
  });
  async function answer(url: string, response: ServerResponse): Promise<void> {
    const path = url.split('?')[0];
    if (path === '/healthz') response.writeHead(200, { 'content-type': 'text/plain' }).end('ok\n');
    else if (path === '/readyz') {
      const found = await problems();
      const body = found.length === 0 ? 'ready\n' : `${found.join('\n')}\n`;
      response.writeHead(found.length === 0 ? 200 : 503, { 'content-type': 'text/plain' }).end(body);
    } else if (path === '/metrics') {
      const page = await metrics.page();
      response.writeHead(200, { 'content-type': page.contentType }).end(page.body);
    } else response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
  }
  server.listen(port);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
