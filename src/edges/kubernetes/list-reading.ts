import type { ApiRequest } from './api-call.js';

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
