import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type BoundedServer, type BoundedServerOptions, startBoundedServer } from './bounded-server.js';
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

export interface HttpServerOptions extends Omit<BoundedServerOptions, 'onRequest'> {
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
