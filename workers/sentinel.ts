import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Container, leaseMs } from '../src/container.js';
import { createExamineCandidate, type ExamineCandidateDeps } from '../src/usecases/examine-candidate.js';
import { createKeepSentinel, type SentinelNews } from '../src/usecases/keep-sentinel.js';
import type { WorkerBase } from './diagnosis.js';
import { runWorker } from './run-worker.js';

/** Between two rounds of queueing what the watches told. */
const queueEveryMs = 500;
/** Some hundred bytes each. */
const limits = { known: 20_000, waiting: 20_000 } as const;
/** The same trouble of the same cluster is said this seldom. */
const sayEveryMs = 60_000;

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
      elapsed: () => performance.now(),
      meters: metrics.sentinel,
      say: newsTo(container),
      pause: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    },
    {
      namespaces: settings.watch.length === 0 ? [''] : settings.watch,
      limits,
      afterSeconds: settings.afterSeconds,
      leaseMs,
      queueEveryMs,
    },
  );
  const stopping = new AbortController();
  const kept = candidateWatcher.clusters.map((cluster) =>
    keep(cluster, stopping.signal).catch((err: unknown) => {
      log.error({ err, cluster }, 'sentinel: the watch of a cluster ended by a defect');
    }),
  );
  return async () => {
    stopping.abort();
    await Promise.all(kept);
  };
}

/** Each news as a line, but the same again only once a minute. */
function newsTo({ log }: Container): (news: SentinelNews) => void {
  const said = new Map<string, number>();
  return (news) => {
    const { type, ...about } = news;
    const key = [type, news.cluster, news.type === 'trouble' ? news.because : ''].join(' ');
    const now = Date.now();
    if (now - (said.get(key) ?? 0) < sayEveryMs) return;
    said.set(key, now);
    const isUsual = type === 'leads' || type === 'hands-over' || type === 'lost-lease';
    log[isUsual ? 'info' : 'warn'](about, `sentinel: ${words[type]}`);
  };
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
