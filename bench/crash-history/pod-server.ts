import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PodServer {
  readonly url: string;
  /** Sends events to whoever watches. */
  send(events: readonly { readonly type: string; readonly object: object }[]): void;
  close(): void;
}

const page = 500;

/**
 * Serves a list of pods page by page and a watch, from texts that were made beforehand, so that serving takes
 * little.
 */
export async function servePods(pods: readonly string[]): Promise<PodServer> {
  const watching = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.writeHead(200, { 'content-type': 'application/json' });
    if (searchParams.has('watch')) {
      watching.add(response);
      response.on('close', () => watching.delete(response));
      response.flushHeaders();
      return;
    }
    const from = Number(searchParams.get('continue') ?? 0);
    const next = from + page < pods.length ? String(from + page) : '';
    const items = pods.slice(from, from + page).join(',');
    response.end(
      `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1","continue":"${next}"},"items":[${items}]}`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send(events) {
      const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      for (const response of watching) response.write(text);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
