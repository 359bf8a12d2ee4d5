import type { Logger } from 'pino';
import { leaseMs } from '../src/roots/container.js';
import { createKeepSentinel, type SentinelNews } from '../src/service/sentinel/keep-sentinel.js';
import { keepEachCluster, saidSeldom, timing } from './keep-each-cluster.js';
import type { WorkerContainer } from './worker-container.js';

/** Between two rounds of queueing what the watches told. */
const queueEveryMs = 500;
/** Some hundred bytes each. */
const limits = { known: 20_000, waiting: 20_000 } as const;

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
      say: newsTo(log),
    },
    {
      namespaces: settings.watch.length === 0 ? [''] : settings.watch,
      limits,
      afterSeconds: settings.afterSeconds,
      leaseMs,
      queueEveryMs,
    },
  );
  return keepEachCluster(candidateWatcher.clusters, keep, { log, what: 'sentinel' });
}

function newsTo(log: Logger): (news: SentinelNews) => void {
  return saidSeldom(({ type, ...about }: SentinelNews) => {
    const isUsual = type === 'leads' || type === 'hands-over' || type === 'lost-lease';
    // The process logs that Redis is away, once for all clusters.
    const isRedis = type === 'queue-away' || type === 'queue-back';
    log[isRedis ? 'debug' : isUsual ? 'info' : 'warn'](about, `sentinel: ${words[type]}`);
  });
}

const words: { readonly [Type in SentinelNews['type']]: string } = {
  leads: 'this process watches',
  'hands-over': 'another process may watch',
  'lost-lease': 'another process watches',
  trouble: 'a watch stands still at the moment',
  dropped: 'candidates were dropped; they are taken up when they are told of again',
  'queue-away': 'Redis does not answer, candidates wait',
  'queue-back': 'Redis answers, candidates are queued',
};
