import type { Redis } from 'ioredis';
import { rootKey } from '../../doctor/incidents/shared-root.js';
import type { Lease } from '../../service/history/crash-history-ports.js';
import type { RootClaims } from '../../service/records/incident-store.js';
import { guarded } from './guard.js';

/**
 * KEYS: lease, the last number given. ARGV: length in ms, how long the last number is kept in ms. Numbers are
 * Redis' own time in microseconds, or one more than the last: they rise even when Redis has lost all it held.
 */
const acquireScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then return '' end
local time = redis.call('TIME')
local last = tonumber(redis.call('GET', KEYS[2]) or '0')
local token = string.format('%.0f', math.max(time[1] * 1000000 + time[2], last + 1))
redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
redis.call('SET', KEYS[2], token, 'PX', ARGV[2])
return token
`;

const lastKeptMs = 86_400_000;

const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`;

const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * A lease that expires by Redis' own clock. A writer that holds it lets its script compare the number under
 * `key` with its own first: a holder that lost the lease without knowing is refused by the write itself.
 */
export function createRedisLease({
  redis,
  key,
  leaseMs,
}: {
  redis: Redis;
  key: string;
  leaseMs: number;
}): Lease {
  return {
    async acquire() {
      const token = await guarded(() =>
        redis.eval(acquireScript, 2, key, `${key}:last`, String(leaseMs), String(lastKeptMs)),
      );
      return token === '' ? undefined : Number(token);
    },
    async renew(token) {
      return (await guarded(() => redis.eval(renewScript, 1, key, String(token), String(leaseMs)))) === 1;
    },
    async release(token) {
      await guarded(() => redis.eval(releaseScript, 1, key, String(token)));
    },
  };
}

/** Gives who holds KEYS[1], ARGV[1] if nobody does; who asks for itself renews it. ARGV[2]: ttl in ms. */
const claimScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
`;

/** @param options `keepMs`: how long a claim lasts that nobody renews */
export function createRedisRootClaims(options: {
  readonly redis: Redis;
  readonly prefix: string;
  readonly keepMs: number;
}): RootClaims {
  const { redis, prefix, keepMs } = options;
  const keyOf: (...of: Parameters<RootClaims['holder']>) => string = (channel, root) =>
    `${prefix}:shared-root:${channel}:${rootKey(root)}`;
  return {
    async holder(channel, root) {
      return (await guarded(() => redis.get(keyOf(channel, root)))) ?? undefined;
    },
    async claim(channel, root, incidentId) {
      return String(
        await guarded(() => redis.eval(claimScript, 1, keyOf(channel, root), incidentId, String(keepMs))),
      );
    },
    async release(channel, root, incidentId) {
      await guarded(() => redis.eval(releaseScript, 1, keyOf(channel, root), incidentId));
    },
  };
}

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
