import type { Redis } from 'ioredis';
import { type PrivateRedis, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { connectProducer } from '../../../src/adapters/redis/connection.js';

export interface OpenRedis {
  readonly redis: Redis;
  readonly url: string;
  close(): Promise<void>;
}

/** A connection, ready for use, to the Redis of `REDIS_URL`, or to one of the test's own that ends with `close`. */
export async function openRedis(): Promise<OpenRedis> {
  const server: PrivateRedis = await startPrivateRedis({ url: process.env.REDIS_URL });
  const redis = connectProducer({ url: server.url, prefix: 'unused' }, () => undefined);
  await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
  return {
    redis,
    url: server.url,
    async close() {
      redis.disconnect();
      await server.stop();
    },
  };
}
