import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Queue, Worker } from 'bullmq';
import { pino } from 'pino';
import { createBullMqJobQueue } from '#src/edges/redis/bullmq-job-queue.js';
import { connectConsumer, connectProducer } from '#src/edges/redis/connection.js';
import { startPrivateRedis } from '../../demo/redis/private-redis.js';
import { runWorker } from '../../workers/run-worker.js';
import { quantile } from '../measure/quantile.js';
import { type Figure, ms, ratio, type Table } from '../report/table.js';

export interface JobsOptions {
  readonly rounds: number;
  readonly oneAtATime: number;
  readonly atOnce: number;
}

/** One way of queueing a job whose handler does nothing. */
interface Way {
  /** Queues the job; settles when it is queued. */
  readonly add: (id: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Samples {
  readonly single: number[];
  /** Milliseconds a job, over a whole batch. */
  readonly batch: number[];
}

const concurrency = 8;

/**
 * What our queue adds (payload parsed twice, deterministic id, retries, kept results, outcomes) to a bare
 * BullMQ job, on the same Redis in the same run. The two take turns, so that whatever else the machine does
 * meets both.
 */
export async function measureJobs({ rounds, oneAtATime, atOnce }: JobsOptions): Promise<Table> {
  const server = await startPrivateRedis({ url: process.env.REDIS_URL, appendOnly: true });
  try {
    const done = new Map<string, () => void>();
    const finished = (id: string): void => {
      done.get(id)?.();
      done.delete(id);
    };
    const ways = [await bareWay(server.url, finished), await ourWay(server.url, finished)] as const;
    const samples = ways.map((): Samples => ({ single: [], batch: [] }));
    for (let round = -1; round < rounds; round += 1) {
      for (const [number, way] of ways.entries()) {
        const single = await oneByOne(way, done, oneAtATime);
        const batch = await together(way, done, atOnce);
        // The first round only warms up.
        if (round < 0) continue;
        samples[number]?.single.push(...single);
        samples[number]?.batch.push(batch);
      }
    }
    await Promise.all(ways.map((way) => way.close()));
    return table(samples, { rounds, oneAtATime, atOnce });
  } finally {
    await server.stop();
  }
}

async function bareWay(url: string, finished: (id: string) => void): Promise<Way> {
  const settings = { url, prefix: `bench-${randomUUID()}` };
  const [redis, consumer] = [connectProducer(settings, ignored), connectConsumer(settings, ignored)];
  const queue = new Queue('bare', { connection: redis, prefix: settings.prefix });
  const worker = new Worker('bare', async ({ data }) => finished(data.id), {
    connection: consumer,
    prefix: settings.prefix,
    concurrency,
  });
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
  return {
    async add(id) {
      await queue.add('bare', { id });
    },
    async close() {
      await worker.close();
      await queue.obliterate({ force: true });
      await queue.close();
      redis.disconnect();
      consumer.disconnect();
    },
  };
}

async function ourWay(url: string, finished: (id: string) => void): Promise<Way> {
  const settings = { url, prefix: `bench-${randomUUID()}` };
  const [redis, consumer] = [connectProducer(settings, ignored), connectConsumer(settings, ignored)];
  const jobs = createBullMqJobQueue({ redis, prefix: settings.prefix, onError: ignored });
  const queue = jobs.queueAt('diagnosis', 'anywhere');
  const { worker } = runWorker({
    queue: 'diagnosis',
    redis: consumer,
    prefix: settings.prefix,
    log: pino({ level: 'silent' }),
    concurrency,
    handle: async ({ incidentId }) => {
      finished(incidentId);
      return undefined;
    },
    fail: async () => undefined,
  });
  await Promise.all([queue?.waitUntilReady(), worker.waitUntilReady()]);
  return {
    add: (id) => jobs.enqueue('diagnosis', { v: 1, incidentId: id, look: 1 }),
    async close() {
      await worker.close();
      await queue?.obliterate({ force: true });
      await jobs.close();
      redis.disconnect();
      consumer.disconnect();
    },
  };
}

/** Milliseconds from each call of `add` to the end of its handler. */
async function oneByOne(way: Way, done: Map<string, () => void>, jobs: number): Promise<number[]> {
  const samples: number[] = [];
  for (let job = 0; job < jobs; job += 1) {
    const id = randomUUID();
    const began = performance.now();
    const handled = new Promise<void>((resolve) => done.set(id, resolve));
    await way.add(id);
    await handled;
    samples.push(performance.now() - began);
  }
  return samples;
}

/** Milliseconds a job when all are queued at once. */
async function together(way: Way, done: Map<string, () => void>, jobs: number): Promise<number> {
  const began = performance.now();
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      const id = randomUUID();
      const handled = new Promise<void>((resolve) => done.set(id, resolve));
      await way.add(id);
      await handled;
    }),
  );
  return (performance.now() - began) / jobs;
}

function table(
  [bare = { single: [], batch: [] }, ours = { single: [], batch: [] }]: readonly Samples[],
  { rounds, oneAtATime, atOnce }: JobsOptions,
): Table {
  const row = (name: string, of: (samples: Samples) => number) => {
    const figures: readonly Figure[] = [ms(of(bare)), ms(of(ours)), ratio(of(ours) / of(bare))];
    return { name, figures };
  };
  return {
    id: 'jobs',
    title: 'A job of ours against a bare BullMQ job',
    about: `From enqueue to the end of a handler that does nothing; ${rounds} rounds in turn of ${oneAtATime} one at a time and ${atOnce} at once, same Redis, ${concurrency} at a time.`,
    columns: ['bare BullMQ', 'ours', 'ratio'],
    rows: [
      row('one at a time p50', ({ single }) => quantile(single, 0.5)),
      row('one at a time p99', ({ single }) => quantile(single, 0.99)),
      row(`${atOnce} at once, time a job`, ({ batch }) => quantile(batch, 0.5)),
    ],
  };
}

/** Redis is ours alone here; what fails, fails in the calls. */
function ignored(): void {}
