import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { seedIncidents } from '../cluster/seed/incident-seed.js';
import type { Message } from '../slack/workspace/model.js';
import { type Stack, type StackOptions, startStack } from '../stack.js';
import { type FailingWorkload, failingDeployments } from './failing-workloads.js';

const token = 'storm-token-0123456789';

/** Of alerts: the name of the webhook and of its format. */
export type Sender = 'alertmanager' | 'grafana' | 'generic' | 'robusta';

export interface StormOptions extends StackOptions {
  readonly workloads: readonly FailingWorkload[];
  /** Namespace to the name of its channel; `incidents` for those without. */
  readonly routes?: Readonly<Record<string, string>>;
}

/** What the records say of a workload's incident. */
export interface StormIncident {
  readonly workload: string;
  readonly occurrences: number;
  readonly looks: number;
}

export interface StormStack {
  readonly stack: Stack;
  /** Key prefix of the records in Redis. */
  readonly prefix: string;
  readonly redis: Redis;
  /** Sends a body to one of the apps in turn, again after a 5xx as Alertmanager does, until it is taken. */
  post(body: object | string, sender?: Sender): Promise<Taken>;
  /** Sends a body, again where there is no answer, and returns the status of the answer. */
  statusOf(body: string, sender: Sender): Promise<number>;
  /** Cards of ours in a channel, the first first. */
  cards(channel: string): readonly Message[];
  /** Delivery keys of everything we posted. */
  keys(channel: string): readonly string[];
  incidents(): Promise<readonly StormIncident[]>;
  stop(): Promise<void>;
}

const Line = z.object({ msg: z.string(), port: z.number() });
const Taken = z.object({ recorded: z.number(), repeated: z.number() });
type Taken = z.output<typeof Taken>;
const Stored = z.object({
  workload: z.object({ namespace: z.string(), name: z.string() }),
  occurrences: z.number(),
  look: z.number(),
});

const againAfterMs = 100;
const giveUpAfterMs = 90_000;

/** The whole product with sick workloads and a webhook that takes their alerts. */
export async function startStormStack({
  workloads,
  routes = {},
  ...options
}: StormOptions): Promise<StormStack> {
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-storm-'));
  const path = join(folder, 'alerts.yaml');
  await writeFile(path, settings(routes));
  const prefix = `storm-${process.pid}-${Date.now().toString(36)}`;
  const ports = new Map<string, number>();
  const stack = await startStack({
    ...options,
    slack: { page: false, ...options.slack },
    env: {
      REDIS_PREFIX: prefix,
      ALERTS_FILE: path,
      ALERTS_PORT: '0',
      STORM_TOKEN: token,
      ...options.env,
    },
    onLog(name, line) {
      options.onLog?.(name, line);
      if (line.includes('alerts are received')) ports.set(name, Line.parse(JSON.parse(line)).port);
    },
  });
  await seedIncidents(stack.cluster, [failingDeployments(workloads)]);
  const redis = new Redis(stack.redis.url, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  let sent = 0;
  const addressOf = (sender: Sender): string => {
    const all = [...ports.values()];
    sent += 1;
    return `http://127.0.0.1:${all[sent % all.length] ?? 0}/alerts/${sender}`;
  };
  const keyOf = (message: Message): string =>
    /"key":"([^"]+)"/.exec(JSON.stringify(message.metadata ?? {}))?.[1] ?? '';
  const ours = (channel: string) =>
    stack.slack.messages(channel, { replies: true }).filter(({ botId }) => botId === stack.slack.botId);
  return {
    stack,
    prefix,
    redis,
    async statusOf(body, sender) {
      const until = Date.now() + giveUpAfterMs;
      for (;;) {
        try {
          return (await fetchAnswer(addressOf(sender), body)).status;
        } catch (error) {
          if (Date.now() > until) throw error;
          await delay(againAfterMs);
        }
      }
    },
    async post(body, sender = 'alertmanager') {
      const until = Date.now() + giveUpAfterMs;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      for (;;) {
        const answer = await send(addressOf(sender), text);
        if (answer.type === 'taken') return answer.taken;
        const { isRefused, because } = answer;
        if (isRefused || Date.now() > until) throw new Error(`An alert was not taken: ${because}`);
        await delay(againAfterMs);
      }
    },
    cards: (channel) => ours(channel).filter((message) => keyOf(message).endsWith('.card')),
    keys: (channel) => ours(channel).map(keyOf),
    async incidents() {
      const ids = await redis.zrange(`${prefix}:incidents`, '0', '-1');
      const records = await Promise.all(ids.map((id) => redis.hget(`${prefix}:incident:${id}`, 'json')));
      return records
        .map((json) => Stored.parse(JSON.parse(json ?? '{}')))
        .map(({ workload, occurrences, look }) => ({
          workload: `${workload.namespace}/${workload.name}`,
          occurrences,
          looks: look,
        }));
    },
    async stop() {
      redis.disconnect();
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function settings(routes: Readonly<Record<string, string>>): string {
  const idOf = (channel: string): string => `C0${channel.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
  const lines = Object.entries(routes).flatMap(([namespace, channel]) => [
    `  - when: { namespace: "${namespace}" }`,
    `    channel: ${idOf(channel)}`,
  ]);
  return `apiVersion: rollout-doctor/v1
channel: C0INCIDENTS
${lines.length === 0 ? '' : `routes:\n${lines.join('\n')}\n`}webhooks:
${senders.map(webhook).join('')}`;
}

const senders: readonly Sender[] = ['alertmanager', 'grafana', 'generic', 'robusta'];
const mapping =
  '{ name: /title, text: /body, status: /transition, resolvedWhen: [Recovered], fingerprint: /aggregate, tags: /tags }';

function webhook(sender: Sender): string {
  return `  - name: ${sender}
    source: ${sender}
    auth: { type: bearer, token: { env: STORM_TOKEN } }
${sender === 'generic' ? `    mapping: ${mapping}\n` : ''}`;
}

type Sent =
  | { readonly type: 'taken'; readonly taken: Taken }
  /** Alertmanager sends again after 5xx and where there is no answer, and gives up after 4xx. */
  | { readonly type: 'failed'; readonly isRefused: boolean; readonly because: string };

async function send(address: string, body: string): Promise<Sent> {
  try {
    const answer = await fetchAnswer(address, body);
    const text = await answer.text();
    if (answer.ok) return { type: 'taken', taken: Taken.parse(JSON.parse(text)) };
    return { type: 'failed', isRefused: answer.status < 500, because: `${answer.status} ${text}` };
  } catch (error) {
    return { type: 'failed', isRefused: false, because: String(error) };
  }
}

function fetchAnswer(address: string, body: string): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  });
}
