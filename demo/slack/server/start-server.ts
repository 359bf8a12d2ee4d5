import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { respond } from '../delivery/respond.js';
import type { SocketTransport } from '../delivery/socket-transport.js';
import type { Desk } from '../desk.js';
import type { LocalSlackOptions } from '../local-slack-options.js';
import { chatMethods } from '../web-api/chat.js';
import { conversationMethods } from '../web-api/conversations.js';
import { createUploads } from '../web-api/files.js';
import { createCallHandler } from '../web-api/handle-call.js';
import { peopleMethods } from '../web-api/people.js';
import { reactionMethods } from '../web-api/reactions.js';
import { sessionMethods } from '../web-api/session.js';
import { viewMethods } from '../web-api/views.js';
import { answerJson, answerText, bodyOf } from './answers.js';
import { serveFile } from './files.js';
import { requestProblem } from './guard.js';
import { createPageServer } from './page-server.js';

/** Bytes of a call or answer. */
const callLimit = 5_000_000;
const uploadLimit = 50_000_000;

export interface RunningServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 and nowhere else. */
export async function startServer(
  desk: Desk,
  sockets: SocketTransport,
  options: LocalSlackOptions,
): Promise<RunningServer> {
  const uploads = createUploads();
  const handleCall = createCallHandler(desk, [
    ...sessionMethods,
    ...chatMethods,
    ...conversationMethods,
    ...peopleMethods,
    ...reactionMethods,
    ...viewMethods,
    ...uploads.methods,
  ]);
  const page = options.page === false ? undefined : createPageServer(desk, options);
  let port = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const problem = requestProblem(request, port);
    if (problem !== undefined) return answerText(response, 403, problem);
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const body = await bodyOf(request, pathname.startsWith('/upload/') ? uploadLimit : callLimit);
    if (body === undefined) return answerText(response, 413, 'Too large.');
    const [, method] = /^\/api\/([\w.]+)$/.exec(pathname) ?? [];
    if (method !== undefined) return handleCall(method, request, response, body);
    if (request.method === 'POST' && pathname.startsWith('/response/')) {
      return answerResponse(desk, pathname, body, response);
    }
    const [, upload] = /^\/upload\/v1\/(\w+)$/.exec(pathname) ?? [];
    if (upload !== undefined) {
      const content = await uploadedBytes(request, body);
      if (uploads.receive(desk, upload, content)) return answerText(response, 200, `OK - ${content.length}`);
      return answerText(response, 404, 'No such upload.');
    }
    const [, file] = /^\/files\/(\w+)(?:\/|$)/.exec(pathname) ?? [];
    if (file !== undefined) return serveFile(desk, file, response);
    if (page !== undefined && (await page.serve(pathname, request, response, body))) return;
    answerText(response, 404, 'Not found.');
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error('The local Slack could not serve a request:', error);
      answerJson(response, 500, { ok: false, error: 'internal_error' });
    });
  });
  server.on('upgrade', (request, socket, head) => {
    if (requestProblem(request, port) !== undefined) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.upgrade(request, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  port = (server.address() as AddressInfo).port;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      page?.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function answerResponse(desk: Desk, path: string, body: Buffer, response: ServerResponse): void {
  const redeemed = desk.responseUrls.redeem(path);
  if (redeemed.type !== 'redeemed') {
    answerJson(response, 404, { ok: false, error: redeemed.type });
    return;
  }
  const answered = respond(desk, redeemed.target, parsed(body.toString()));
  answerJson(response, answered.ok ? 200 : 400, answered);
}

/** The bytes themselves, or those of the one file in a form. */
async function uploadedBytes(request: IncomingMessage, body: Buffer): Promise<Buffer> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) return body;
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData();
  for (const [, value] of form) {
    return typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer());
  }
  return Buffer.alloc(0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
