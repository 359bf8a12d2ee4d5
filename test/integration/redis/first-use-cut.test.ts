import { Worker } from 'bullmq';
import { expect, it, onTestFinished } from 'vitest';
import { createBullMqJobQueue } from '#src/edges/redis/bullmq-job-queue.js';
import { connectConsumer, connectProducer } from '#src/edges/redis/connection.js';
import { hasRedisServer, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { eventually } from '../../support/eventually.js';
import { openRedisLink } from '../../support/redis-link.js';

const prefix = 'first-use';
const ignored = () => undefined;
const job = { v: 1, kind: 'card', incidentId: 'incident-1', version: 1 } as const;

async function start() {
  const redis = await startPrivateRedis();
  onTestFinished(() => redis.stop());
  const link = await openRedisLink(redis.url);
  onTestFinished(() => link.close());
  return link;
}

it.runIf(hasRedisServer())(
  'a queue whose first use was cut off takes jobs when Redis answers again',
  async () => {
    const link = await start();
    const redis = connectProducer({ url: link.url, prefix }, ignored);
    onTestFinished(() => redis.disconnect());
    await eventually('the connection is ready', async () => redis.status === 'ready');
    const queue = createBullMqJobQueue({ redis, prefix, onError: ignored });
    link.cutAnswers(() => true);
    await expect(queue.enqueue('delivery', job)).rejects.toMatchObject({ code: 'redis-unavailable' });

    link.mend();
    await eventually('the connection is ready again', async () => redis.status === 'ready');
    await queue.enqueue('delivery', job);
    expect(await queue.queueAt('delivery', 'anywhere').getWaitingCount()).toBe(1);
  },
);

it.runIf(hasRedisServer())(
  'a worker that starts while answers are cut off carries out jobs afterwards',
  async () => {
    const link = await start();
    const producer = connectProducer({ url: link.url, prefix }, ignored);
    const consumer = connectConsumer({ url: link.url, prefix }, ignored);
    onTestFinished(() => producer.disconnect());
    onTestFinished(() => consumer.disconnect());
    await eventually('both connections are ready', async () =>
      [producer, consumer].every(({ status }) => status === 'ready'),
    );
    const queue = createBullMqJobQueue({ redis: producer, prefix, onError: ignored });
    const done: unknown[] = [];
    link.cutAnswers(() => true);
    const worker = new Worker('delivery', async ({ data }) => void done.push(data), {
      connection: consumer,
      prefix,
    });
    onTestFinished(() => worker.close(true));
    worker.on('error', ignored);
    await eventually('some answers were cut', async () => link.cuts > 3);

    link.mend();
    await eventually('the connection is ready again', async () => producer.status === 'ready');
    await queue.enqueue('delivery', job);
    await eventually('the job is carried out', async () => done.length === 1);
  },
);
