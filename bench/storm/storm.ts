import { performance } from 'node:perf_hooks';
import { queueNames } from '#src/service/jobs/jobs.js';
import { failingWorkloads } from '../../demo/storm/failing-workloads.js';
import { stormBodies } from '../../demo/storm/storm-alerts.js';
import { type StormStack, startStormStack } from '../../demo/storm/storm-stack.js';
import { peakResidentBytes } from '../../test/support/resident-memory.js';
import { bytes, count, type Figure, megabytes, ms, type Table } from '../report/table.js';

const namespaces = ['checkout', 'search', 'payments', 'ml', 'data', 'infra', 'web', 'auth'];
const group = 10;
const channel = 'incidents';
const cardsWithinMs = 300_000;

export interface StormBenchOptions {
  readonly workloads: number;
  /** Alerts of each workload. */
  readonly each: number;
}

/**
 * A storm of alerts about sick workloads, all answered in one channel, while a person asks for one of them.
 */
export async function measureStorm({ workloads: wanted, each }: StormBenchOptions): Promise<Table> {
  const workloads = failingWorkloads(wanted, namespaces);
  const now = (): number => performance.timeOrigin + performance.now();
  const storm = await startStormStack({
    workloads,
    built: 'dist',
    ownRedis: true,
    slack: { now, channels: [{ name: channel }, { name: 'people' }] },
  });
  try {
    const { slack } = storm.stack;
    const before = await redisBytes(storm);
    const began = now();
    const bodies = stormBodies(workloads, { each, group, startsAt: new Date(began).toISOString() });
    await Promise.all(bodies.map((body) => storm.post(body)));
    const taken = now() - began;
    const asked = personAnswered(storm, workloads[wanted - 1], now);
    const counted = await untilCounted(storm, wanted * each, now);
    const shown = () => JSON.stringify(storm.cards(channel).map(({ blocks }) => blocks));
    await slack.until(() => shown().includes(`${wanted} workloads`), {
      withinMs: cardsWithinMs,
      what: 'a card that counts all workloads',
    });
    const listed = now();
    const incidents = await storm.incidents();
    const sum = incidents.reduce((total, { occurrences }) => total + occurrences, 0);
    const person = await asked;
    const keys = storm.keys(channel);
    return table({
      alerts: wanted * each,
      workloads: wanted,
      rows: [
        ['every alert on record, and its sender told', seconds(taken)],
        ['every alert counted on its incident', seconds(counted - began)],
        [`one card that lists ${wanted} workloads`, seconds(listed - began)],
        ["a person's command meanwhile, to its card", ms(person)],
        ['looks at the cluster', count(incidents.reduce((total, { looks }) => total + looks, 0))],
        ['jobs run', count(await jobsRun(storm))],
        ['messages posted', count(slack.calls('chat.postMessage').length)],
        ['messages edited', count(slack.calls('chat.update').length)],
        ['alerts lost or counted twice', count(Math.abs(wanted * each + 1 - sum))],
        ['messages doubled', count(keys.length - new Set(keys).size)],
        ['memory of the app at most', megabytes(await peakOf(storm.stack.app.pid))],
        ['memory of the worker at most', megabytes(await peakOf(storm.stack.workers[0]?.pid))],
        ['Redis, an alert', bytes(((await redisBytes(storm)) - before) / (wanted * each))],
      ],
    });
  } finally {
    await storm.stop();
  }
}

/** Milliseconds until the card of the person's own channel says what is wrong. */
async function personAnswered(
  { stack: { slack } }: StormStack,
  workload: { readonly namespace: string; readonly name: string } | undefined,
  now: () => number,
): Promise<number> {
  const { namespace = '', name = '' } = workload ?? {};
  const began = now();
  await slack.as('dana').runs(`/rollout-doctor deploy/${name} -n ${namespace}`, { channel: 'people' });
  await slack.until(() => slack.messages('people').find(({ text }) => text.includes('image')), {
    withinMs: cardsWithinMs,
    what: "the person's card",
  });
  return now() - began;
}

async function untilCounted(storm: StormStack, alerts: number, now: () => number): Promise<number> {
  for (;;) {
    const sum = (await storm.incidents()).reduce((total, { occurrences }) => total + occurrences, 0);
    if (sum > alerts) return now();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function jobsRun({ redis, prefix }: StormStack): Promise<number> {
  const ended = await Promise.all(queueNames.map((name) => redis.zcard(`${prefix}-jobs:${name}:completed`)));
  return ended.reduce((total, each) => total + each, 0);
}

async function redisBytes({ redis }: StormStack): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
}

async function peakOf(pid: number | undefined): Promise<number> {
  return (pid === undefined ? undefined : await peakResidentBytes(pid)) ?? Number.NaN;
}

function seconds(value: number): Figure {
  return { value: value / 1_000, unit: 's' };
}

function table({
  alerts,
  workloads,
  rows,
}: {
  readonly alerts: number;
  readonly workloads: number;
  readonly rows: readonly (readonly [name: string, figure: Figure])[];
}): Table {
  return {
    id: 'storm',
    title: 'A storm of alerts',
    about: `${alerts} alerts of ${workloads} workloads by Alertmanager's webhook, as fast as they are taken; app and one worker as built, Redis with an fsync for every write, local Slack and cluster in one process.`,
    columns: ['measured'],
    rows: rows.map(([name, figure]) => ({ name, figures: [figure] })),
  };
}
