import { once } from 'node:events';
import { type Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectConsumer, connectProducer, type RedisSettings } from '#src/edges/redis/connection.js';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import { addUser, type ClusterRedis, clusterEnv, startClusterRedis } from '../../support/cluster-redis.js';
import { eventually } from '../../support/eventually.js';

const prefix = '{rollout-doctor}';

/**
 * A queue and its worker, with the connections of app and worker. All tests use one Redis Cluster, so the
 * last one kills.
 */
describe.runIf(hasRedisServer())('jobs in a Redis Cluster whose primary', () => {
  let redis: ClusterRedis;
  let queue: Queue;
  let worker: Worker;
  let done: string[];
  let connections: readonly Redis[];
  let stop: () => Promise<void>;
  let queues = 0;

  beforeAll(async () => {
    redis = await startClusterRedis({ replicas: true });
    for (const node of redis.nodes) await addUser(node);
  });
  afterAll(() => redis.stop());

  beforeEach(async () => {
    const primary = await redis.primaryOf(prefix);
    const settings: RedisSettings = {
      url: clusterEnv(redis).REDIS_URL ?? '',
      prefix,
      // The one that is lost: what else there is, the client learns from it.
      clusterNodes: [{ host: '127.0.0.1', port: primary.port }],
    };
    done = [];
    const producer = connectProducer(settings, () => undefined);
    const consumer = connectConsumer(settings, () => undefined);
    connections = [producer, consumer];
    queues += 1;
    const name = `jobs-${queues}`;
    queue = new Queue(name, { connection: producer, prefix });
    worker = new Worker(name, async ({ name }: Job) => void done.push(name), {
      connection: consumer,
      prefix,
    });
    queue.on('error', () => undefined);
    worker.on('error', () => undefined);
    stop = async () => {
      await worker.close(true);
      await queue.close();
      for (const connection of connections) connection.disconnect();
    };
    await carryOut('first');
  });
  afterEach(() => stop());

  /** Adds a job, again while Redis does not answer, and waits until the worker has carried it out. */
  const carryOut = (name: string) =>
    eventually(
      `the job ${name} is carried out`,
      async () => {
        if (!done.includes(name)) await queue.add(name, {}, { jobId: name }).catch(() => undefined);
        return done.includes(name);
      },
      120_000,
    );

  // A replica is promoted after the other nodes have noticed the loss, and BullMQ connects anew in between.
  it('does not serve all slots are carried out when it does again', async () => {
    const consumer = connections[1];
    if (consumer === undefined) throw new Error('no connection of a worker');
    const owner = await redis.primaryOf('elsewhere');
    const slot = String(await owner.admin.call('CLUSTER', 'KEYSLOT', 'elsewhere'));
    // A node learns the slot again from another that has not yet given it up.
    await eventually('no node serves the slot', async () => {
      const states: string[] = [];
      for (const { admin } of redis.nodes) {
        await admin.call('CLUSTER', 'DELSLOTS', slot).catch(() => undefined);
        states.push(String(await admin.call('CLUSTER', 'INFO')));
      }
      return states.every((state) => state.includes('cluster_state:fail'));
    });
    const ended = once(consumer, 'end');
    consumer.disconnect();
    await ended;
    await consumer.connect();
    await owner.admin.call('CLUSTER', 'ADDSLOTS', slot);
    await carryOut('second');
    expect(done).toEqual(['first', 'second']);
  });

  it('hangs are carried out by the promoted replica', async () => {
    const primary = await redis.primaryOf(prefix);
    primary.signal('SIGSTOP');
    await carryOut('second');
    expect(done).toEqual(['first', 'second']);

    primary.signal('SIGCONT');
    await eventually('the former primary is a replica that has received everything', async () => {
      const info = await primary.admin.info('replication');
      return info.includes('role:slave') && info.includes('master_link_status:up');
    });
  });

  it('is killed, and was the only configured node, are carried out by the promoted replica', async () => {
    const primary = await redis.primaryOf(prefix);
    await primary.kill();
    // So does BullMQ with a blocking read that does not return in time: the client starts anew with the nodes
    // it was given.
    for (const connection of connections) connection.disconnect(true);
    await carryOut('second');
    expect(done).toEqual(['first', 'second']);
  });
});
