import type { Redis } from 'ioredis';
import { guarded } from './guard.js';

/**
 * Gives the turn of one more job of a share. KEYS: last turn of each share. ARGV: share, lowest turn that waits or '',
 * highest turn there is, how long turns are remembered in ms.
 */
const nextTurnScript = `
local lowest = tonumber(ARGV[2])
if lowest == nil then
  redis.call('DEL', KEYS[1])
  lowest = 0
end
local last = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local turn = math.min(tonumber(ARGV[3]), math.max(lowest, last) + 1)
redis.call('HSET', KEYS[1], ARGV[1], turn)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return turn
`;

const rememberedMs = 3_600_000;

/**
 * Turns by which shares of a queue are served one after the other (start-time fair queueing): a share's next job comes
 * one turn after its last one, and never in the turn that is being served. So one share's five hundred jobs keep another
 * share's first one waiting for two of them; and since nobody joins the turn being served, every turn ends, and no job
 * is passed for ever. One hash of the shares that wait, one command a job.
 *
 * @param lowest the turn of the job that is served next; `undefined` where none waits, and counting starts anew
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
  return Number(
    await guarded(() =>
      redis.eval(nextTurnScript, 1, key, share, String(lowest ?? ''), String(most), String(rememberedMs)),
    ),
  );
}
