import { setTimeout } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createQueueDepths } from '#src/edges/redis/bullmq-job-queue.js';
import { connectConsumer, connectProducer, type RedisSettings } from '#src/edges/redis/connection.js';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import { runWorker } from '../../../workers/run-worker.js';
import { watchQueues } from '../../../workers/start-workers.js';
import { addUser, type ClusterRedis, clusterEnv, startClusterRedis } from '../../support/cluster-redis.js';
import { eventually } from '../../support/eventually.js';

const prefix = '{rollout-doctor}';
const log = pino({ level: 'silent' });
const stuckMs = 2_000;

/**
 * The network forgets the connections on which the worker of this queue waits for jobs and takes them, and
 * each new one of it, as a firewall may: neither side receives an error, and no answer comes. Only workers
 * name the set of stalled jobs.
 */
function loseWorker({ nodes }: ClusterRedis, queue: string): void {
  const [marker, stalled] = [`${prefix}:${queue}:marker`, `${prefix}:${queue}:stalled`];
  for (const { link } of nodes) link?.forget(`bzpopmin\r\n$${marker.length}\r\n${marker}`, stalled);
}

describe.runIf(hasRedisServer())('a worker of a Redis Cluster that takes no job any more', () => {
  let redis: ClusterRedis;
  const stops: (() => unknown)[] = [];
  beforeAll(async () => {
    redis = await startClusterRedis({ replicas: true, links: true });
    for (const node of redis.nodes) await addUser(node);
  });
  const mendLinks = (): void => {
    for (const { link } of redis.nodes) link?.mend();
  };
  afterEach(async () => {
    mendLinks();
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
      const onReplaced = (queue: string): void => {
        replaced.push(queue);
        mendLinks();
      };
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
    loseWorker(redis, 'watched');
    await add('second');
    await add('third');
    await eventually('both are carried out', () => done.length === 3, 60_000);

    expect(done).toEqual(['first', 'second', 'third']);
    expect(replaced).toEqual(['alert']);
    expect(running.worker).not.toBe(silent);
  });

  it('leaves them without the watch', async () => {
    const { add, depths, done } = await start(false);
    loseWorker(redis, 'not-watched');
    await add('second');
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
