import type { Logger } from 'pino';
import type { QueueDepth } from '../src/edges/redis/queue-depths.js';
import type { QueueName } from '../src/service/jobs/jobs.js';
import type { RunningWorker } from './run-worker.js';

interface QueueWatchOptions {
  readonly workers: readonly Pick<RunningWorker, 'queue' | 'idleMs' | 'replace'>[];
  readonly depths: () => Promise<readonly QueueDepth[]>;
  /** The cluster whose queues these workers serve, where each cluster has workers of its own. */
  readonly cluster?: string | undefined;
  /** A worker that is idle for so long, while a job waits for so long, takes no job any more. */
  readonly stuckMs?: number;
  readonly onReplaced: (queue: QueueName) => void;
  readonly log: Logger;
}

const usualStuckMs = 60_000;

/**
 * Replaces workers that take no job any more. The client with which BullMQ waits for jobs may lose every node
 * of a Redis Cluster, or wait for an answer that never comes: the worker then reports no error. An idle
 * worker takes a job within seconds, whatever other processes do, so a job that waits beside it for a minute
 * proves the fault.
 *
 * @returns stops the watch
 */
export function watchQueues({
  workers,
  depths,
  cluster = '',
  stuckMs = usualStuckMs,
  onReplaced,
  log,
}: QueueWatchOptions): () => void {
  let isReading = false;
  const watch = async (): Promise<void> => {
    if (isReading || workers.every((worker) => worker.idleMs() < stuckMs)) return;
    isReading = true;
    // While Redis is away nobody takes jobs, and every worker waits for it.
    const read = await depths().catch(() => []);
    isReading = false;
    for (const worker of workers) {
      const waited = read
        .filter((each) => each.queue === worker.queue && (each.cluster === '' || each.cluster === cluster))
        .map(({ oldestSeconds: { person, alert } }) => Math.max(person, alert));
      if (worker.idleMs() < stuckMs || Math.max(0, ...waited) * 1_000 < stuckMs) continue;
      log.error({ queue: worker.queue }, 'a worker takes none of the jobs that wait, and is replaced');
      worker.replace();
      onReplaced(worker.queue);
    }
  };
  const timer = setInterval(() => void watch(), stuckMs / 6);
  timer.unref();
  return () => clearInterval(timer);
}
