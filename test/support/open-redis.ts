import type { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { connectProducer } from '#src/adapters/redis/connection.js';
import { startPrivateRedis } from '../../demo/redis/private-redis.js';

export interface OpenRedis {
  readonly redis: Redis;
  readonly url: string;
}

/**
 * Connects the tests of a file to the Redis of `REDIS_URL`, or to one of their own that ends with them.
 *
 * @param opened receives the connection when it is ready
 */
export function withRedis(opened: (open: OpenRedis) => void): void {
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const server = await startPrivateRedis({ url: process.env.REDIS_URL });
    const redis = connectProducer({ url: server.url, prefix: 'unused' }, () => undefined);
    close = async () => {
      redis.disconnect();
      await server.stop();
    };
    await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
    opened({ redis, url: server.url });
  });
  afterAll(() => close());
}
