import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { leaseMs } from '../src/roots/container.js';
import { createKeepCrashHistory, type HistoryNews } from '../src/service/history/keep-crash-history.js';
import type { LeadingDeps } from '../src/service/records/keep-lease.js';
import { createKeepSentinel, type SentinelNews } from '../src/service/sentinel/keep-sentinel.js';
import type { WorkerContainer } from './worker-container.js';

/** The same trouble of the same cluster is said this seldom. */
const sayEveryMs = 60_000;

const timing: Pick<LeadingDeps, 'elapsed' | 'pause'> = {
  elapsed: () => performance.now(),
  pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};

/**
 * Keeps something for every cluster, each by itself.
 *
 * @param what begins the lines in the log
 * @returns the function that hands over to another process
 */
function keepEachCluster(
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
function saidSeldom<News extends { readonly type: string; readonly cluster: string }>(
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

const writeEveryMs = 1_000;
/** Records that wait for a Redis that is away: some minutes of a cluster in turmoil. */
const waitingRecords = 20_000;

/**
 * Keeps the crash history of every cluster, each by itself, beside the diagnosis: it needs the same rights,
 * and one more, to watch pods.
 *
 * @returns the function that hands over to another process
 */
export function startCrashHistory({
  config,
  clock,
  log,
  metrics,
  crashHistory,
  podWatcher,
}: Pick<
  WorkerContainer,
  'config' | 'clock' | 'log' | 'metrics' | 'crashHistory' | 'podWatcher'
>): () => Promise<void> {
  if (config.crashHistory === 'off' || !config.workers.includes('diagnosis')) return async () => undefined;
  const { crashHistoryNamespaces: namespaces } = config;
  const keep = createKeepCrashHistory(
    {
      watcher: podWatcher,
      history: crashHistory,
      clock,
      ...timing,
      meters: metrics.history,
      say: historyNews(log),
    },
    {
      namespaces: namespaces.length === 0 ? [''] : namespaces,
      limits: { pods: config.crashHistoryPods, waiting: waitingRecords },
      keepSeconds: config.crashHistoryDays * 86_400,
      leaseMs,
      writeEveryMs,
    },
  );
  return keepEachCluster(podWatcher.clusters, keep, { log, what: 'crash history' });
}

function historyNews(log: Logger): (news: HistoryNews) => void {
  return saidSeldom((news: HistoryNews) => {
    switch (news.type) {
      case 'leads':
      case 'hands-over':
      case 'lost-lease':
        return log.info({ cluster: news.cluster }, `crash history: ${historyWords[news.type]}`);
      case 'trouble': {
        const { cluster, because, message } = news;
        return log.warn(
          { cluster, because, message },
          'crash history: the pods cannot be watched at the moment',
        );
      }
      case 'dropped':
        return log.warn(
          { cluster: news.cluster, records: news.records },
          'crash history: records were dropped',
        );
      case 'full':
        return log.warn(
          { cluster: news.cluster, pods: news.pods },
          'crash history: more pods than CRASH_HISTORY_PODS; further ones are recorded, but not followed',
        );
      // The process logs that Redis is away, once for all clusters.
      default:
        return log.debug({ cluster: news.cluster }, `crash history: ${historyWords[news.type]}`);
    }
  });
}

const historyWords = {
  leads: 'this process watches',
  'hands-over': 'another process may watch',
  'lost-lease': 'another process watches',
  'store-away': 'Redis does not answer, records wait',
  'store-back': 'Redis answers, records are written',
} as const;

/** Between two rounds of queueing what the watches told. */
const queueEveryMs = 500;
/** Some hundred bytes each. */
const sentinelLimits = { known: 20_000, waiting: 20_000 } as const;

/**
 * Watches every cluster for candidates, each by itself, where the settings ask for it; beside the diagnosis,
 * whose rights it needs.
 *
 * @returns the function that hands over to another process
 */
export function startSentinel({
  config,
  clock,
  log,
  metrics,
  sentinel,
  candidateWatcher,
  jobs,
  digest,
}: Pick<
  WorkerContainer,
  'config' | 'clock' | 'log' | 'metrics' | 'sentinel' | 'candidateWatcher' | 'jobs' | 'digest'
>): () => Promise<void> {
  const settings = config.alerts.settings.sentinel;
  if (settings === undefined || !config.workers.includes('diagnosis')) return async () => undefined;
  const keep = createKeepSentinel(
    {
      watcher: candidateWatcher,
      sentinel,
      jobs,
      clock,
      digest,
      ...timing,
      meters: metrics.sentinel,
      say: sentinelNews(log),
    },
    {
      namespaces: settings.watch.length === 0 ? [''] : settings.watch,
      limits: sentinelLimits,
      afterSeconds: settings.afterSeconds,
      leaseMs,
      queueEveryMs,
    },
  );
  return keepEachCluster(candidateWatcher.clusters, keep, { log, what: 'sentinel' });
}

function sentinelNews(log: Logger): (news: SentinelNews) => void {
  return saidSeldom(({ type, ...about }: SentinelNews) => {
    const isUsual = type === 'leads' || type === 'hands-over' || type === 'lost-lease';
    // The process logs that Redis is away, once for all clusters.
    const isRedis = type === 'queue-away' || type === 'queue-back';
    log[isRedis ? 'debug' : isUsual ? 'info' : 'warn'](about, `sentinel: ${sentinelWords[type]}`);
  });
}

const sentinelWords: { readonly [Type in SentinelNews['type']]: string } = {
  leads: 'this process watches',
  'hands-over': 'another process may watch',
  'lost-lease': 'another process watches',
  trouble: 'a watch receives nothing',
  dropped: 'candidates were dropped; each is examined again at its next report',
  'queue-away': 'Redis does not answer, candidates wait',
  'queue-back': 'Redis answers, candidates are queued',
};

/**
 * Keeps the nodes of every cluster by a watch, in each process that diagnoses. Where they may not be watched,
 * each diagnosis lists them.
 *
 * @returns the function that ends the watches
 */
export function startNodeCache({
  config,
  log,
  nodeCache,
}: Pick<WorkerContainer, 'config' | 'log' | 'nodeCache'>): () => Promise<void> {
  if (config.nodeWatch === 'off' || !config.workers.includes('diagnosis')) return async () => undefined;
  const say = saidSeldom(
    ({ cluster, because, message }: { type: 'trouble'; cluster: string; because: string; message: string }) =>
      log.warn(
        { cluster, because, message },
        'the nodes cannot be watched at the moment: each diagnosis lists them',
      ),
  );
  return keepEachCluster(
    nodeCache.clusters,
    (cluster, signal) =>
      nodeCache.watch(
        cluster,
        (because, message) => say({ type: 'trouble', cluster, because, message }),
        signal,
      ),
    { log, what: 'nodes' },
  );
}
