import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshMs } from '#src/core/incident/owed-look.js';
import { eventually } from '#support/eventually.js';
import { type SickWorkload, sickWorkloads } from '../../../demo/storm/sick-workloads.js';
import { stormBodies } from '../../../demo/storm/storm-alerts.js';
import { type StormIncident, type StormStack, startStormStack } from '../../../demo/storm/storm-stack.js';
import { idle } from '../faults/objects.js';

const each = 25;
const late: SickWorkload = { namespace: 'late', name: 'svc-late' };
const early = sickWorkloads(39, ['checkout', 'search', 'payments', 'ml', 'data', 'infra']);
const workloads = [...early, late];
const channels = ['incidents', 'ml-oncall'] as const;
const routes = { ml: 'ml-oncall', data: 'ml-oncall', infra: 'ml-oncall', late: 'ml-oncall' };
const within = { withinMs: 240_000 };

let storm: StormStack;
let began: number;
let answers: readonly { readonly recorded: number; readonly repeated: number }[];
let settled: readonly StormIncident[];

const cards = () => channels.flatMap((channel) => storm.cards(channel));
const idleCard = () => storm.cards('ml-oncall').find(({ text }) => text.includes('shop/idle'));
const alertCards = () => cards().filter(({ text }) => !text.includes('shop/idle'));

beforeAll(async () => {
  storm = await startStormStack({ workloads, routes, apps: 2, workers: 3, ownRedis: true });
  const { slack, cluster } = storm.stack;
  cluster.create([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, idle('idle')]);
  began = Date.now();
  const startsAt = new Date(began).toISOString();
  const first = stormBodies(early, { each, group: 10, startsAt });
  const last = stormBodies([late], { each, group: each, startsAt });
  const sent = [...first, ...first.slice(0, 5)].map((body) => storm.post(body));
  answers = [...(await Promise.all(sent)), ...(await Promise.all(last.map((body) => storm.post(body))))];
  await slack.until(() => storm.cards('ml-oncall').length > 0, { ...within, what: 'the first card' });
  // On a busy machine Slack may report that the app did not answer in time. Then the person asks again.
  await eventually('the command is acknowledged', async () => {
    const asked = await slack
      .as('dana')
      .runs('/rollout-doctor deploy/idle -n shop', { channel: 'ml-oncall' });
    return asked.type === 'acknowledged';
  });
  await slack.until(() => alertCards().length >= workloads.length && idleCard(), {
    ...within,
    what: '40 cards',
  });
  await eventually('all alerts are counted', async () => {
    settled = (await storm.incidents()).filter(({ workload }) => workload !== 'shop/idle');
    return settled.reduce((sum, { occurrences }) => sum + occurrences, 0) >= workloads.length * each;
  });
}, 300_000);

afterAll(() => storm?.stop());

describe('a thousand alerts of forty workloads, with two apps and three workers', () => {
  it('are recorded before their senders are answered, and their retries are recognised', () => {
    const sum = (of: 'recorded' | 'repeated') => answers.reduce((total, answer) => total + answer[of], 0);
    expect(sum('recorded') + sum('repeated')).toBe(1_050);
    // Fifty are repeated on purpose. A sender without an answer repeats as well, and receives that all are recorded.
    expect(sum('repeated')).toBeGreaterThanOrEqual(50);
  });

  it('open forty incidents, and every alert is counted once', () => {
    expect(settled).toHaveLength(40);
    expect(new Set(settled.map(({ workload }) => workload)).size).toBe(40);
    expect(settled.map(({ occurrences }) => occurrences)).toEqual(Array(40).fill(each));
  });

  it('post forty cards, and no message twice', () => {
    const keys = channels.flatMap((channel) => storm.keys(channel));
    expect(alertCards()).toHaveLength(40);
    expect(keys).not.toContain('');
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('start one diagnosis for each interval of freshness instead of one for each alert', () => {
    const most = 2 + Math.ceil((Date.now() - began) / freshMs);
    expect(Math.max(...settled.map(({ looks }) => looks))).toBeLessThanOrEqual(most);
  });

  it('do not delay the answer to a person until all their cards are posted', () => {
    const last = storm.cards('ml-oncall').at(-1);
    expect(Number(idleCard()?.ts)).toBeLessThan(Number(last?.ts));
  });

  it('do not delay the last namespace until all cards of the others are posted', () => {
    const shown = storm.cards('ml-oncall');
    const place = shown.findIndex(({ text }) => text.includes('late/svc-late'));
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThan(shown.length - 1);
  });

  it.each(channels)('post at most one message a second in #%s', (channel) => {
    const [{ channel: id } = { channel: '' }] = storm.cards(channel);
    const posts = storm.stack.slack
      .calls('chat.postMessage')
      .filter(({ args, answer }) => args.channel === id && answer.ok === true);
    const took = (posts.at(-1)?.at ?? 0) - began;

    expect(posts.length).toBeGreaterThanOrEqual(15);
    expect(took).toBeGreaterThanOrEqual((posts.length - 1) * 1_000);
  });

  it('leave only keys in Redis that expire or have a limited length', async () => {
    const { redis, prefix } = storm;
    const lasting: string[] = [];
    for (const key of await redis.keys(`${prefix}:*`)) {
      if ((await redis.pttl(key)) === -1) lasting.push(key.slice(prefix.length + 1));
    }
    const bounded = ['incidents', 'audit', 'audit-workloads', 'incident:open', 'alert:open', 'approval:open'];
    expect(lasting.filter((key) => !bounded.includes(key))).toEqual([]);
    expect(await redis.zcard(`${prefix}:alert:open`)).toBe(0);
  });
});
