import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { DeliveryRecord } from '../../doctor/incidents/delivery.js';
import type { DeliveryStore, ThreadOwner } from '../../service/deliver/incident-thread.js';
import type { Turn, Urgency } from '../../service/records/process-ports.js';
import { guarded, parseRecord, readRecord } from './guard.js';

/** KEYS: hold of all deliveries, lock, record. ARGV: token of the lock, its ttl in ms. */
const openScript = `
local held = redis.call('PTTL', KEYS[1])
if held > 0 then return {'held', held} end
if not redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2], 'NX') then return {'busy'} end
return {'open', redis.call('GET', KEYS[3])}
`;

/**
 * KEYS: lock, record, thread. ARGV: token of the lock, ttl in ms, record or '', incident of the thread or '',
 * '1' to keep a stored incident of the thread.
 */
const closeScript = `
if ARGV[3] ~= '' then redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[2]) end
if ARGV[4] ~= '' and not (ARGV[5] == '1' and redis.call('EXISTS', KEYS[3]) == 1) then
  redis.call('SET', KEYS[3], ARGV[4], 'PX', ARGV[2])
end
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`;

/** A longer hold is not cut short. ARGV[1]: milliseconds. */
const holdScript = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
return 1
`;

const unlockEveryMs = 200;

/**
 * Retries until it succeeds or the lock has expired, so that no delivery waits for a lock that nobody needs.
 */
async function retryUntil(unlock: () => Promise<unknown>, until: number): Promise<void> {
  while (performance.now() < until) {
    await delay(unlockEveryMs, undefined, { ref: false });
    try {
      await unlock();
      return;
    } catch {}
  }
}

interface RedisDeliveryStoreOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly ttlMs: number;
  /** Between two messages in a channel; Slack takes about one a second. */
  readonly postEveryMs?: number;
  /** Between two edits in the workspace; Slack takes some fifty a minute (`chat.update` is of tier 3). */
  readonly editEveryMs?: number;
  /**
   * Between two changes of reactions, each of which adds one (some fifty a minute) and removes one (some
   * twenty).
   */
  readonly reactEveryMs?: number;
}

export function createRedisDeliveryStore(options: RedisDeliveryStoreOptions): DeliveryStore {
  const { redis, prefix, ttlMs, postEveryMs = 1_000, editEveryMs = 1_200, reactEveryMs = 3_000 } = options;
  const recordKey = (key: string): string => `${prefix}:delivery:${key}`;
  const threadKey = ({ channel, threadTs }: Pick<ThreadOwner, 'channel' | 'threadTs'>): string =>
    `${prefix}:thread:${channel}/${threadTs}`;
  /** Processes of the former release know the keys without a workspace, which hold in one workspace. */
  const of = (key: string, workspace: string | undefined): string =>
    workspace === undefined ? `${prefix}:${key}` : `${prefix}:${key}:${workspace}`;
  const heldKey = of('held', undefined);
  const heldIn = (workspace: string | undefined) =>
    workspace === undefined ? {} : { held: of('held', workspace) };
  return {
    async open(key, lockMs) {
      const token = randomUUID();
      const lockKey = `${prefix}:delivering:${key}`;
      const until = performance.now() + lockMs;
      const close = (record?: DeliveryRecord, thread?: ThreadOwner) => {
        // A user with rights on our keys alone has none on an empty one.
        const keys = [lockKey, recordKey(key), thread === undefined ? lockKey : threadKey(thread)];
        const json = record === undefined ? '' : JSON.stringify(record);
        const values = [token, ttlMs, json, thread?.incidentId ?? '', thread?.keepsFormer ? '1' : '0'];
        return redis.eval(closeScript, keys.length, ...keys, ...values);
      };
      const unlock = () => close();
      try {
        const keys = [heldKey, lockKey, recordKey(key)];
        const opened = () => redis.eval(openScript, keys.length, ...keys, token, lockMs);
        const [type, found] = (await guarded(opened)) as
          | ['held', number]
          | ['busy']
          | ['open', string | null];
        if (type === 'held') return { type, forMs: found };
        if (type === 'busy') return { type };
        return {
          type,
          record: found === null ? {} : parseRecord(DeliveryRecord, found),
          async close(record, thread) {
            try {
              await guarded(() => close(record, thread));
            } catch (error) {
              void retryUntil(unlock, until);
              if (record !== undefined || thread !== undefined) throw error;
            }
          },
        };
      } catch (error) {
        // Redis may have taken the lock and failed before it answered.
        void retryUntil(unlock, until);
        throw error;
      }
    },
    get: (key) => readRecord(DeliveryRecord, () => redis.get(recordKey(key))),
    async noteAttempt(key, since) {
      const record: DeliveryRecord = { tryingSince: since };
      await guarded(() => redis.set(recordKey(key), JSON.stringify(record), 'PX', ttlMs, 'NX'));
    },
    async incidentInThread(channel, threadTs) {
      return (await guarded(() => redis.get(threadKey({ channel, threadTs })))) ?? undefined;
    },
    async hold(ms, workspace) {
      const key = of('held', workspace);
      await guarded(() => redis.eval(holdScript, 1, key, String(Math.max(1, Math.ceil(ms)))));
    },
    async held(workspace) {
      return Math.max(0, await guarded(() => redis.pttl(of('held', workspace))));
    },
    reserve: (channel, key, turn, record, workspace) =>
      takeTurn(redis, {
        ...heldIn(workspace),
        place: `${prefix}:turn:${channel}`,
        everyMs: postEveryMs,
        key,
        turn,
        record: { key: recordKey(key), json: JSON.stringify(record), ttlMs },
      }),
    reserveEdit: (key, turn, workspace) =>
      takeTurn(redis, {
        ...heldIn(workspace),
        place: of('turn-to-edit', workspace),
        everyMs: editEveryMs,
        key,
        turn,
      }),
    reserveReaction: (key, turn, record, workspace) =>
      takeTurn(redis, {
        place: of('turn-to-react', workspace),
        everyMs: reactEveryMs,
        key,
        turn,
        record: { key: recordKey(key), json: JSON.stringify(record), ttlMs },
      }),
  };
}

/**
 * KEYS: when the place is free (ms since 1970), who waits for it (sorted set), the last turn of each fairness
 * key of this class, a record that is stored with the turn, and the delay of the place's workspace or the
 * place. ARGV: ms between turns, key, fairness key, class, longest answer in ms, the record or '', its ttl in
 * ms, '1' where the delay counts. The clock of Redis counts, so that workers on machines with different
 * clocks agree. A job that comes at the time of its rank finds the jobs before it served, or absent.
 */
const takeTurnScript = `
if ARGV[8] == '1' then
  local delay = redis.call('PTTL', KEYS[5])
  if delay > 0 then return delay end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local every, key, fairnessKey = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local free = tonumber(redis.call('GET', KEYS[1]) or '0')
local from = tonumber(ARGV[4]) * 1e9
local place = tonumber(redis.call('ZSCORE', KEYS[2], key) or '-1')
if place < 0 or place >= from + 1e9 then
  local head = redis.call('ZRANGEBYSCORE', KEYS[2], from, '(' .. (from + 1e9), 'WITHSCORES', 'LIMIT', 0, 1)
  local lowest = 0
  if head[2] then lowest = tonumber(head[2]) - from else redis.call('DEL', KEYS[3]) end
  local turn = math.max(lowest, tonumber(redis.call('HGET', KEYS[3], fairnessKey) or '0')) + 1
  redis.call('HSET', KEYS[3], fairnessKey, turn)
  redis.call('ZADD', KEYS[2], from + turn, key)
end
local rank = redis.call('ZRANK', KEYS[2], key)
local answer = 0
if free + rank * every <= now then
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, rank)
  redis.call('SET', KEYS[1], now + every, 'PX', every * 2)
  if ARGV[6] ~= '' then redis.call('SET', KEYS[4], ARGV[6], 'PX', ARGV[7]) end
else
  answer = math.min(tonumber(ARGV[5]), math.max(free - now, 0) + rank * every)
end
redis.call('PEXPIRE', KEYS[2], 3600000)
redis.call('PEXPIRE', KEYS[3], 3600000)
return answer
`;

const classes: { readonly [Each in Urgency]: number } = { person: 0, alert: 1, 'alert-detail': 2 };

/** Asked again this soon at the latest: those ahead may have gone. */
const longestMs = 15_000;

interface TakeTurnOptions {
  readonly place: string;
  readonly everyMs: number;
  readonly key: string;
  readonly turn: Turn;
  /** Key of a delay during which nobody gets the place. */
  readonly held?: string;
  /** Stored in the same step if the place is taken now. */
  readonly record?: { readonly key: string; readonly json: string; readonly ttlMs: number };
}

/**
 * Gives a place to one after the other, so many milliseconds apart. Those who wait stand in a row: people
 * first, then alerts by fairness key in turn (as in `fair-turns`), then details. Each receives the
 * approximate time of its turn, so that they do not all come at once. One that does not come by the next
 * one's turn, since its worker died, loses its place.
 *
 * @returns 0 when the place is taken now, else the wait in milliseconds until asking again
 */
async function takeTurn(
  redis: Redis,
  { place, everyMs, key, turn, held, record }: TakeTurnOptions,
): Promise<number> {
  const order = classes[turn.urgency];
  const keys = [
    ...[place, `${place}:waiting`, `${place}:shares:${order}`],
    ...[record?.key ?? place, held ?? place],
  ];
  const values = [
    ...[everyMs, key, turn.fairnessKey, order, longestMs],
    ...[record?.json ?? '', record?.ttlMs ?? 0, held === undefined ? '' : '1'],
  ];
  return Number(await guarded(() => redis.eval(takeTurnScript, keys.length, ...keys, ...values)));
}
