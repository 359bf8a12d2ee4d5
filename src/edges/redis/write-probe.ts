import type { Redis } from 'ioredis';
import { redisCode } from './guard.js';

interface WriteProbeOptions {
  readonly redis: Redis;
  readonly prefix: string;
  /**
   * A write that takes longer counts as failed. Below the second that Kubernetes gives a probe by default.
   */
  readonly timeoutMs?: number;
  /** An answer holds for this time, so that frequent questions cause no load. */
  readonly keepMs?: number;
}

const keyTtlMs = 10_000;

/**
 * Whether Redis accepts writes now. A replica, a full or loading server and one that cannot save to disk all
 * answer PING while no approval, incident or job can be stored.
 *
 * @returns what is wrong, with Redis' own error code, or undefined
 */
export function createWriteProbe(options: WriteProbeOptions): () => Promise<string | undefined> {
  const { redis, prefix, timeoutMs = 800, keepMs = 1_000 } = options;
  let last: { readonly at: number; readonly answer: Promise<string | undefined> } | undefined;

  async function probe(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('Redis does not answer'), timeoutMs);
    });
    const write = redis.set(`${prefix}:write-probe`, '1', 'PX', keyTtlMs).then(() => undefined, problemOf);
    try {
      return await Promise.race([write, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  return () => {
    const now = Date.now();
    if (last === undefined || now - last.at >= keepMs || now < last.at) last = { at: now, answer: probe() };
    return last.answer;
  };
}

function problemOf(error: unknown): string {
  const code = redisCode(error);
  return code === undefined ? 'Redis does not answer' : `Redis accepts no writes (${code})`;
}
