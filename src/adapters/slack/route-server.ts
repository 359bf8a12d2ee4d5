import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A path beside Slack's own: health, metrics, webhooks. It carries no Slack signature; protect it by itself. */
export interface Route {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * Serves the routes in Socket Mode, where Slack needs no server. Bolt's own one reports neither its port nor a port
 * that is taken, and listens on all interfaces only.
 *
 * @throws when the port is taken
 */
export async function startRouteServer(
  routes: readonly Route[],
  listen: { readonly port: number; readonly host?: string },
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0];
    const here = routes.filter((route) => route.path === path);
    const route = here.find(({ method }) => method === request.method);
    if (route !== undefined) route.handler(request, response);
    else response.writeHead(here.length > 0 ? 405 : 404, { 'content-type': 'text/plain' }).end('not found\n');
  });
  server.listen(listen);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}
