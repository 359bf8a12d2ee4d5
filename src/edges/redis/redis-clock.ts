import type { Redis } from 'ioredis';
import { DoctorError } from '../../service/errors.js';
import type { SharedClock } from '../../service/records/process-ports.js';
import { guarded } from './guard.js';

/** A script, because a Redis Cluster gives commands without a key to any of its nodes. */
const timeScript = `return redis.call('TIME')`;

/**
 * The clock of the Redis server (`TIME`), which every process sees alike and no stored key can move.
 *
 * @throws DoctorError `redis-unavailable`, retryable
 */
export function createRedisClock(redis: Redis, prefix: string): SharedClock {
  return {
    async now() {
      const [seconds, microseconds] = (
        (await guarded(() => redis.eval(timeScript, 1, `${prefix}:clock`))) as readonly string[]
      ).map(Number);
      const ms = (seconds ?? Number.NaN) * 1_000 + Math.floor((microseconds ?? Number.NaN) / 1_000);
      if (Number.isFinite(ms)) return new Date(ms);
      throw new DoctorError({
        code: 'redis-unavailable',
        message: 'Redis does not report its time',
        retryable: true,
      });
    },
  };
}
