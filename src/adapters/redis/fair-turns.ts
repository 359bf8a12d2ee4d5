import type { Redis } from 'ioredis';
import { guarded } from './guard.js';

/**
 * Returns the turn of one more job. KEYS: hash of the last turn of each fairness key; hash of the turn that
 * was served last and of the time when a turn was returned last. ARGV: fairness key, lowest waiting turn or
 * '', highest possible turn, how long turns are kept, and after which pause counting restarts, both in ms. An
 * empty queue alone does not restart the counting: jobs that arrive together ask for their turns before any
 * of them waits.
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

const keepMs = 3_600_000;
/** Longer than a job takes from its turn to the queue. */
const restartAfterMs = 10_000;

/**
 * Start-time fair queueing: the next job of a fairness key comes one turn after its last one, and never in
 * the turn that is being served. Five hundred jobs of one key therefore delay the first job of another key by
 * two of them. No job joins the turn that is being served, so every turn ends and no job waits forever. Costs
 * one command a job.
 *
 * @param at `lowest`: the turn of the job that is served next; `undefined` if no job waits. `most`: the last
 *   turn; jobs beyond it are served in order of arrival
 */
export async function nextTurn(
  redis: Redis,
  at: {
    readonly key: string;
    readonly fairnessKey: string;
    readonly lowest: number | undefined;
    readonly most: number;
  },
): Promise<number> {
  const { key, fairnessKey, lowest, most } = at;
  const keys = [key, `${key}:at`];
  const values = [fairnessKey, lowest ?? '', most, keepMs, restartAfterMs];
  return Number(await guarded(() => redis.eval(nextTurnScript, keys.length, ...keys, ...values)));
}
