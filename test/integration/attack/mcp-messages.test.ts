import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoundedServer, startHttpServer } from '#src/edges/http/http-server.js';
import { createMcpRoute } from '#src/edges/mcp/mcp-route.js';
import type { ToolAnswers } from '#src/edges/mcp/tool-server.js';

const token = 'token-of-the-assistant-for-tests';
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const asked: string[] = [];
const scan: ToolAnswers['scan'] = async ({ namespace }) => {
  asked.push(namespace ?? '');
  throw new Error('the cluster does not answer');
};

let server: BoundedServer;
beforeAll(async () => {
  const route = createMcpRoute({
    assistants: [{ name: 'oncall' }],
    tokens: new Map([['oncall', token]]),
    answersFor: () => ({ scan }) as ToolAnswers,
    log,
  });
  server = await startHttpServer({
    ...{ port: 0, host: '127.0.0.1', maxConnections: 100, requestTimeoutMs: 30_000 },
    routeOf: () => route,
  });
});
afterAll(() => server.close());

function send(body: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body,
  });
}

const call = (id: unknown, name = 'scan_rollouts') => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: { namespace: 'shop' } },
});
const batch = JSON.stringify(Array.from({ length: 100 }, (_, id) => call(id)));

describe('a message of an assistant', () => {
  it('calls one tool', async () => {
    asked.length = 0;
    expect((await send(JSON.stringify(call(1)))).status).toBe(200);
    expect(asked).toEqual(['shop']);
  });

  it.each([
    ['at its start', batch],
    ['behind white space', ` \r\n\t${batch}`],
    ['behind a byte order mark', `\uFEFF${batch}`],
    ['behind a byte order mark and white space', `\uFEFF\n ${batch}`],
    ['of one call', JSON.stringify([call(1)])],
  ])('that is a list of calls %s calls none: a hundred would count as one', async (_, body) => {
    asked.length = 0;
    const response = await send(body);
    expect([response.status, asked]).toEqual([400, []]);
    expect(await response.text()).toContain('one message');
  });

  it.each(['', '\uFEFF'])('that names a person of Slack is refused, behind %j too', async (mark) => {
    asked.length = 0;
    const slack = { user_id: 'U0ADMIN', team_id: 'T0TEAM' };
    const named = { ...call(1), params: { ...call(1).params, _meta: { slack } } };
    expect([(await send(`${mark}${JSON.stringify(named)}`)).status, asked]).toEqual([403, []]);
  });

  it.each([
    ['an object', { a: 1 }],
    ['a list', ['a']],
    ['nothing', null],
    ['a truth value', true],
  ])('with %s as its id is refused', async (_, id) => {
    asked.length = 0;
    expect([(await send(JSON.stringify(call(id)))).status, asked]).toEqual([400, []]);
  });

  it.each([
    '__proto__',
    'constructor',
    'toString',
    'scan_rollouts\nadmin',
    'x'.repeat(100_000),
    'resources/read',
  ])('that names the tool %.20j calls none', async (name) => {
    asked.length = 0;
    const response = await send(JSON.stringify(call(1, name)));
    expect([response.status, asked]).toEqual([200, []]);
    expect(await response.text()).toContain('"error"');
  });
});
