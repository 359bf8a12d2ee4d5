import { type ApiCall, type ApiRequest, ReadBudgetSpent } from './api-call.js';

/**
 * Where the API server takes a list from. Only Kubernetes 1.31 and newer with etcd 3.4.31, 3.5.13 or newer
 * answers a list without a resourceVersion from its watch cache (`apiserver/pkg/storage/feature`); elsewhere
 * the API server reads all objects of the collection from etcd for it, whatever a field selector selects.
 *
 * - `cached`: from the watch cache, however old it is.
 * - `not-older-than`: from the watch cache, once it has reached the version. A cache that does not reach it
 *   within 3 s refuses the request with 504.
 * - `one-object`: the selection names one object in one namespace, or of a cluster-scoped kind; the API
 *   server reads one key.
 * - `stored`: from etcd, page by page; each object is read once. For what the cache can only return in one
 *   answer that is too large.
 */
export type ListReading =
  | { readonly type: 'cached' }
  | { readonly type: 'not-older-than'; readonly resourceVersion: string }
  | { readonly type: 'one-object' }
  | { readonly type: 'stored' };

export const cachedList: ListReading = { type: 'cached' };

/**
 * The query parameters of one page of a list.
 *
 * The cache ignores `limit` together with `resourceVersion=0`, and before 1.31 a limit together with another
 * version takes the list to etcd. Events are not cached: their lists come page by page, one namespace from
 * its own keys.
 *
 * @param next the token of the page before
 */
export function listQuery(
  reading: ListReading,
  limit: number,
  next: string | undefined,
): NonNullable<ApiRequest['query']> {
  if (next !== undefined) return { limit, continue: next };
  switch (reading.type) {
    case 'cached':
      return { limit, resourceVersion: '0' };
    case 'not-older-than':
      return { resourceVersion: reading.resourceVersion, resourceVersionMatch: 'NotOlderThan' };
    case 'one-object':
    case 'stored':
      return { limit };
  }
}

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
