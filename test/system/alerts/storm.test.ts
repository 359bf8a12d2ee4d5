import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshMs } from '#src/doctor/incidents/incident-alerts.js';
import { type FailingWorkload, failingWorkloads } from '../../../demo/storm/failing-workloads.js';
import { stormBodies } from '../../../demo/storm/storm-alerts.js';
import { type StormIncident, type StormStack, startStormStack } from '../../../demo/storm/storm-stack.js';
import { eventually } from '../../support/eventually.js';
import { idle } from '../../support/idle-objects.js';

const each = 25;
const late: FailingWorkload = { namespace: 'late', name: 'svc-late' };
const early = failingWorkloads(39, ['checkout', 'search', 'payments', 'ml', 'data', 'infra']);
const workloads = [...early, late];
const channels = ['incidents', 'ml-oncall'] as const;
const routes: Readonly<Record<string, string>> = {
  ml: 'ml-oncall',
  data: 'ml-oncall',
  infra: 'ml-oncall',
  late: 'ml-oncall',
};
const channelOf = (namespace: string): string => routes[namespace] ?? 'incidents';
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
  // Slack says that the app did not answer in time when all of this keeps the machine busy; people ask again.
  await eventually('the command is heard', async () => {
    const asked = await slack
      .as('dana')
      .runs('/rollout-doctor deploy/idle -n shop', { channel: 'ml-oncall' });
    return asked.type === 'acknowledged';
  });
  await slack.until(() => idleCard(), { ...within, what: 'the card that a person asked for' });
  await eventually('all alerts are counted', async () => {
    settled = (await storm.incidents()).filter(({ workload }) => workload !== 'shop/idle');
    return settled.reduce((sum, { occurrences }) => sum + occurrences, 0) >= workloads.length * each;
  });
}, 300_000);

afterAll(() => storm?.stop());

describe('a thousand alerts of forty workloads, with two apps and three workers', () => {
  it('are all on record before their senders hear so, and their retries are known', () => {
    const sum = (of: 'recorded' | 'repeated') => answers.reduce((total, answer) => total + answer[of], 0);
    expect(sum('recorded') + sum('repeated')).toBe(1_050);
    // Fifty are repeated on purpose. A sender that got no answer repeats as well, and hears that all is on
    // record.
    expect(sum('repeated')).toBeGreaterThanOrEqual(50);
  });

  it('are forty incidents, and every alert is counted on its own once', () => {
    expect(settled).toHaveLength(40);
    expect(new Set(settled.map(({ workload }) => workload)).size).toBe(40);
    expect(settled.map(({ occurrences }) => occurrences)).toEqual(Array(40).fill(each));
  });

  it('are one card in each channel, which counts its workloads and alerts, and no message is doubled', async () => {
    const told = (channel: string) => JSON.stringify(storm.cards(channel).map(({ blocks }) => blocks));
    for (const channel of channels) {
      const count = workloads.filter(({ namespace }) => channelOf(namespace) === channel).length;
      await eventually(`the card of #${channel} counts all`, async () =>
        [`${count} workloads cannot pull`, `${count * each} alerts`].every((words) =>
          told(channel).includes(words),
        ),
      );
    }
    const keys = channels.flatMap((channel) => storm.keys(channel));
    expect(alertCards()).toHaveLength(2);
    expect(keys).not.toContain('');
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('cost a look for all that fires within its time, not one each', () => {
    const most = 2 + Math.ceil((Date.now() - began) / freshMs);
    expect(Math.max(...settled.map(({ looks }) => looks))).toBeLessThanOrEqual(most);
  });

  it('take few messages of a channel, and edits that its limit allows', () => {
    const took = (Date.now() - began) / 1_000;
    const of = (method: string) => storm.stack.slack.calls(method).filter(({ answer }) => answer.ok === true);

    // Two cards of groups with a picture at most each, and the card that a person asked for with its own.
    expect(of('chat.postMessage').length).toBeLessThanOrEqual(6);
    expect(of('chat.update').length).toBeLessThanOrEqual(10 + (2 * took) / 3);
  });

  it('leave nothing in Redis that neither expires nor is cut to a length', async () => {
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
