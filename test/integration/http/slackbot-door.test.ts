import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BoundedServer } from '#src/edges/http/http-server.js';
import { startHttpServer } from '#src/edges/http/http-server.js';
import { createMcpRoute } from '#src/edges/mcp/mcp-route.js';
import { createSlackCallers } from '#src/edges/mcp/slack-caller.js';
import type { ToolAnswers } from '#src/edges/mcp/tool-server.js';
import { createSlackSignature, mayBeSigned } from '#src/edges/slack/slack-server.js';
import { signedHeaders } from '../../../demo/slack/delivery/signature.js';

const secret = 'signing-secret-of-the-app';
const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const now = () => Math.floor(Date.now() / 1_000);
const forged = () => ({
  'x-slack-signature': `v0=${'0'.repeat(64)}`,
  'x-slack-request-timestamp': String(now()),
});

let server: BoundedServer;
beforeAll(async () => {
  const route = createMcpRoute({
    assistants: [],
    tokens: new Map(),
    slackbot: {
      channel: undefined,
      mayBeSigned,
      callerOf: createSlackCallers({
        isSigned: createSlackSignature(secret),
        isOwn: () => Promise.resolve(true),
        seenBefore: () => Promise.resolve(false),
      }),
    },
    answersFor: () => ({}) as ToolAnswers,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  server = await startHttpServer({
    ...{ port: 0, host: '127.0.0.1', maxConnections: 1_000, requestTimeoutMs: 30_000 },
    routeOf: () => route,
  });
});
afterAll(() => server.close());

function send(headers: Record<string, string>, body: string): Promise<number> {
  return fetch(`http://127.0.0.1:${server.port}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  }).then(({ status }) => status);
}

/** Sends the headers and one byte of a long body. */
function sendSlowly(headers: Record<string, string>) {
  const sent = request({ port: server.port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers });
  const status = new Promise<number | undefined>((resolve) => {
    sent.once('response', (response) => resolve(response.resume().statusCode));
    sent.once('error', () => resolve(undefined));
  });
  sent.setHeader('content-length', 1_000);
  sent.write('{');
  return { status, end: () => sent.destroy() };
}

describe('a call of Slackbot', () => {
  it('is answered while many unsigned calls send their bodies slowly', async () => {
    const slow = Array.from({ length: 40 }, () => sendSlowly(forged()));
    expect(await send(signedHeaders(secret, listTools, now()), listTools)).toBe(200);
    for (const { end } of slow) end();
  });

  it('is answered after more unsigned calls than a caller may make in a minute', async () => {
    const statuses = await Promise.all(Array.from({ length: 130 }, () => send(forged(), listTools)));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await send(signedHeaders(secret, listTools, now()), listTools)).toBe(200);
  });

  it.each([
    ['a signature of another form', { ...forged(), 'x-slack-signature': 'v0=short' }],
    ['no time', { 'x-slack-signature': `v0=${'0'.repeat(64)}` }],
    ['a time of yesterday', { ...forged(), 'x-slack-request-timestamp': String(now() - 86_400) }],
    ['a time to come', { ...forged(), 'x-slack-request-timestamp': String(now() + 3_600) }],
  ])('with %s is refused by its headers, before its body', async (_, headers) => {
    const slow = sendSlowly(headers);
    expect(await slow.status).toBe(401);
    slow.end();
  });

  it('is refused after more calls of its person than a caller may make in a minute', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 130 }, () => send(signedHeaders(secret, listTools, now()), listTools)),
    );
    expect(statuses).toEqual(expect.arrayContaining([200, 429]));
  });
});
