import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LeadingDeps } from '../src/service/records/keep-lease.js';

/** The same trouble of the same cluster is said this seldom. */
const sayEveryMs = 60_000;

export const timing: Pick<LeadingDeps, 'elapsed' | 'pause'> = {
  elapsed: () => performance.now(),
  pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};

/**
 * Keeps something for every cluster, each by itself.
 *
 * @param what begins the lines in the log
 * @returns the function that hands over to another process
 */
export function keepEachCluster(
  clusters: readonly string[],
  keep: (cluster: string, signal: AbortSignal) => Promise<void>,
  { log, what }: { log: Logger; what: string },
): () => Promise<void> {
  const stopping = new AbortController();
  const kept = clusters.map((cluster) =>
    keep(cluster, stopping.signal).catch((err: unknown) => {
      log.error({ err, cluster }, `${what}: the watch of a cluster ended by a defect`);
    }),
  );
  return async () => {
    stopping.abort();
    await Promise.all(kept);
  };
}

/** Passes news on, but the same again only once a minute. */
export function saidSeldom<News extends { readonly type: string; readonly cluster: string }>(
  say: (news: News) => void,
): (news: News) => void {
  const said = new Map<string, number>();
  return (news) => {
    const key = [news.type, news.cluster, 'because' in news ? news.because : ''].join(' ');
    const now = Date.now();
    if (now - (said.get(key) ?? 0) < sayEveryMs) return;
    said.set(key, now);
    say(news);
  };
}
