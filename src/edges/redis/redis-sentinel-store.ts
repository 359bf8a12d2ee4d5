import type { Redis } from 'ioredis';
import type { DeadlockIdentity, SentinelStore } from '../../service/sentinel/sentinel-ports.js';
import { workloadKey } from './audited-write.js';
import { guarded } from './guard.js';
import { createRedisLease } from './redis-claims.js';

/** A first proof that no second one follows within this time counts no more. */
const provenMs = 120_000;

/**
 * Remembers ARGV[1] since ARGV[2] for ARGV[3] ms, unless KEYS[1] remembers the same already; gives since
 * when.
 */
const sinceScript = `
if redis.call('HGET', KEYS[1], 'what') ~= ARGV[1] then
  redis.call('HSET', KEYS[1], 'what', ARGV[1], 'at', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return redis.call('HGET', KEYS[1], 'at')
`;

interface RedisSentinelStoreOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly leaseMs: number;
  /** How long it is known what people were told. */
  readonly ttlMs: number;
}

/**
 * What the sentinel knows between two diagnoses and over all workers: who watches, what was proven, what was
 * told.
 */
export function createRedisSentinelStore(options: RedisSentinelStoreOptions): SentinelStore {
  const { redis, prefix, leaseMs, ttlMs } = options;
  const nameOf = ({ workload, uid, revision, cause }: DeadlockIdentity): string =>
    `${workloadKey(workload)}/${uid}/${revision}/${cause}`;
  const provenKey = (candidate: string): string => `${prefix}:sentinel:proven:${candidate}`;
  const reportedKey = (deadlock: DeadlockIdentity): string => `${prefix}:sentinel:told:${nameOf(deadlock)}`;
  return {
    lease: (cluster) => createRedisLease({ redis, key: `${prefix}:sentinel:lease:${cluster}`, leaseMs }),
    async proven(candidate, deadlock, at) {
      const [key, what] = [provenKey(candidate), nameOf(deadlock)];
      return String(await guarded(() => redis.eval(sinceScript, 1, key, what, at, String(provenMs))));
    },
    async unproven(candidate) {
      await guarded(() => redis.del(provenKey(candidate)));
    },
    async told(deadlock) {
      return (await guarded(() => redis.get(reportedKey(deadlock)))) ?? undefined;
    },
    async noteTold(deadlock, incidentId) {
      await guarded(() => redis.set(reportedKey(deadlock), incidentId, 'PX', ttlMs));
    },
  };
}
