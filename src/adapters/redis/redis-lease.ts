import type { Redis } from 'ioredis';
import type { Lease } from '../../usecases/crash-history-ports.js';
import { guarded } from './guard.js';

/** KEYS: lease, counter. ARGV: length in ms. A counter that only rises makes each holder's number greater than all before. */
const acquireScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local token = redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
return token
`;

const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`;

const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * A lease that expires by Redis' own clock. Whoever writes under it lets its script compare the number under `key` with
 * its own first: a holder that lost the lease without knowing is refused by the write itself.
 */
export function createRedisLease({
  redis,
  key,
  leaseMs,
}: {
  readonly redis: Redis;
  readonly key: string;
  readonly leaseMs: number;
}): Lease {
  return {
    async acquire() {
      const token = Number(
        await guarded(() => redis.eval(acquireScript, 2, key, `${key}:last`, String(leaseMs))),
      );
      return token === 0 ? undefined : token;
    },
    async renew(token) {
      return (await guarded(() => redis.eval(renewScript, 1, key, String(token), String(leaseMs)))) === 1;
    },
    async release(token) {
      await guarded(() => redis.eval(releaseScript, 1, key, String(token)));
    },
  };
}
