import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { DeliveryRecord, DeliveryStore } from '../../usecases/incident-thread.js';
import { guarded, parseRecord } from './guard.js';
import { takeTurn } from './take-turn.js';

const Record = z.object({
  tryingSince: z.string().optional(),
  message: z.object({ channel: z.string(), ts: z.string() }).optional(),
  version: z.number().optional(),
  refused: z.string().optional(),
  refusedVersion: z.number().optional(),
});

const unlockScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/** A longer hold is not cut short. ARGV[1]: milliseconds. */
const holdScript = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
return 1
`;

const unlockEveryMs = 200;

/** Tries again until it went well or the lock has run out by itself: nobody shall wait for a lock that nobody needs. */
async function untilDone(unlock: () => Promise<unknown>, until: number): Promise<void> {
  while (performance.now() < until) {
    await delay(unlockEveryMs, undefined, { ref: false });
    try {
      await unlock();
      return;
    } catch {}
  }
}

export interface RedisDeliveryStoreOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly ttlMs: number;
  /** Slack takes about one message a second in a channel. */
  readonly postEveryMs: number;
  /** Slack takes some fifty edits a minute of the whole workspace. */
  readonly editEveryMs: number;
}

export function createRedisDeliveryStore(options: RedisDeliveryStoreOptions): DeliveryStore {
  const { redis, prefix, ttlMs, postEveryMs, editEveryMs } = options;
  const recordKey = (key: string): string => `${prefix}:delivery:${key}`;
  const heldKey = `${prefix}:held`;
  return {
    async get(key) {
      const json = await guarded(() => redis.get(recordKey(key)));
      return json === null ? undefined : (parseRecord(Record, json) as DeliveryRecord);
    },
    async put(key, record) {
      await guarded(() => redis.set(recordKey(key), JSON.stringify(record), 'PX', ttlMs));
    },
    async rememberThread(channel, threadTs, incidentId) {
      await guarded(() => redis.set(`${prefix}:thread:${channel}/${threadTs}`, incidentId, 'PX', ttlMs));
    },
    async incidentInThread(channel, threadTs) {
      return (await guarded(() => redis.get(`${prefix}:thread:${channel}/${threadTs}`))) ?? undefined;
    },
    async lock(key, lockMs) {
      const token = randomUUID();
      const lockKey = `${prefix}:delivering:${key}`;
      const until = performance.now() + lockMs;
      const unlock = () => redis.eval(unlockScript, 1, lockKey, token);
      try {
        const won = await guarded(() => redis.set(lockKey, token, 'PX', lockMs, 'NX'));
        if (won !== 'OK') return undefined;
      } catch (error) {
        // Redis may have taken the lock and died before it said so.
        void untilDone(unlock, until);
        throw error;
      }
      return async () => {
        try {
          await unlock();
        } catch {
          void untilDone(unlock, until);
        }
      };
    },
    async hold(ms) {
      await guarded(() => redis.eval(holdScript, 1, heldKey, String(Math.max(1, Math.ceil(ms)))));
    },
    async held() {
      return Math.max(0, await guarded(() => redis.pttl(heldKey)));
    },
    reserve: (channel, key, turn) =>
      takeTurn(redis, { place: `${prefix}:turn:${channel}`, everyMs: postEveryMs, key, turn }),
    reserveEdit: (key, turn) =>
      takeTurn(redis, { place: `${prefix}:turn-to-edit`, everyMs: editEveryMs, key, turn }),
  };
}
