import { type Container, leaseMs } from '../src/container.js';
import {
  createExamineCandidate,
  type ExamineCandidateDeps,
} from '../src/usecases/sentinel/examine-candidate.js';
import { createKeepSentinel, type SentinelNews } from '../src/usecases/sentinel/keep-sentinel.js';
import type { WorkerBase } from './diagnosis.js';
import { keepEachCluster, saidSeldom, timing } from './keep-each-cluster.js';
import { runWorker } from './run-worker.js';

/** Between two rounds of queueing what the watches told. */
const queueEveryMs = 500;
/** Some hundred bytes each. */
const limits = { known: 20_000, waiting: 20_000 } as const;

/** Looks at candidates; reads clusters and never writes to them. */
export function startSentinelWorker(base: WorkerBase<'sentinel'>, deps: ExamineCandidateDeps) {
  const examine = createExamineCandidate(deps);
  return runWorker({
    ...base,
    queue: 'sentinel',
    handle: (job) => examine(job),
    // Nobody was told anything: there is nothing to take back, and the log has the reference.
    fail: async () => undefined,
  });
}

/**
 * Watches every cluster for candidates, each by itself, where the settings ask for it; beside the diagnosis, whose
 * rights it needs.
 *
 * @returns the function that hands over to another process
 */
export function startSentinel(container: Container): () => Promise<void> {
  const { config, clock, log, metrics, sentinel, candidateWatcher, jobs, digest } = container;
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
      say: newsTo(container),
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

function newsTo({ log }: Container): (news: SentinelNews) => void {
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
