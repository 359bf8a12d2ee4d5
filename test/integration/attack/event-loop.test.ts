import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AlertSettings } from '#src/doctor/alerts/alert-settings.js';
import { fullSight } from '#src/doctor/policy/view.js';
import { startHttpServer } from '#src/edges/http/http-server.js';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { cachedList } from '#src/edges/kubernetes/list-reading.js';
import { createListDecoder } from '#src/edges/kubernetes/protobuf/decode-list.js';
import { readLogs } from '#src/edges/kubernetes/read-dependencies.js';
import { listObjects, readObject } from '#src/edges/kubernetes/read-objects.js';
import { jsonLines } from '#src/edges/kubernetes/watch/watch-collection.js';
import { createMcpRoute } from '#src/edges/mcp/mcp-route.js';
import { createSightAnswers } from '#src/edges/mcp/sight-answers.js';
import { createThreadedGitEditor } from '#src/edges/threads/threaded-git-editor.js';
import { createIncidentIoNotes, createPagerDutyNotes } from '#src/edges/webhooks/incident-notes.js';
import { startWebhookServer } from '#src/edges/webhooks/webhook-server.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { startManifestReader } from '#src/roots/start-app.js';
import { signedHeaders } from '../../../demo/slack/delivery/signature.js';
import { alertmanagerBody } from '../../support/alert-payloads.js';
import { longestTurn, turnBudget } from '../../support/processor-work.js';
import { buildApproval } from '../../support/slack-builders.js';
import { commandBody, startRig } from '../../support/slack-rig.js';
import { statedCount } from '../../support/stated-count.js';

/** Rounds of one input. A product that is too slow is so in each of them. */
const maxRounds = 6;
/** What one turn may take beyond what the same door takes for a small input. */
let budget: number;
beforeAll(async () => {
  budget = await turnBudget();
});

/** Foreign inputs that were measured. */
let inputs = 0;

/**
 * The longest turn for the foreign input, beyond that for a small one of the same form, as a share of what one
 * turn may take. A processor changes its speed within seconds: each round but the first measures the budget
 * anew.
 */
async function shareOfTurn(foreign: () => Promise<unknown>, small: () => Promise<unknown>): Promise<number> {
  inputs += 1;
  // Modules are loaded and compiled by the first one.
  await small();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxRounds && least >= 1; round += 1) {
    if (round > 0) budget = await turnBudget();
    const control = await longestTurn(small);
    const turn = await longestTurn(foreign, 3, budget + control);
    least = Math.min(least, (turn - control) / budget);
  }
  return least;
}

/**
 * A server in a thread of its own, so that its work is not taken for that of the product: the answer of each
 * path, JSON as text and protobuf as bytes.
 */
async function startServer(answers: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const program = `
    const { createServer } = require('node:http');
    const { parentPort, workerData } = require('node:worker_threads');
    const server = createServer((request, response) => {
      request.resume();
      const path = request.url.split('?')[0];
      const found = Object.entries(workerData).find(([end]) => path.endsWith(end));
      const type = typeof found?.[1] === 'object' ? 'vnd.kubernetes.protobuf' : 'json';
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/' + type });
      response.end(found ? found[1] : '{}');
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  `;
  const worker = new Worker(program, { eval: true, workerData: answers });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, 'message')) as [number];
  return `http://127.0.0.1:${port}`;
}

/** The list of protobuf with its objects again and again, up to this many: as a large cluster sends it. */
function grownList(name: 'nodes' | 'gated-pods', count: number): Buffer {
  const file = new URL(`../../unit/edges/kubernetes/protobuf/recorded/${name}.base64`, import.meta.url);
  const bytes = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  const envelope = fieldsOf(bytes.subarray(4));
  const list = fieldsOf(envelope.find(({ field }) => field === 2)?.value ?? Buffer.alloc(0));
  const items = list.filter(({ field }) => field === 2);
  const many = Array.from({ length: Math.ceil(count / items.length) }, () => items).flat();
  const raw = Buffer.concat(
    [...list.filter(({ field }) => field === 1), ...many.slice(0, count)].map(encoded),
  );
  const head = envelope.filter(({ field }) => field === 1).map(encoded);
  return Buffer.concat([bytes.subarray(0, 4), ...head, encoded({ field: 2, value: raw })]);
}

interface Field {
  readonly field: number;
  readonly value: Buffer;
}

/** The fields of a message that have a length. */
function fieldsOf(message: Buffer): readonly Field[] {
  const found: Field[] = [];
  for (let at = 0; at < message.length; ) {
    const field = (message[at] ?? 0) >>> 3;
    let [length, shift, byte] = [0, 0, 0x80];
    for (at += 1; byte >= 0x80; at += 1, shift += 7) {
      byte = message[at] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
    }
    found.push({ field, value: message.subarray(at, at + length) });
    at += length;
  }
  return found;
}

function encoded({ field, value }: Field): Buffer {
  const header = [(field << 3) | 2];
  let left = value.length;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) header.push((left % 0x80) | 0x80);
  return Buffer.concat([Buffer.from([...header, left]), value]);
}

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('');
const deployment =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: shop}\nspec:\n  replicas: 1\n';
const mapOf = (fields: number, value: (at: number) => unknown) =>
  Object.fromEntries(Array.from({ length: fields }, (_, at) => [`k${at}`, value(at)]));
/** Who wrote an object, with fields of different names. */
const writers = (fields: number) => {
  const fieldsV1 = Object.fromEntries(
    Array.from({ length: fields }, (_, at) => [`f:key-${at}`, { 'f:a': {}, 'f:b': { '.': {} } }]),
  );
  return [{ manager: 'argocd', operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1 }];
};
const silent = pino({ level: 'silent' });
const { signal } = new AbortController();

/** The door of assistants, with its thread. Each has the limit of calls of a minute. */
async function startTools(): Promise<(body: string) => Promise<void>> {
  const manifests = startManifestReader();
  onTestFinished(() => manifests.close());
  // On a busy machine the thread starts more slowly than a connection may be idle.
  while ((await manifests.read('a: 1\n', 'ide')).type === 'busy');
  const fail = async (): Promise<never> => {
    throw new Error('the cluster was asked');
  };
  const route = createMcpRoute({
    assistants: [{ name: 'ide' }],
    tokens: new Map([['ide', 'a-token-of-some-length']]),
    log: silent,
    answersFor: () =>
      createSightAnswers({
        cluster: { clusters: ['prod'], find: fail, snapshot: fail, scope: fail },
        engine: { needs: new Set(), diagnose: fail, check: fail },
        incidents: { get: fail, recent: fail, unsettled: fail },
        deliveries: { get: fail },
        linkTo: () => undefined,
        admitProposal: () => ({ type: 'refused', afterSeconds: 1 }),
        ...{ caller: 'ide', manifests, waitForManifests: () => 0, sight: async () => fullSight },
      }),
  });
  const server = await startHttpServer({
    ...{ port: 0, host: '127.0.0.1', maxConnections: 10, requestTimeoutMs: 60_000 },
    routeOf: () => route,
    refuse: (status) => ({ status, contentType: 'text/plain', body: '' }),
  });
  onTestFinished(() => server.close());
  const post = async (body: string): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        connection: 'close',
        authorization: 'Bearer a-token-of-some-length',
      },
      body,
    });
    await answer.text();
  };
  return post;
}

/** A call of `check_update`. */
const callOf = (text: string): string =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'check_update', arguments: { manifests: text } },
  });

describe('no foreign input costs more than its share of the event loop', () => {
  it('at the alert webhooks', async () => {
    const token = 'a-token-of-some-length';
    const senders = [
      'alertmanager',
      'incident-io',
      'argo-cd',
      'pagerduty',
      'opsgenie',
      'robusta',
      'generic',
    ] as const;
    const server = await startWebhookServer({
      ...{ port: 0, host: '127.0.0.1', language: 'en', languageOfChannel: () => 'en', log: silent },
      settings: AlertSettings.parse({
        channel: 'C012INCIDENTS',
        webhooks: senders.map((source) => ({
          ...{ name: source, source, auth: { type: 'bearer', token: { env: 'A' } } },
          ...(source === 'generic' ? { mapping: { alerts: '/a', name: '/n', text: '/t', tags: '/g' } } : {}),
        })),
        rules: Array.from({ length: 50 }, (_, at) => ({
          when: { title: `*Kube*Deploy*${at}*x` },
          labels: { namespace: 'shop' },
        })),
      }),
      secrets: new Map(senders.map((source) => [source, token])),
      isFull: async () => false,
      // Redis answers in a later turn.
      receive: () => setImmediate('recorded' as const),
      digest: (text) => createHash('sha256').update(text).digest('hex'),
      clock: { now: () => new Date('2026-11-21T03:00:00Z') },
      metrics: { alert: () => undefined, alertRefused: () => undefined },
    });
    onTestFinished(() => server.close());
    const send = async (
      body: string,
      { authorization = `Bearer ${token}`, to = 'alertmanager' } = {},
    ): Promise<void> => {
      const url = `http://127.0.0.1:${server.port}/alerts/${to}`;
      const headers = { 'content-type': 'application/json', authorization, connection: 'close' };
      await (await fetch(url, { method: 'POST', headers, body })).text();
    };
    const one = alertmanagerBody({}) as { readonly alerts: readonly object[] };
    const small = JSON.stringify(one);
    const count = Math.floor(1_900_000 / JSON.stringify(one.alerts[0]).length);
    const many = JSON.stringify({ ...one, alerts: Array.from({ length: count }, () => one.alerts[0]) });
    const deep = `{"alerts":${'['.repeat(900_000)}${']'.repeat(900_000)}}`;
    const alert = (value: (at: number) => unknown, labels: number, text = '') => ({
      ...{ status: 'firing', startsAt: '2026-11-28T00:00:00Z' },
      labels: mapOf(labels, value),
      annotations: { summary: text, description: text, ...mapOf(text === '' ? 0 : 22, () => text) },
    });
    const said = (length: number) => 'value password=x4 '.repeat(250).slice(0, length);
    const hostile = [
      JSON.stringify({ alerts: Array.from({ length: 14 }, () => alert(() => said(1_000), 64, said(2_000))) }),
      JSON.stringify({ alerts: [alert(() => 'v', 120_000)] }),
      JSON.stringify({ alerts: [alert(() => 'v', 39_000)] }),
      JSON.stringify({ ...mapOf(39_000, () => 1), alerts: [] }),
      JSON.stringify({ alerts: Array.from({ length: 1_000 }, () => alert(() => ({}), 100)) }),
      JSON.stringify({ alerts: Array.from({ length: 1_000 }, () => alert((at) => `Value ${at} of it`, 40)) }),
      `{"alerts":[${'1,'.repeat(900_000)}1]}`,
      JSON.stringify({
        alerts: Array.from({ length: 1_900 }, (_, at) => alert((label) => `${label}.${at}`, 30)),
      }),
    ];
    for (const foreign of [many, deep, 'x'.repeat(1_900_000), ...hostile]) {
      expect(
        await shareOfTurn(
          () => send(foreign),
          () => send(small),
        ),
        foreign.slice(0, 40),
      ).toBeLessThan(1);
    }
    const application = (health: object, more: object = {}): string =>
      JSON.stringify({
        metadata: { name: 'web', uid: 'u' },
        status: { health: { status: 'Degraded', ...health } },
        ...more,
      });
    const opsgenie = (more: object): string =>
      JSON.stringify({ action: 'Create', alert: { alertId: 'a', ...more } });
    const ofLength = (text: string, length: number): string =>
      text.repeat(Math.ceil(length / text.length)).slice(0, length);
    const titled = (count: number, text: string) =>
      JSON.stringify({ a: Array.from({ length: count }, (_, at) => ({ n: `a${at}`, t: text, g: 'a:b' })) });
    const ofOthers: readonly (readonly [(typeof senders)[number], string])[] = [
      ['argo-cd', application({ message: ofLength('apps/Deployment:shop/web ', 1_900_000) })],
      ['argo-cd', application({ message: ofLength('value password=x4 ', 1_900_000) })],
      ['argo-cd', application({}, { operation: mapOf(39_000, () => 1) })],
      ['argo-cd', application({}, { url: `https://${ofLength('a%', 1_800_000)}` })],
      ['pagerduty', `{"event":{"id":"e","event_type":"${'incident.'.repeat(200_000)}","data":{}}}`],
      ['opsgenie', opsgenie({ tags: Array.from({ length: 240_000 }, () => ':') })],
      ['opsgenie', opsgenie({ details: mapOf(19_000, () => ofLength('password=x4 ', 80)) })],
      ['robusta', '\n'.repeat(1_900_000)],
      ['robusta', '[RESOLVED]'.repeat(190_000)],
      ['generic', titled(1_000, ofLength('Kube Deploy ', 1_800))],
      ['generic', titled(230, ofLength('KubeDeploy1', 8_000))],
      ['alertmanager', JSON.stringify({ alerts: [alert(() => 'v', 0, ofLength('Kube Deploy', 8_000))] })],
    ];
    const smalls = new Map<string, string>([
      ['argo-cd', application({})],
      ['pagerduty', '{"event":{"id":"e","event_type":"a","data":{}}}'],
      ['opsgenie', opsgenie({})],
      ['robusta', 'a\n'],
      ['generic', titled(1, 'a')],
    ]);
    for (const [to, foreign] of ofOthers) {
      const share = await shareOfTurn(
        () => send(foreign, { to }),
        () => send(smalls.get(to) ?? small, { to }),
      );
      expect(share, `${to} ${foreign.slice(0, 60)}`).toBeLessThan(1);
    }
    const forged = () => send(many, { authorization: 'Bearer another-token-of-some-length' });
    expect(await shareOfTurn(forged, () => send(small))).toBeLessThan(1);
    const type = 'public_incident.incident_created_v2';
    const incident = (more: object): string =>
      JSON.stringify({
        event_type: type,
        [type]: { id: '01FDAG4SAP5TYPT98WGR2N7W91', incident_status: { category: 'live' }, ...more },
      });
    const field = (at: number, values: number, name: string) => ({
      custom_field: { name: `${at} ${name}` },
      values: Array.from({ length: values }, () => ({ value_text: said(1_000) })),
    });
    const ofIncidents = [
      incident({ custom_field_entries: Array.from({ length: 100_000 }, () => ({})) }),
      incident({
        custom_field_entries: Array.from({ length: 8_000 }, (_, at) => field(at, 0, ' '.repeat(150))),
      }),
      incident({ custom_field_entries: Array.from({ length: 200 }, (_, at) => field(at, 8, 'name')) }),
      incident({
        name: said(4_000),
        summary: 'value password=x4 '.repeat(100_000),
        severity: { name: said(4_000) },
      }),
    ];
    for (const foreign of ofIncidents) {
      const share = await shareOfTurn(
        () => send(foreign, { to: 'incident-io' }),
        () => send(incident({}), { to: 'incident-io' }),
      );
      expect(share, foreign.slice(0, 120)).toBeLessThan(1);
    }
  });

  it('at the tools of assistants', async () => {
    const post = await startTools();
    const keys = (most: number): string => lines(most, (at) => `k${at}: 1\n`);
    const values = `${deployment}${lines(70_000, () => '  - {a: 1}\n').replace('  -', 'x:\n  -')}`;
    const texts = [keys(90_000), values, 'a: &a [*a]\n', `a: ${'['.repeat(400_000)}`].map(callOf);
    const fields = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: mapOf(90_000, () => 1),
    });
    const bodies = [fields, '['.repeat(1_900_000), `[${'{},'.repeat(600_000)}{}]`, 'x'.repeat(1_900_000)];
    const named = (name: string, args: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
    const tools = [
      named('diagnose_rollout', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
      named('value password=x4 '.repeat(100_000), '{}'),
    ];
    const small = callOf(keys(10));
    for (const foreign of [...texts, ...bodies, ...tools]) {
      const share = await shareOfTurn(
        () => post(foreign),
        () => post(small),
      );
      expect(share, foreign.slice(0, 120)).toBeLessThan(1);
    }
  });

  it('in workloads and messages that assistants send', async () => {
    const post = await startTools();
    const podOf = (spec: object): string =>
      JSON.stringify({
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'api', namespace: 'shop' } },
        spec: {
          selector: { matchLabels: { app: 'api' } },
          template: {
            metadata: { labels: { app: 'api' } },
            spec: { containers: [{ name: 'app', image: 'registry.example/api:1' }], ...spec },
          },
        },
      });
    const empty = Array.from({ length: 80_000 }, () => ({}));
    const specs = [
      ...[{ volumes: empty }, { topologySpreadConstraints: empty }, { initContainers: empty }],
      ...[{ tolerations: empty }, { containers: Array.from({ length: 120_000 }, () => 1) }],
      { nodeSelector: mapOf(12_000, () => 'x') },
    ].map((spec) => callOf(podOf(spec)));
    const explained = (text: string): string =>
      JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: {
          name: 'explain_scheduler_message',
          arguments: { message: text.repeat(16_384).slice(0, 16_384) },
        },
      });
    const messages = ['password=x4 ', '토큰 은 ', '0/5 nodes are available: 1 a, ', '"', '{"a":"b"},'].map(
      explained,
    );
    const small = callOf('k: 1\n');
    for (const foreign of [...specs, ...messages]) {
      const share = await shareOfTurn(
        () => post(foreign),
        () => post(small),
      );
      expect(share, foreign.slice(0, 120)).toBeLessThan(1);
    }
  });

  it('in repositories', async () => {
    const sha = (text: string): string => createHash('sha1').update(text).digest('hex');
    const editorOf = async (files: Readonly<Record<string, string>>) => {
      const entries = Object.entries(files);
      const url = await startServer({
        '/repository/branches/main': JSON.stringify({ commit: { id: 'a'.repeat(40), message: 'first' } }),
        '/repository/tree': JSON.stringify(
          entries.map(([path]) => ({ id: sha(path), path, mode: '100644', type: 'blob' })),
        ),
        ...Object.fromEntries(
          entries.map(([path, text]) => [
            `/repository/blobs/${sha(path)}`,
            JSON.stringify({ encoding: 'base64', content: Buffer.from(text).toString('base64') }),
          ]),
        ),
      });
      const gitlab = { apiUrl: url, token: 't', timeoutMs: 60_000, repositories: ['acme/deploy'] };
      const entry = new URL('../../../workers/git-thread.ts', import.meta.url);
      const editor = createThreadedGitEditor({ entry, data: { gitlab }, maxComputingMs: 5_000 });
      onTestFinished(() => editor.close());
      const place = { repository: 'acme/deploy', branch: 'main', path: 'prod' } as const;
      const workload = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'api' } as const;
      const changes = [{ path: 'spec.strategy.rollingUpdate.maxSurge', after: 0 }];
      const subject = { plan: { ...buildApproval().plan, changes }, workload } as never;
      return () => editor.editPlace(place, subject);
    };
    const small = await editorOf({ 'prod/api.yaml': deployment });
    const foreign = await editorOf({
      'prod/api.yaml': `${deployment}${lines(150_000, (at) => `k${at}: 1\n`)}`,
      'prod/list.yaml': `# api\nkind: Deployment\nx:\n${'  - a\n'.repeat(300_000)}`,
    });
    expect(await small()).toMatchObject({ type: 'edited' });
    expect(await shareOfTurn(foreign, small)).toBeLessThan(1);
  });

  it('at the door of Slack', async () => {
    const rig = await startRig({
      alerts: {
        channels: [{ channel: 'C0INCIDENTS' }],
        rules: [],
        receive: async () => 'recorded',
        locate: async () => ({ type: 'nothing', because: 'nothing-named', called: '' }),
        digest: (text) => createHash('sha256').update(text).digest('hex'),
      },
    });
    onTestFinished(() => rig.close());
    // The sender encodes and signs before the delay is measured: only the receiver counts.
    const form = 'application/x-www-form-urlencoded';
    const commandOf = (text: string): string => commandBody(text, { trigger_id: `${Math.random()}` });
    const prepare = (body: string, isSigned: boolean, type = form): (() => Promise<void>) => {
      const secret = isSigned ? rig.slack.signingSecret : 'another secret';
      const signature = signedHeaders(secret, body, Math.floor(Date.now() / 1_000));
      const headers = { 'content-type': type, connection: 'close', ...signature };
      const bytes = Buffer.from(body);
      return async () => {
        const url = `http://127.0.0.1:${rig.port}/slack/events`;
        const answer = await fetch(url, { method: 'POST', headers, body: bytes });
        await answer.text();
      };
    };
    const small = prepare(commandOf('ml/inference'), true);
    for (const text of ['a'.repeat(900_000), 'a/'.repeat(400_000), ' ml'.repeat(100_000)]) {
      expect(await shareOfTurn(prepare(commandOf(text), true), small)).toBeLessThan(1);
    }
    for (const text of ['a'.repeat(400_000), ' '.repeat(900_000)]) {
      expect(await shareOfTurn(prepare(commandOf(text), false), small)).toBeLessThan(1);
    }
    const from = { team: { id: 'T0LOCAL' }, user: { id: 'U0DANA' }, container: {}, trigger_id: '1.2' };
    const payload = (more: object): string =>
      new URLSearchParams({ payload: JSON.stringify({ ...from, ...more }) }).toString();
    const element = { type: 'plain_text_input', value: 'x'.repeat(3_000) };
    const submission = (more: object) => ({
      type: 'view_submission',
      view: { callback_id: 'remediation.review', type: 'modal', state: { values: {} }, ...more },
    });
    const said = 'value password=x4 '.repeat(166);
    const long = Array.from({ length: 100 }, () => ({
      type: 'section',
      text: { type: 'mrkdwn', text: said },
    }));
    const press = { type: 'block_actions', actions: [{ type: 'button', action_id: 'none' }] };
    const payloads = [
      { ...press, state: { values: mapOf(100, () => ({ a: element })) } },
      { ...press, state: { values: mapOf(15_000, () => ({})) } },
      { ...press, actions: [{ type: 'button', action_id: 'x'.repeat(900_000) }] },
      submission({ private_metadata: JSON.stringify(mapOf(30_000, () => 1)) }),
      submission({ state: { values: { reason: { reason: { value: ' '.repeat(900_000) } } } } }),
      { ...press, ...mapOf(45_000, () => 1) },
      submission({ blocks: long, state: { values: mapOf(100, () => ({ a: element })) } }),
      { ...press, type: 'message_action', message: { text: said, blocks: long, attachments: long } },
    ];
    for (const each of payloads) {
      const share = await shareOfTurn(prepare(payload(each), true), small);
      expect(share, JSON.stringify(each).slice(0, 120)).toBeLessThan(1);
    }
    const message = (text: string): string =>
      JSON.stringify({
        ...{ type: 'event_callback', team_id: 'T0LOCAL', event_id: 'Ev1' },
        event: {
          type: 'message',
          subtype: 'bot_message',
          channel: 'C0INCIDENTS',
          ts: '1.2',
          bot_id: 'B0',
          text,
        },
      });
    for (const text of ['token 은 ', 'value password=x4 ', 'Labels:\nuser app pass=x7! {"a":"b"}\n']) {
      const full = text.repeat(Math.ceil(40_000 / text.length));
      const share = await shareOfTurn(prepare(message(full), true, 'application/json'), small);
      expect(share, text).toBeLessThan(1);
    }
    const event = (more: string) => `{"type":"event_callback","event":{"type":"message"},"a":${more}}`;
    for (const more of [
      `${'['.repeat(400_000)}${']'.repeat(400_000)}`,
      `[${'{},'.repeat(320_000)}{}]`,
      JSON.stringify(mapOf(70_000, () => 1)),
    ]) {
      const share = await shareOfTurn(prepare(event(more), true, 'application/json'), small);
      expect(share, more.slice(0, 20)).toBeLessThan(1);
    }
  });

  it('in the answers of clusters', async () => {
    const podsIn = async (pods: number, more: string) => {
      const item = (at: number) => ({
        metadata: { name: `web-${at}`, namespace: 'shop', uid: `u${at}`, annotations: { more } },
        spec: { containers: [{ name: 'app', image: 'registry.example/web:1' }] },
        status: { phase: 'Running' },
      });
      const items = Array.from({ length: pods }, (_, at) => item(at));
      const url = await startServer({
        '/pods': JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items }),
      });
      const call = createApiCall({
        getCurrentCluster: () => ({ name: 'prod', server: url, skipTLSVerify: true }),
        getCurrentUser: () => ({ name: 'me', token: 'a-token-of-ours' }),
      });
      return () => listObjects(call, 'Pod', { namespace: 'shop', max: 5_000, reading: cachedList }, signal);
    };
    const small = await podsIn(1, '');
    expect(await shareOfTurn(await podsIn(500, 'x'.repeat(10_000)), small)).toBeLessThan(1);
  });

  it('in lists of 5,000 nodes and 50,000 pods in protobuf', async () => {
    const reading = async (kind: 'Node' | 'Pod', count: number) => {
      const name = kind === 'Node' ? 'nodes' : 'gated-pods';
      const url = await startServer({ [`/${kind.toLowerCase()}s`]: grownList(name, count) });
      const call = createApiCall({
        getCurrentCluster: () => ({ name: 'prod', server: url, skipTLSVerify: true }),
        getCurrentUser: () => ({ name: 'me', token: 'a-token-of-ours' }),
      });
      return () => listObjects(call, kind, { reading: cachedList }, signal);
    };
    for (const [kind, count] of [
      ['Node', 5_000],
      ['Pod', 50_000],
    ] as const) {
      const [small, large] = [await reading(kind, 2), await reading(kind, count)];
      let read = 0;
      const share = await shareOfTurn(async () => {
        const answer = await large();
        read = answer.type === 'read' ? answer.value.items.length : 0;
      }, small);
      expect(read, kind).toBe(count);
      expect(share, kind).toBeLessThan(1);
    }
    // A pod of empty containers, and one of annotations.
    const empty = encoded({ field: 2, value: Buffer.alloc(0) });
    const annotation = (at: number) =>
      encoded({ field: 12, value: encoded({ field: 1, value: Buffer.from(`k${at}`) }) });
    const pods = [
      encoded({ field: 2, value: Buffer.concat(Array.from({ length: 900_000 }, () => empty)) }),
      encoded({ field: 1, value: Buffer.concat(Array.from({ length: 180_000 }, (_, at) => annotation(at))) }),
    ];
    for (const pod of pods) {
      const typeMeta = encoded({ field: 2, value: Buffer.from('PodList') });
      const list = encoded({ field: 2, value: encoded({ field: 2, value: pod }) });
      const bytes = Buffer.concat([Buffer.from('k8s\0'), encoded({ field: 1, value: typeMeta }), list]);
      const decode = (): void => void createListDecoder(() => true).push(bytes);
      const refused = async () => expect(decode).toThrow('too many fields');
      expect(await shareOfTurn(refused, await reading('Pod', 2))).toBeLessThan(1);
    }
  });

  it('in lists of clusters, genuine ones of the largest size and hostile ones', async () => {
    const replicaSet = (at: number, managed: number) => ({
      metadata: {
        ...{ name: `web-${at}`, namespace: 'shop', uid: `u${at}`, resourceVersion: '1', generation: 1 },
        ...{ creationTimestamp: '2026-11-28T00:00:00Z' },
        managedFields: writers(managed),
      },
      spec: {
        ...{ replicas: 1, selector: { matchLabels: { app: 'web' } } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'app', image: 'web:1' }] },
        },
      },
      status: { replicas: 1 },
    });
    const listOf = (count: number, managed: number): string =>
      JSON.stringify({
        ...{ kind: 'ReplicaSetList', apiVersion: 'apps/v1', metadata: { resourceVersion: '7' } },
        items: Array.from({ length: count }, (_, at) => replicaSet(at, managed)),
      });
    const reading = async (text: string) => {
      const url = await startServer({ '/replicasets': text });
      const call = createApiCall({
        getCurrentCluster: () => ({ name: 'prod', server: url, skipTLSVerify: true }),
        getCurrentUser: () => ({ name: 'me', token: 'a-token-of-ours' }),
      });
      return () => listObjects(call, 'ReplicaSet', { namespace: 'shop', reading: cachedList }, signal);
    };
    const small = await reading(listOf(1, 1));
    const genuine = [await reading(listOf(3_000, 80)), await reading(listOf(10, 18_000))];
    expect(await genuine[0]?.()).toMatchObject({
      type: 'read',
      value: { items: { length: 3_000 }, cut: false },
    });
    expect(await genuine[1]?.()).toMatchObject({ type: 'read', value: { items: { length: 10 } } });
    const wide = mapOf(38_000, () => 'x');
    const hostile = [
      `{"items":[{"a":${'['.repeat(900_000)}${']'.repeat(900_000)}}]}`,
      `{"items":[${'{"a":'.repeat(1_000_000)}1${'}'.repeat(1_000_000)}]}`,
      `{"items":[${'{},'.repeat(3_000_000)}{}]}`,
      `[${'{},'.repeat(3_000_000)}{}]`,
      `{"items":[{"a":[${'{},'.repeat(3_000_000)}{}]}]}`,
      `{"items":[{"a":[${'{},'.repeat(600_000)}{}]}]}`,
      JSON.stringify({ items: [mapOf(130_000, () => 1)] }),
      JSON.stringify({ items: [{ a: Array.from({ length: 80_000 }, (_, at) => ({ [`k${at}`]: 1 })) }] }),
      JSON.stringify({ ...mapOf(130_000, () => 1), items: [] }),
      JSON.stringify({
        items: Array.from({ length: 8 }, () => ({ metadata: { labels: wide, annotations: wide } })),
      }),
    ];
    for (const [at, list] of [...genuine, ...(await Promise.all(hostile.map(reading)))].entries()) {
      expect(await shareOfTurn(list, small), `list ${at}`).toBeLessThan(1);
    }
  });

  it('in single objects of clusters, which many list entries or texts of values fill', async () => {
    const reading = async (kind: 'Deployment' | 'Application' | 'HelmRelease', spec: object) => {
      const object = { kind, metadata: { name: 'web', namespace: 'shop', uid: 'u' }, spec, status: {} };
      const url = await startServer({ '/web': JSON.stringify(object) });
      const call = createApiCall({
        getCurrentCluster: () => ({ name: 'prod', server: url, skipTLSVerify: true }),
        getCurrentUser: () => ({ name: 'me', token: 'a-token-of-ours' }),
      });
      return () => readObject(call, kind, { namespace: 'shop', name: 'web' }, signal);
    };
    const ofPod = (spec: object) => ({
      ...{ replicas: 1, selector: { matchLabels: { app: 'web' } } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'app', image: 'web:1' }], ...spec },
      },
    });
    const filled = (entry: unknown) => {
      const count = Math.floor(1_400_000 / (JSON.stringify(entry).length + 1));
      return Array.from({ length: count }, () => entry);
    };
    const yaml = (line: string) => line.repeat(Math.ceil(32_768 / line.length)).slice(0, 32_768);
    const sourcesOf = (line: string) =>
      Array.from({ length: 42 }, () => ({
        repoURL: 'https://git.example/a/b',
        helm: { values: yaml(line) },
      }));
    const small = await reading('Deployment', ofPod({}));
    expect(await small()).toMatchObject({ type: 'read' });
    // Different names count once in a text: the same ones in several maps are as much work.
    const wide = mapOf(38_000, () => 'x');
    const resources = { requests: mapOf(4_000, () => '1'), limits: mapOf(4_000, () => '1') };
    const everywhere = { metadata: { labels: wide, annotations: wide }, spec: { containers: [] } };
    const objects = [
      await reading('Deployment', { selector: { matchLabels: wide }, template: everywhere }),
      await reading('Deployment', {
        selector: { matchLabels: mapOf(12_000, () => 'x') },
        template: { ...everywhere, metadata: { labels: wide } },
      }),
      await reading(
        'Deployment',
        ofPod({
          containers: Array.from({ length: 20 }, (_, at) => ({ name: `a${at}`, image: 'a', resources })),
        }),
      ),
      await reading('Deployment', ofPod({ containers: filled({ name: 'a' }) })),
      await reading('Deployment', ofPod({ tolerations: filled({ key: 'a', operator: 'Exists' }) })),
      await reading('Deployment', ofPod({ volumes: filled(1) })),
      await reading('Application', { ignoreDifferences: filled({ kind: 'a' }) }),
      await reading('HelmRelease', { driftDetection: { ignore: filled({ paths: ['a'] }) } }),
      await reading('Application', { sources: sourcesOf('a: {b: [1, 2]}\n') }),
      await reading('Application', { sources: sourcesOf('- ') }),
      ...(await Promise.all(
        [
          ...['[', '[\n', '- ', '? ', 'a: {b: [1, 2]}\n', '"\\u00e9": 1\n', '#\n', 'a: !!x y\n'],
          ...['!x ', '}\n', '*a\n', '%Y\n', '- "\\x"\n'],
        ].map((line) => reading('Application', { source: { helm: { values: yaml(line) } } })),
      )),
    ];
    for (const [at, object] of objects.entries()) {
      expect(await shareOfTurn(object, small), `object ${at}`).toBeLessThan(1);
    }
  });

  it('in the answers of senders that keep incidents', async () => {
    const answering = async (body: string) => {
      const apiUrl = await startServer({ '/notes': body, '/postmortem_documents': body });
      const note = { text: '# web', mark: 'rollout-doctor i/a' };
      return [
        createPagerDutyNotes({ apiUrl, token: 'a-token-of-ours', from: 'a@example.com' }),
        createIncidentIoNotes({ apiUrl, token: 'a-token-of-ours' }),
      ].map((host) => () => host.add('PT4KHLK', note).catch(() => undefined));
    };
    const listOf = (entry: string, count: number): string => {
      const entries = `[${`${entry},`.repeat(count)}${entry}]`;
      return `{"notes":${entries},"postmortem_documents":${entries}}`;
    };
    const smalls = await answering(listOf('{}', 1));
    const bodies = [
      listOf('{}', 600_000),
      listOf('1', 900_000),
      listOf('{"title":"a","content":"a"}', 70_000),
    ];
    for (const body of bodies) {
      for (const [at, add] of (await answering(body)).entries()) {
        const small = smalls[at] ?? add;
        expect(await shareOfTurn(add, small), body.slice(0, 40)).toBeLessThan(1);
      }
    }
  });

  it('in the lines of watches', async () => {
    const notRead = Symbol('not read');
    const read = (text: string) => async (): Promise<void> => {
      let last: unknown = notRead;
      async function* pieces(): AsyncGenerator<string> {
        for (let from = 0; from < text.length; from += 65_536) {
          yield text.slice(from, from + 65_536);
          await setImmediate();
        }
      }
      for await (const value of jsonLines(pieces())) last = value;
      expect(last).not.toBe(notRead);
    };
    const refused = (text: string) => () => expect(read(text)()).rejects.toThrow(/too (?:long|many)/u);
    const small = read('{"a":1}\n');
    const lines = [
      refused(`[${'{},'.repeat(2_600_000)}{}]\n`),
      refused(`[${'{},'.repeat(600_000)}{}]\n`),
      refused(`${JSON.stringify(mapOf(130_000, () => 1))}\n`),
      refused(`${JSON.stringify({ labels: mapOf(38_000, () => 1), annotations: mapOf(38_000, () => 1) })}\n`),
      read(`"${'x'.repeat(1_900_000)}"\n`),
      read(`${JSON.stringify({ metadata: { managedFields: writers(18_000) } })}\n`),
      read('{}\n'.repeat(500_000)),
      read(`${'\n'.repeat(3_000_000)}{}\n`),
    ];
    for (const [at, line] of lines.entries()) {
      expect(await shareOfTurn(line, small), `line ${at}`).toBeLessThan(1);
    }
  });

  it('in logs of containers', async () => {
    const app = { name: 'app', ready: false, restartCount: 0, state: { running: {} }, lastState: {} };
    const status = { initContainerStatuses: [], containerStatuses: [app] };
    const pod = { metadata: { namespace: 'shop', name: 'web' }, status } as unknown as Pod;
    const callOf = (body: string) => async () => ({ status: 200, body, retryAfterMs: undefined });
    const reading = (log: string) => () =>
      readLogs(callOf(log), createGathering(callOf(log), signal), [pod], signal);
    const words = 'level=info msg="handled" path=/api/v1/orders/88 user=app token=x7 status=200 '.repeat(6);
    const small = reading('started\n');
    expect(await reading('started\n')()).toMatchObject([{ lines: ['started'] }]);
    for (const text of [
      `${words}\n`,
      'password: x',
      'password\n',
      '"',
      '| a ',
      '{"name":"a","value":"b"},',
    ]) {
      const log = text.repeat(Math.ceil(98_304 / text.length)).slice(0, 98_304);
      expect(await shareOfTurn(reading(log), small), text.slice(0, 20)).toBeLessThan(1);
    }
  });

  it('for as many inputs as docs/security.md states', () => {
    expect(inputs).toBe(statedCount('inputs, measured'));
  });
});
