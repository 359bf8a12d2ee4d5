import { readFile } from 'node:fs/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiagnosisAnswer, IncidentListAnswer, RolloutCheckListAnswer } from '#src/library/shapes.js';
import { seedInference } from '../../../demo/cluster/seed/inference-gpu.js';
import { type Stack, startStack } from '../../../demo/stack.js';

const tokens = {
  oncall: 'o'.repeat(40),
  shop: 's'.repeat(40),
  group: 'g'.repeat(40),
  nobody: 'n'.repeat(40),
};
type Caller = keyof typeof tokens;

const alerts = `
assistants:
  - { name: oncall, token: { env: ONCALL_TOKEN }, user: U0ROBIN }
  - { name: shop, token: { env: SHOP_TOKEN }, user: U0SAM }
  - { name: group, token: { env: GROUP_TOKEN }, group: ml-oncall }
  - { name: nobody, token: { env: NOBODY_TOKEN }, user: U0NOBODY }
`;
const policy = `
grants:
  - { users: [U0ROBIN], namespaces: ["*"], actions: "*" }
view:
  - { users: [U0ROBIN], namespaces: ["*"], logs: true }
  - { users: [U0SAM], namespaces: [shop] }
  - { groups: [ml-oncall], namespaces: [ml] }
channels:
  - { channels: [C0MLONCALL], namespaces: ["*"], logs: true }
`;

let stack: Stack;
let url: URL;
beforeAll(async () => {
  let port = 0;
  stack = await startStack({
    seed: seedInference,
    alerts,
    policy,
    env: {
      ONCALL_TOKEN: tokens.oncall,
      SHOP_TOKEN: tokens.shop,
      GROUP_TOKEN: tokens.group,
      NOBODY_TOKEN: tokens.nobody,
      ALERTS_PORT: '0',
    },
    onLog(_, line) {
      if (line.includes('alerts are received')) port = JSON.parse(line).port;
    },
  });
  url = new URL(`http://127.0.0.1:${port}/mcp`);
});
afterAll(() => stack.stop());

async function withClient<Result>(caller: Caller, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${tokens[caller]}` } },
    }),
  );
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

function call(caller: Caller, name: string, given: Record<string, unknown> = {}) {
  return withClient(caller, (client) => client.callTool({ name, arguments: given }));
}

type Called = Awaited<ReturnType<typeof call>>;

function textOf({ content }: Called): string {
  return content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n');
}

function send(headers: Record<string, string>, body: string, method = 'POST') {
  return fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'POST' && { body }),
  });
}

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the tools over HTTP', () => {
  it('are five that only read, each with the schema of its answer', async () => {
    const { tools } = await withClient('oncall', (client) => client.listTools());
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'check_update',
      'diagnose_rollout',
      'explain_scheduler_message',
      'list_incidents',
      'scan_rollouts',
    ]);
    for (const { annotations, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(outputSchema?.properties).toHaveProperty('apiVersion');
    }
  });

  it.each(['oncall', 'group'] as const)(
    'diagnose what the person or the group (%s) may see',
    async (caller) => {
      const { structuredContent } = await call(caller, 'diagnose_rollout', { workload: 'ml/inference' });
      const { findings, workload } = DiagnosisAnswer.parse(structuredContent);
      expect([workload.namespace, findings[0]?.cause, findings[0]?.confidence]).toEqual([
        'ml',
        'surge-deadlock',
        'proven',
      ]);
    },
  );

  it('scan a namespace and check manifests', async () => {
    const manifests = await readFile(
      new URL('../../../docs/examples/inference.yaml', import.meta.url),
      'utf8',
    );
    const scan = await call('oncall', 'scan_rollouts', { namespace: 'ml' });
    expect(textOf(scan)).toContain('surge-deadlock');
    const check = await call('oncall', 'check_update', {
      manifests: manifests.replace('namespace: shop', 'namespace: ml'),
    });
    const { items } = RolloutCheckListAnswer.parse(check.structuredContent);
    expect(items.map(({ workload, outcome }) => [workload.namespace, outcome])).toEqual([['ml', 'deadlock']]);
  });

  it('list open incidents of what the caller may see', async () => {
    await stack.slack.as('robin').runs('/rollout-doctor ml/inference', { channel: 'ml-oncall' });
    await withClient('oncall', (client) =>
      expect
        .poll(async () => (await client.callTool({ name: 'list_incidents' })).structuredContent, {
          timeout: 60_000,
          interval: 1_000,
        })
        .toMatchObject({ items: [{ cause: 'surge-deadlock', workload: { namespace: 'ml' } }] }),
    );
    const seen = IncidentListAnswer.parse((await call('group', 'list_incidents')).structuredContent);
    expect(seen.items).toHaveLength(1);
    expect((await call('shop', 'list_incidents')).structuredContent).toMatchObject({ items: [], omitted: 0 });
  });

  it.each(['shop', 'nobody'] as const)(
    'answer %s about what is hidden from it like about what does not exist',
    async (caller) => {
      const manifest = (namespace: string) =>
        `{apiVersion: apps/v1, kind: Deployment, metadata: {name: inference, namespace: ${namespace}}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: []}}}}`;
      for (const [tool, given] of [
        ['diagnose_rollout', (name: string) => ({ workload: `${name}/inference` })],
        ['scan_rollouts', (name: string) => ({ namespace: name })],
        ['check_update', (name: string) => ({ manifests: manifest(name) })],
      ] as const) {
        const hidden = await call(caller, tool, given('ml'));
        const absent = await call(caller, tool, given('xx'));
        expect([tool, hidden.isError]).toEqual([tool, true]);
        expect(textOf(hidden).replaceAll('ml', 'xx')).toBe(textOf(absent));
        expect(textOf(hidden)).not.toContain('gpu');
      }
    },
  );
});

describe('a request without a valid token', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', bearer('x'.repeat(40))],
    ['the beginning of a token', bearer(tokens.oncall.slice(0, -1))],
    ['a token with more behind it', bearer(`${tokens.oncall}x`)],
    ['a token of another scheme', { authorization: `Basic ${tokens.oncall}` }],
    ['no scheme', { authorization: tokens.oncall }],
    ['a very long token', bearer('o'.repeat(10_000))],
  ])('is refused: %s', async (_, headers) => {
    const answer = await send(headers, listTools);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.text()).not.toContain('diagnose');
  });
});

describe('a request with a valid token', () => {
  it.each([
    ['from a page of another host', 403, { origin: 'https://evil.example' }, listTools],
    ['from a page whose host only looks local', 403, { origin: 'http://localhost.evil.example' }, listTools],
    ['from a page of this machine, and is answered', 200, { origin: 'http://localhost:6274' }, listTools],
    ['that is too large', 413, {}, `"${'x'.repeat(2_100_000)}"`],
    ['that is no JSON', 400, {}, '{'],
  ])('is refused where it comes %s', async (_, status, headers, body) => {
    expect((await send({ ...bearer(tokens.oncall), ...headers }, body)).status).toBe(status);
  });

  it('must be a POST', async () => {
    expect((await send(bearer(tokens.oncall), '', 'GET')).status).toBe(405);
    expect((await send(bearer(tokens.oncall), '', 'DELETE')).status).toBe(405);
  });

  it('has to come later after 120 in a minute, and others are still answered', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 121; at += 1) statuses.push((await send(bearer(tokens.nobody), listTools)).status);
    const refused = await send(bearer(tokens.nobody), listTools);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect((await send(bearer(tokens.group), listTools)).status).toBe(200);
  });
});
