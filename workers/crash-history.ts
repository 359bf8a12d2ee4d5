import type { Logger } from 'pino';
import { leaseMs } from '../src/roots/container.js';
import { createKeepCrashHistory, type HistoryNews } from '../src/service/history/keep-crash-history.js';
import { keepEachCluster, saidSeldom, timing } from './keep-each-cluster.js';
import type { WorkerContainer } from './worker-container.js';

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
      say: newsTo(log),
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

function newsTo(log: Logger): (news: HistoryNews) => void {
  return saidSeldom((news: HistoryNews) => {
    switch (news.type) {
      case 'leads':
      case 'hands-over':
      case 'lost-lease':
        return log.info({ cluster: news.cluster }, `crash history: ${words[news.type]}`);
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
        return log.debug({ cluster: news.cluster }, `crash history: ${words[news.type]}`);
    }
  });
}

const words = {
  leads: 'this process watches',
  'hands-over': 'another process may watch',
  'lost-lease': 'another process watches',
  'store-away': 'Redis does not answer, records wait',
  'store-back': 'Redis answers, records are written',
} as const;
