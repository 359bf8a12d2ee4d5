import type { Redis } from 'ioredis';
import type { Turn, Urgency } from '../../usecases/records/process-ports.js';
import { guarded } from './guard.js';

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

export interface TakeTurnOptions {
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
export async function takeTurn(
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
