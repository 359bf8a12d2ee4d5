import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { discardRest, isBodyReceived } from './read-body.js';

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** `text/plain` when absent. */
  readonly contentType?: string;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  /** @returns undefined when somebody else answers the request */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<Answer | undefined>;
}

interface HttpServerOptions extends Omit<BoundedServerOptions, 'onRequest'> {
  /** @param path without the query */
  readonly routeOf: (path: string) => Route | undefined;
  /** Answers a request of no route (404), of another method (405), or whose answer failed (500). */
  readonly refuse?: (status: 404 | 405 | 500, request: IncomingMessage, error?: unknown) => Answer;
}

const retryAfterSeconds = 5;

/**
 * Serves routes within the limits of a bounded server. Of a request that is answered before its whole body
 * arrived, the rest is never understood as the next request.
 *
 * @throws when the port is taken
 */
export function startHttpServer(options: HttpServerOptions): Promise<BoundedServer> {
  const { routeOf, refuse = refusePlainly, ...limits } = options;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '/'] = (request.url ?? '/').split('?');
    const route = routeOf(path);
    if (route === undefined) return send(request, response, refuse(404, request));
    if (request.method !== route.method && !(request.method === 'HEAD' && route.method === 'GET')) {
      response.setHeader('allow', route.method);
      return send(request, response, refuse(405, request));
    }
    const answered = await route
      .answer(request, response)
      .catch((error: unknown) => refuse(500, request, error));
    if (answered !== undefined) send(request, response, answered);
  }

  return startBoundedServer({
    ...limits,
    onRequest: (request, response) => {
      answer(request, response).catch(() => response.destroy());
    },
  });
}

function refusePlainly(status: 404 | 405 | 500): Answer {
  return { status, body: `${STATUS_CODES[status]}\n` };
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, body, contentType = 'text/plain' } = answer;
  if (status === 503) response.setHeader('retry-after', String(retryAfterSeconds));
  if (isBodyReceived(request)) {
    response.writeHead(status, { 'content-type': contentType }).end(body);
    return;
  }
  // Node.js destroys the connection as soon as such an answer has ended. So it is complete by its length and
  // does not end.
  const length = Buffer.byteLength(body);
  response.writeHead(status, { 'content-type': contentType, 'content-length': length, connection: 'close' });
  response.write(body, () => request.socket.end());
  discardRest(request);
}

interface BoundedServerOptions {
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
async function startBoundedServer(options: BoundedServerOptions): Promise<BoundedServer> {
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
