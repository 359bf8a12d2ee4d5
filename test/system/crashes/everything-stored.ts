import type { Redis } from 'ioredis';

export interface StoredKey {
  readonly key: string;
  readonly type: string;
  readonly text: string;
}

/** Every key of Redis that matches the pattern, with its content as text. */
export async function everythingStored(redis: Redis, pattern: string): Promise<readonly StoredKey[]> {
  const keys = new Set<string>();
  let cursor = '0';
  do {
    const [next, found] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 500);
    cursor = next;
    for (const key of found) keys.add(key);
  } while (cursor !== '0');
  return Promise.all(
    [...keys].map(async (key) => {
      const type = await redis.type(key);
      return { key, type, text: JSON.stringify(await contentOf(redis, key, type)) ?? '' };
    }),
  );
}

async function contentOf(redis: Redis, key: string, type: string): Promise<unknown> {
  switch (type) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, '0', '-1', 'WITHSCORES');
    case 'stream':
      return redis.xrange(key, '-', '+');
    case 'none':
      return undefined;
    default:
      throw new Error(`${key} is a ${type}, which cannot be read`);
  }
}
