import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isObject } from '../json.js';
import { type AnsweringDeps, answer } from './answer.js';
import { StatusError } from './status-error.js';

const maxBodyBytes = 3 * 1024 * 1024;

export interface ApiServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Closes the port and every connection: clients see a refused connection. */
  refuse(): Promise<void>;
  /** Opens the same port again. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

/** Starts serving. @param port 0 for any free one */
export async function startApiServer(deps: AnsweringDeps, port: number): Promise<ApiServer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void respond(deps, request, response);
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const listening = await listen(server, port);
  const refuse = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return {
    url: `http://127.0.0.1:${listening}`,
    refuse: () => (server.listening ? refuse() : Promise.resolve()),
    accept: async () => {
      if (!server.listening) await listen(server, listening);
    },
    close: () => (server.listening ? refuse() : Promise.resolve()),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function respond(
  deps: AnsweringDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await answer(deps, request, await readBody(request), response);
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    sendStatus(response, error instanceof StatusError ? error : internalError(error));
  }
}

function internalError(error: unknown): StatusError {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`);
}

function sendStatus(response: ServerResponse, { status, code, retryAfterSeconds }: StatusError): void {
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  response.writeHead(code, { 'Content-Type': 'application/json', ...headers });
  response.end(isObject(status) ? `${JSON.stringify(status)}\n` : '');
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBodyBytes) {
      throw new StatusError(
        413,
        'RequestEntityTooLarge',
        `Request entity too large: limit is ${maxBodyBytes}`,
      );
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
