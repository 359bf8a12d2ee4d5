import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DiagnosisAnswer,
  IncidentAnswer,
  IncidentListAnswer,
  RolloutCheckListAnswer,
} from '#src/edges/library/shapes.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { type McpRig, startMcpRig, textOf, tokens } from '../../support/mcp-rig.js';

let rig: McpRig;
beforeAll(async () => {
  rig = await startMcpRig({ startPart: inThisProcess });
});
afterAll(() => rig.stack.stop());

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the tools over HTTP', () => {
  it('read only, but for the one that asks people, and each has the schema of its answer', async () => {
    const { tools } = await rig.withClient('oncall', (client) => client.listTools());
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'check_update',
      'diagnose_rollout',
      'explain_scheduler_message',
      'get_incident',
      'list_incidents',
      'propose_change',
      'scan_rollouts',
    ]);
    for (const { name, annotations, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: name !== 'propose_change', destructiveHint: false });
      expect(outputSchema?.properties).toHaveProperty('apiVersion');
    }
  });

  it.each(['oncall', 'group'] as const)(
    'diagnose what the person or the group (%s) may see',
    async (caller) => {
      const { structuredContent } = await rig.call(caller, 'diagnose_rollout', { workload: 'ml/inference' });
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
    const scan = await rig.call('oncall', 'scan_rollouts', { namespace: 'ml' });
    expect(textOf(scan)).toContain('surge-deadlock');
    const check = await rig.call('oncall', 'check_update', {
      manifests: manifests.replace('namespace: shop', 'namespace: ml'),
    });
    const { items } = RolloutCheckListAnswer.parse(check.structuredContent);
    expect(items.map(({ workload, outcome }) => [workload.namespace, outcome])).toEqual([['ml', 'deadlock']]);
  });

  it('list open incidents of what the caller may see', async () => {
    await rig.stack.slack.as('robin').runs('/rollout-doctor ml/inference', { channel: 'ml-oncall' });
    await rig.withClient('oncall', (client) =>
      expect
        .poll(async () => (await client.callTool({ name: 'list_incidents' })).structuredContent, {
          timeout: 60_000,
          interval: 1_000,
        })
        .toMatchObject({ items: [{ cause: 'surge-deadlock', workload: { namespace: 'ml' } }] }),
    );
    const seen = IncidentListAnswer.parse((await rig.call('group', 'list_incidents')).structuredContent);
    expect(seen.items).toHaveLength(1);
    const [{ id } = { id: '' }] = seen.items;
    const one = await rig.call('group', 'get_incident', { id });
    const { cause, card, diagnosis } = IncidentAnswer.parse(one.structuredContent);
    expect([cause, diagnosis?.findings[0]?.cause]).toEqual(['surge-deadlock', 'surge-deadlock']);
    expect(card).toMatch(/\/archives\/C0MLONCALL\/p\d+$/);
    const hidden = await rig.call('shop', 'get_incident', { id });
    const unknown = await rig.call('shop', 'get_incident', { id: 'f'.repeat(20) });
    expect(hidden.isError).toBe(true);
    expect(textOf(hidden).replaceAll(id, '')).toBe(textOf(unknown).replaceAll('f'.repeat(20), ''));
    expect((await rig.call('shop', 'list_incidents')).structuredContent).toMatchObject({
      items: [],
      omitted: 0,
    });
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
        const hidden = await rig.call(caller, tool, given('ml'));
        const absent = await rig.call(caller, tool, given('xx'));
        expect([tool, hidden.isError]).toEqual([tool, true]);
        expect(textOf(hidden).replaceAll('ml', 'xx')).toBe(textOf(absent));
        expect(textOf(hidden)).not.toContain('gpu');
      }
    },
  );
});

describe('a call of a tool over HTTP', () => {
  it('has fixes without kubectl commands', async () => {
    const answer = await rig.call('oncall', 'diagnose_rollout', { workload: 'ml/inference' });
    expect(textOf(answer)).toContain('patch-strategy');
    expect(textOf(answer)).not.toContain('kubectl');
  });

  const workload = (name: string) =>
    `{apiVersion: apps/v1, kind: Deployment, metadata: {name: ${name}, namespace: ml}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}}`;
  const manifests = (count: number) =>
    Array.from({ length: count }, (_, at) => workload(`w${at}`)).join('\n---\n');

  it.each([
    ['a scan without a namespace', 'scan_rollouts', {}, 'namespace'],
    ['a cluster that does not exist', 'scan_rollouts', { namespace: 'ml', cluster: 'nowhere' }, 'nowhere'],
    ['more than ten workloads', 'check_update', { manifests: manifests(11) }, 'at most 10'],
    [
      'manifests without a workload',
      'check_update',
      { manifests: '{kind: List, items: [{kind: A}]}' },
      'no workload',
    ],
    ['an id that is none', 'get_incident', { id: '../x' }, 'id'],
  ])('is refused for %s', async (_, tool, given, says) => {
    const answer = await rig.call('oncall', tool, given);
    expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringContaining(says)]);
  });

  it('checks ten workloads, in the namespace of the call where a manifest names none', async () => {
    const given = { manifests: manifests(10).replaceAll(', namespace: ml', ''), namespace: 'ml' };
    const check = await rig.call('oncall', 'check_update', given);
    const { items } = RolloutCheckListAnswer.parse(check.structuredContent);
    expect(items.map(({ workload: { namespace } }) => namespace)).toEqual(Array(10).fill('ml'));
  });
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
    const answer = await rig.send(headers, listTools);
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
    expect((await rig.send({ ...bearer(tokens.oncall), ...headers }, body)).status).toBe(status);
  });

  it('must be a POST', async () => {
    expect((await rig.send(bearer(tokens.oncall), '', 'GET')).status).toBe(405);
    expect((await rig.send(bearer(tokens.oncall), '', 'DELETE')).status).toBe(405);
  });

  it('has to come later after 120 in a minute, and others are still answered', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 121; at += 1)
      statuses.push((await rig.send(bearer(tokens.nobody), listTools)).status);
    const refused = await rig.send(bearer(tokens.nobody), listTools);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect((await rig.send(bearer(tokens.group), listTools)).status).toBe(200);
  });
});
