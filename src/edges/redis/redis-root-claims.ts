import type { Redis } from 'ioredis';
import { rootKey } from '../../doctor/incidents/shared-root.js';
import type { RootClaims } from '../../service/records/incident-store.js';
import { guarded } from './guard.js';

/** Gives who holds KEYS[1], ARGV[1] if nobody does; who asks for itself renews it. ARGV[2]: ttl in ms. */
const claimScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
`;

const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

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
