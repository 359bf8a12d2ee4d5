import type { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { connectProducer } from '#src/edges/redis/connection.js';
import { startPrivateRedis } from '../../demo/redis/private-redis.js';

export interface OpenRedis {
  readonly redis: Redis;
  readonly url: string;
}

/**
 * Connects the tests of a file to the Redis of `REDIS_URL`, or to one of their own that ends with them.
 *
 * @returns the connection, which is there from the first hook after this one on
 */
export function withRedis(): OpenRedis {
  let open: OpenRedis | undefined;
  let close = async (): Promise<void> => undefined;
  const opening = (): OpenRedis => {
    if (open === undefined) throw new Error('Redis is connected before the first test');
    return open;
  };
  beforeAll(async () => {
    const server = await startPrivateRedis({ url: process.env.REDIS_URL });
    const redis = connectProducer({ url: server.url, prefix: 'unused' }, () => undefined);
    // A busy machine answers late. What happens then is for tests of a Redis that does not answer.
    redis.options.commandTimeout = 60_000;
    close = async () => {
      redis.disconnect();
      await server.stop();
    };
    await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
    open = { redis, url: server.url };
  });
  afterAll(() => close());
  return {
    get redis() {
      return opening().redis;
    },
    get url() {
      return opening().url;
    },
  };
}
