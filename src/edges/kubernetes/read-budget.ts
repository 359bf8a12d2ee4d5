import { type ApiCall, ReadBudgetSpent } from './api-call.js';

/** What the reads of one diagnosis, or of one scan, may ask of an API server. */
export interface ReadBudget {
  /** Requests in flight; further ones wait here. */
  readonly atOnce: number;
  /** Requests altogether, repeated ones included. */
  readonly maxRequests: number;
  /** Bytes of all answers, after decompression. */
  readonly maxBytes: number;
}

/** The defaults of `READ_REQUESTS_AT_ONCE`, `READ_MAX_REQUESTS` and `READ_MAX_MEGABYTES`. */
export const diagnosisBudget: ReadBudget = { atOnce: 16, maxRequests: 900, maxBytes: 256_000_000 };

/** A scan reads the pods of a whole cluster. */
export function scanBudgetOf({ atOnce, maxRequests, maxBytes }: ReadBudget): ReadBudget {
  return { atOnce, maxRequests: 5 * maxRequests, maxBytes: 2 * maxBytes };
}

/**
 * The same call within a budget. A request beyond it is not sent and throws `ReadBudgetSpent`; an answer
 * beyond it is `AnswerTooLarge`.
 */
export function withReadBudget(call: ApiCall, { atOnce, maxRequests, maxBytes }: ReadBudget): ApiCall {
  let bytesLeft = maxBytes;
  let sent = 0;
  let running = 0;
  const waiting: (() => void)[] = [];
  const take = (bytes: number): boolean => {
    bytesLeft -= bytes;
    return bytesLeft >= 0;
  };
  return async (request) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      request.signal?.throwIfAborted();
      if (sent >= maxRequests) throw new ReadBudgetSpent(`after ${maxRequests} requests`);
      sent += 1;
      return await call({ ...request, take });
    } finally {
      const next = waiting.shift();
      // The turn is handed on, so that `running` stays as it is.
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
