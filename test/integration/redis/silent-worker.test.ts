import { setTimeout } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectConsumer, connectProducer, type RedisSettings } from '#src/edges/redis/connection.js';
import { createQueueDepths } from '#src/edges/redis/queue-depths.js';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import { runWorker } from '../../../workers/run-worker.js';
import { watchQueues } from '../../../workers/watch-queues.js';
import { addUser, type ClusterRedis, clusterEnv, startClusterRedis } from '../../support/cluster-redis.js';
import { eventually } from '../../support/eventually.js';

const prefix = '{rollout-doctor}';
const log = pino({ level: 'silent' });
const stuckMs = 2_000;

/** What BullMQ keeps of the connection with which it waits for jobs. */
interface Blocking {
  readonly backend: { readonly blockingConnection: { readonly client: Promise<Redis> } };
}

/**
 * Its client has no node of the Redis Cluster any more, and what it was asked for has no answer: it reports
 * no error. Ends when the worker waits for that answer: before, it looks for jobs by its other client once
 * more.
 */
async function loseAllNodes(worker: unknown): Promise<void> {
  const client = (await (worker as Blocking).backend.blockingConnection.client) as unknown as Cluster;
  let asked = 0;
  const sendCommand = (): Promise<never> => {
    asked += 1;
    return new Promise(() => undefined);
  };
  Object.assign(client, { sendCommand });
  for (const node of client.nodes('all')) node.disconnect();
  await eventually('the worker waits for the lost client', () => asked > 0, 60_000);
}

describe.runIf(hasRedisServer())('a worker of a Redis Cluster that takes no job any more', () => {
  let redis: ClusterRedis;
  const stops: (() => unknown)[] = [];
  beforeAll(async () => {
    redis = await startClusterRedis({ replicas: true });
    for (const node of redis.nodes) await addUser(node);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  afterAll(() => redis.stop());

  async function start(isWatched: boolean) {
    const primary = await redis.primaryOf(prefix);
    const settings: RedisSettings = {
      url: clusterEnv(redis).REDIS_URL ?? '',
      prefix,
      clusterNodes: [{ host: '127.0.0.1', port: primary.port }],
    };
    const producer = connectProducer(settings, () => undefined);
    const consumer = connectConsumer(settings, () => undefined);
    const name = isWatched ? 'watched' : 'not-watched';
    const bull = new Queue(name, { connection: producer, prefix });
    bull.on('error', () => undefined);
    const done: string[] = [];
    const replaced: string[] = [];
    const running = runWorker({
      ...{ queue: 'alert', name, redis: consumer, prefix, log, concurrency: 1 },
      handle: async ({ alertId }) => {
        done.push(alertId);
        return undefined;
      },
      fail: async () => undefined,
    });
    const depths = createQueueDepths(() => [{ queue: 'alert', cluster: '', bull }]);
    stops.push(
      () => producer.disconnect(),
      () => consumer.disconnect(),
      () => running.disconnect(),
      () => bull.close(),
      () => void running.worker.close(true),
    );
    if (isWatched) {
      const onReplaced = (queue: string) => void replaced.push(queue);
      stops.push(watchQueues({ workers: [running], depths, stuckMs, onReplaced, log }));
    }
    const add = (alertId: string) => bull.add('alert', { v: 1, alertId, signal: 1 });
    await add('first');
    await eventually('the first job is carried out', () => done.includes('first'));
    return { add, depths, done, replaced, running };
  }

  it('is replaced, and the new one carries out the jobs that waited', async () => {
    const { add, done, replaced, running } = await start(true);
    const silent = running.worker;
    await loseAllNodes(silent);
    await add('second');
    await add('third');
    await eventually('both are carried out', () => done.length === 3, 60_000);

    expect(done).toEqual(['first', 'second', 'third']);
    expect(replaced).toEqual(['alert']);
    expect(running.worker).not.toBe(silent);
  });

  it('leaves them without the watch', async () => {
    const { add, depths, done, running } = await start(false);
    await loseAllNodes(running.worker);
    await add('second');
    // BullMQ connects anew by itself after six seconds, where the client can.
    await setTimeout(1.5 * stuckMs);
    expect(done).toEqual(['first']);
    expect((await depths())[0]?.oldestSeconds.person).toBeGreaterThan(stuckMs / 1_000);
  });

  it('is left alone while it works, and while no job waits', async () => {
    const { replaced, done } = await start(true);
    await setTimeout(3 * stuckMs);
    expect([done, replaced]).toEqual([['first'], []]);
  });
});
