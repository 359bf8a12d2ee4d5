import type { Redis } from 'ioredis';
import { guarded } from './guard.js';

/** Tells whether this key was given before within `ttlMs`, for deliveries that Slack repeats. */
export function createRedisSeenBefore({
  redis,
  prefix,
  ttlMs,
}: {
  redis: Redis;
  prefix: string;
  ttlMs: number;
}): (key: string) => Promise<boolean> {
  return async (key) => {
    const first = await guarded(() => redis.set(`${prefix}:seen:${key}`, '1', 'PX', ttlMs, 'NX'));
    return first !== 'OK';
  };
}
