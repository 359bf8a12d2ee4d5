import { randomUUID } from 'node:crypto';
import { Worker } from 'bullmq';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createBullMqJobQueue } from '#src/edges/redis/bullmq-job-queue.js';
import { connectConsumer } from '#src/edges/redis/connection.js';
import { withRedis } from '../../support/open-redis.js';

let jobs: ReturnType<typeof createBullMqJobQueue>;
let prefix: string;
/** The newest recorded signal, which each run reads. */
let recorded = 0;

const server = withRedis();

beforeEach(({ onTestFinished }) => {
  recorded = 0;
  prefix = `test-${randomUUID()}`;
  jobs = createBullMqJobQueue({ redis: server.redis, prefix, onError: () => undefined });
  onTestFinished(() => jobs.close());
});

async function signal(again = false): Promise<void> {
  if (!again) recorded += 1;
  const job = { v: 1, alertId: 'a1', signal: recorded } as const;
  await jobs.enqueue('alert', job, { urgency: 'alert', fairnessKey: 'prod/a', again });
}

type OnTestFinished = (end: () => Promise<void>) => void;

/** A worker whose locks expire soon, as after a death. `run` gives what the job does. */
function work(onTestFinished: OnTestFinished, run: () => Promise<void>) {
  const redis = connectConsumer({ url: server.url, prefix }, () => undefined);
  const worker = new Worker('alert', run, {
    ...{ connection: redis, prefix, lockDuration: 500, stalledInterval: 250, maxStalledCount: 1_000 },
    settings: { backoffStrategy: () => 50 },
  });
  worker.on('error', () => undefined);
  onTestFinished(async () => {
    await worker.close(true);
    redis.disconnect();
  });
  return worker;
}

describe('the newest signal of an alert', () => {
  it('is worked on after the worker of an earlier one died', async ({ onTestFinished }) => {
    await signal();
    let isTaken = false;
    const dying = work(onTestFinished, () => {
      isTaken = true;
      return new Promise(() => undefined);
    });
    await vi.waitUntil(() => isTaken, { timeout: 30_000 });
    await signal();
    await signal();
    await dying.close(true);
    const seen: number[] = [];
    work(onTestFinished, async () => void seen.push(recorded));
    await signal();

    await vi.waitUntil(() => seen.includes(4), { timeout: 60_000 });
  });

  it('is worked on though an earlier one is tried again or fails for good', async ({ onTestFinished }) => {
    await signal();
    const seen: number[] = [];
    let runs = 0;
    work(onTestFinished, async () => {
      runs += 1;
      if (runs <= 6) {
        await signal();
        throw new Error('the cluster is away');
      }
      seen.push(recorded);
    });
    await vi.waitUntil(() => seen.includes(recorded) && runs > 6, { timeout: 60_000 });
    expect(seen.at(-1)).toBe(recorded);
  });

  it('is queued by the sweep though the job of the same signal failed', async ({ onTestFinished }) => {
    await signal();
    let isFailing = true;
    const seen: number[] = [];
    const worker = work(onTestFinished, async () => {
      if (isFailing) throw new Error('the cluster is away');
      seen.push(recorded);
    });
    const ended = new Promise<void>((resolve) => {
      worker.on('failed', (job) => {
        if (job?.finishedOn !== undefined) resolve();
      });
    });
    await ended;
    isFailing = false;
    await signal(true);

    await vi.waitUntil(() => seen.includes(1), { timeout: 60_000 });
  });

  it('is queued though the waiting job of an earlier one was lost', async () => {
    await signal();
    await server.redis.del(`${prefix}:alert:alert-a1-1`);
    await server.redis.del(`${prefix}:alert:prioritized`);
    await signal();
    const waiting = await jobs.queueAt('alert', 'anywhere').getJobs(['prioritized', 'wait']);
    expect(waiting.map(({ id }) => id)).toEqual(['alert-a1-2']);
  });
});
