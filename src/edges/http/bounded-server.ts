import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface BoundedServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** All interfaces when absent. */
  readonly host?: string | undefined;
  /** Connections that are open at the same time. */
  readonly maxConnections: number;
  /** From the start of a request to the end of its body, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Answers one request. A connection has at most one request under way. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface BoundedServer {
  readonly port: number;
  /** Keeps the connection of this request open when connections run out: its sender has proved who it is. */
  trust(request: IncomingMessage): void;
  /** Accepts nothing new, and resolves when every request under way is answered. */
  close(): Promise<void>;
}

const headersTimeoutMs = 5_000;
const keepAliveTimeoutMs = 5_000;
/** A peer that neither sends nor reads for this long is disconnected. */
const idleTimeoutMs = 30_000;
/** Node.js compares connections with their deadlines at this interval. */
const deadlineCheckMs = 1_000;
const maxRequestsPerConnection = 1_000;

/**
 * An HTTP server whose open connections have limits in number and time. When connections run out, the oldest
 * one whose sender has not proved who it is receives 503 and is closed, so that slow connections cannot keep
 * others out.
 *
 * @throws when the port is taken
 */
export async function startBoundedServer(options: BoundedServerOptions): Promise<BoundedServer> {
  const { port, host, maxConnections, requestTimeoutMs, onRequest } = options;
  const open = new Set<Socket>();
  /** In the order in which they came. */
  const untrusted = new Set<Socket>();
  const busy = new WeakSet<Socket>();
  /** They sent a request before the answer to the one before, and receive no more than that answer. */
  const ending = new WeakSet<Socket>();

  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    if (busy.has(socket) || ending.has(socket)) {
      ending.add(socket);
      refusePipelined(socket, response);
      return;
    }
    busy.add(socket);
    response.once('close', () => {
      busy.delete(socket);
      if (open.has(socket)) untrusted.add(socket);
    });
    onRequest(request, response);
  };
  const server = createServer(
    {
      connectionsCheckingInterval: deadlineCheckMs,
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
    },
    receive,
  );
  // The answer "100 Continue" waits until the body is wanted: see `readBody`.
  server.on('checkContinue', receive);
  server.timeout = idleTimeoutMs;
  server.maxRequestsPerSocket = maxRequestsPerConnection;
  // Connections that are being closed for others still count for Node.js.
  server.maxConnections = 2 * maxConnections;
  server.on('connection', (socket) => {
    open.add(socket);
    untrusted.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size <= maxConnections) return;
    const [oldest = socket] = untrusted;
    forget(oldest);
    refuseConnection(oldest);
  });
  function forget(socket: Socket): void {
    open.delete(socket);
    untrusted.delete(socket);
  }
  server.listen({ port, ...(host === undefined ? {} : { host }) });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    trust: ({ socket }) => void untrusted.delete(socket),
    async close() {
      server.close();
      server.closeIdleConnections();
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
      await once(server, 'close');
    },
  };
}

function refuseConnection(socket: Socket): void {
  const body = 'Too many connections are open. Send the request again later.\n';
  socket.on('error', () => undefined);
  socket.write(
    `HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-type: text/plain\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  socket.destroySoon();
}

/** Reads nothing more from the connection: it is closed when the request before this one is answered. */
function refusePipelined(socket: Socket, response: ServerResponse): void {
  socket.pause();
  response
    .writeHead(400, { 'content-type': 'text/plain', connection: 'close' })
    .end('Send the next request after the answer to the one before.\n');
}
