import type { Redis } from 'ioredis';
import { guarded } from './guard.js';

/**
 * Gives the turn of one more job of a share. KEYS: last turn of each share; the turn that was served last, and when one
 * was given last. ARGV: share, lowest turn that waits or '', highest turn there is, how long turns are remembered, and
 * after which pause counting starts anew, both in ms. That none waits is no reason by itself: of jobs that come at the
 * same moment each is asked for before any of them waits.
 */
const nextTurnScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lowest = tonumber(ARGV[2])
if lowest == nil then
  local given = tonumber(redis.call('HGET', KEYS[2], 'given') or '0')
  if now - given > tonumber(ARGV[5]) then redis.call('DEL', KEYS[1], KEYS[2]) end
  lowest = tonumber(redis.call('HGET', KEYS[2], 'served') or '0')
else
  redis.call('HSET', KEYS[2], 'served', lowest)
end
local last = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local turn = math.min(tonumber(ARGV[3]), math.max(lowest, last) + 1)
redis.call('HSET', KEYS[1], ARGV[1], turn)
redis.call('HSET', KEYS[2], 'given', now)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return turn
`;

const rememberedMs = 3_600_000;
/** Longer than a job takes from its turn to the queue. */
const anewAfterMs = 10_000;

/**
 * Turns by which shares of a queue are served one after the other (start-time fair queueing): a share's next job comes
 * one turn after its last one, and never in the turn that is being served. So one share's five hundred jobs keep another
 * share's first one waiting for two of them; and since nobody joins the turn being served, every turn ends, and no job
 * is passed for ever. One hash of the shares that wait, one command a job.
 *
 * @param lowest the turn of the job that is served next; `undefined` where none waits: after a pause, counting starts anew
 * @param most turns end here: what comes after is served in the order it came
 */
export async function nextTurn(
  redis: Redis,
  at: {
    readonly key: string;
    readonly share: string;
    readonly lowest: number | undefined;
    readonly most: number;
  },
): Promise<number> {
  const { key, share, lowest, most } = at;
  const keys = [key, `${key}:at`];
  const values = [share, lowest ?? '', most, rememberedMs, anewAfterMs];
  return Number(await guarded(() => redis.eval(nextTurnScript, keys.length, ...keys, ...values)));
}
