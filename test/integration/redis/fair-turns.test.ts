import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, type TestContext, vi } from 'vitest';
import { createBullMqJobQueue } from '#src/edges/redis/bullmq-job-queue.js';
import { connectConsumer } from '#src/edges/redis/connection.js';
import type { Turn } from '#src/service/records/process-ports.js';
import { runWorker } from '../../../workers/run-worker.js';
import { withRedis } from '../../support/open-redis.js';

let jobs: ReturnType<typeof createBullMqJobQueue>;
let prefix: string;

const server = withRedis();

beforeEach(({ onTestFinished }) => {
  prefix = `test-${randomUUID()}`;
  jobs = createBullMqJobQueue({ redis: server.redis, prefix, onError: () => undefined });
  onTestFinished(() => jobs.close());
});

const alertOf = (fairnessKey: string): Turn => ({ urgency: 'alert', fairnessKey });
const add = (id: string, turn?: Turn) => jobs.enqueue('diagnosis', { v: 1, incidentId: id, look: 1 }, turn);
const several = async (fairnessKey: string, count: number, turn: Turn = alertOf(fairnessKey)) => {
  for (let number = 1; number <= count; number += 1) await add(`${fairnessKey}-${number}`, turn);
};

/** The order in which one worker runs waiting and newly added jobs, until it has run `count`. */
async function taken(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  count: number,
  meanwhile: (done: readonly string[]) => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const order: string[] = [];
  const redis = connectConsumer({ url: server.url, prefix }, () => undefined);
  const { worker } = runWorker({
    queue: 'diagnosis',
    redis,
    prefix,
    log: pino({ level: 'silent' }),
    concurrency: 1,
    handle: async ({ incidentId }) => {
      order.push(incidentId);
      await meanwhile(order);
      return undefined;
    },
    fail: async () => undefined,
  });
  onTestFinished(async () => {
    await worker.close();
    redis.disconnect();
  });
  await vi.waitUntil(() => order.length >= count, { timeout: 90_000 });
  return order.slice(0, count);
}

describe('jobs of alerts', () => {
  it('from one namespace do not delay the first job of another namespace', async (context) => {
    await several('prod/noisy', 500);
    await add('quiet', alertOf('prod/quiet'));

    expect(await taken(context, 3)).toEqual(['prod/noisy-1', 'prod/noisy-2', 'quiet']);
  });

  it('from one namespace that arrive at the same moment do not delay the first job of another namespace', async (context) => {
    const noisy = alertOf('prod/noisy');
    await Promise.all(Array.from({ length: 500 }, (_, number) => add(`prod/noisy-${number + 1}`, noisy)));
    await add('quiet', alertOf('prod/quiet'));

    expect(await taken(context, 4)).toContain('quiet');
  });

  it('from equal namespaces of two clusters have different fairness keys', async (context) => {
    await several('prod/shop', 20);
    await several('test/shop', 2);

    expect(await taken(context, 5)).toEqual([
      'prod/shop-1',
      'prod/shop-2',
      'test/shop-1',
      'prod/shop-3',
      'test/shop-2',
    ]);
  });

  it('from a namespace that always has more do not starve the jobs of another namespace', async (context) => {
    await several('prod/noisy', 3);
    await several('prod/quiet', 10);
    let further = 3;
    const order = await taken(context, 40, async () => {
      for (let more = 0; more < 2; more += 1) await add(`prod/noisy-${++further}`, alertOf('prod/noisy'));
    });

    const places = order.flatMap((id, place) => (id.startsWith('prod/quiet') ? [place] : []));
    expect(places).toHaveLength(10);
    expect(places.at(-1)).toBeLessThan(24);
  });

  it('from ever new namespaces do not starve the second job of an earlier namespace', async (context) => {
    await several('prod/first', 3);
    let further = 0;
    const order = await taken(context, 12, async () => {
      await add(`new-${++further}`, alertOf(`prod/new-${further}`));
    });

    expect(order.filter((id) => id.startsWith('prod/first'))).toHaveLength(3);
  });

  it('run after all jobs of people, and their details run after all alerts', async (context) => {
    await several('prod/a', 2, { urgency: 'alert-detail', fairnessKey: 'prod/a' });
    await several('prod/b', 2);
    await add('person');
    await add('joined', alertOf('prod/a'));
    await add('joined', { urgency: 'person', fairnessKey: '' });

    expect(await taken(context, 6)).toEqual([
      'person',
      'joined',
      'prod/b-1',
      'prod/b-2',
      'prod/a-1',
      'prod/a-2',
    ]);
  });

  it('that are delayed run at once when a person requests the same job', async (context) => {
    const later = { ...alertOf('prod/a'), delayMs: 3_600_000 };
    const job = { v: 1, incidentId: 'owed', look: 2 } as const;
    await jobs.enqueue('diagnosis', job, later);
    await jobs.enqueue('diagnosis', job, { urgency: 'person' });

    expect(await taken(context, 1)).toEqual(['owed']);
  });

  it('start with empty counts after a pause, and no fairness key is kept forever', async (context) => {
    await several('prod/noisy', 30);
    await taken(context, 30);
    await jobs.enqueue('scan', { v: 1, scanId: 'other' });
    await vi.waitUntil(async () => (await jobs.queueAt('diagnosis', 'anywhere').getActiveCount()) === 0, {
      timeout: 90_000,
    });
    const key = `${prefix}:turns:diagnosis:alert`;
    const longAgo = '0';
    await server.redis.hset(`${key}:at`, 'given', longAgo);
    await jobs.enqueue(
      'diagnosis',
      { v: 1, incidentId: 'next', look: 1 },
      { ...alertOf('prod/x'), delayMs: 60_000 },
    );

    expect(await server.redis.hgetall(key)).toEqual({ 'prod/x': '1' });
    expect(await server.redis.pttl(key)).toBeGreaterThan(0);
    expect(await server.redis.pttl(`${key}:at`)).toBeGreaterThan(0);
  });
});

describe('waiting card jobs of alerts', () => {
  const card = (version: number, turn?: Turn) =>
    jobs.enqueue('delivery', { v: 1, kind: 'card', incidentId: 'i1', version }, turn);
  const waiting = async () => {
    const queue = jobs.queueAt('delivery', 'anywhere');
    return ((await queue?.getJobs(['prioritized', 'wait'])) ?? []).map(({ id }) => id);
  };

  it('are merged into one for each incident', async () => {
    for (let version = 1; version <= 25; version += 1) await card(version, alertOf('prod/a'));
    expect(await waiting()).toEqual(['card-i1-1']);
  });

  it('are not merged with the card job of a person', async () => {
    await card(1, alertOf('prod/a'));
    await card(2);
    expect((await waiting()).sort()).toEqual(['card-i1-1', 'card-i1-2']);
  });

  it('are merged into one more delivery when the record changes during a delivery', async ({
    onTestFinished,
  }) => {
    const shown: number[] = [];
    const redis = connectConsumer({ url: server.url, prefix }, () => undefined);
    await card(1, alertOf('prod/a'));
    const { worker } = runWorker({
      queue: 'delivery',
      redis,
      prefix,
      log: pino({ level: 'silent' }),
      concurrency: 1,
      handle: async (job) => {
        if (job.kind !== 'card') return undefined;
        shown.push(job.version);
        if (job.version === 1) for (const version of [2, 3, 4]) await card(version, alertOf('prod/a'));
        return undefined;
      },
      fail: async () => undefined,
    });
    onTestFinished(async () => {
      await worker.close();
      redis.disconnect();
    });
    await vi.waitUntil(() => shown.length >= 2, { timeout: 90_000 });

    expect(shown).toEqual([1, 4]);
  });
});

describe('waiting jobs of one alert', () => {
  const signal = (alertId: string, number: number) =>
    jobs.enqueue('alert', { v: 1, alertId, signal: number }, alertOf('prod/a'));

  it('are one, however often it is sent: as many jobs wait as alerts', async () => {
    for (let number = 1; number <= 25; number += 1) {
      await signal('a1', number);
      await signal('a2', number);
    }
    const waiting = await jobs.queueAt('alert', 'anywhere').getJobs(['prioritized', 'wait']);
    expect(waiting.map(({ id }) => id).sort()).toEqual(['alert-a1-1', 'alert-a2-1']);
  });

  it('are one more where signals come while the alert is worked on', async ({ onTestFinished }) => {
    const seen: number[] = [];
    const redis = connectConsumer({ url: server.url, prefix }, () => undefined);
    await signal('a1', 1);
    const { worker } = runWorker({
      ...{ queue: 'alert', redis, prefix, concurrency: 1 },
      log: pino({ level: 'silent' }),
      handle: async ({ signal: number }) => {
        seen.push(number);
        if (number === 1) for (const further of [2, 3, 4]) await signal('a1', further);
        return undefined;
      },
      fail: async () => undefined,
    });
    onTestFinished(async () => {
      await worker.close();
      redis.disconnect();
    });
    await vi.waitUntil(() => seen.length >= 2, { timeout: 90_000 });

    expect(seen).toEqual([1, 4]);
  });
});
