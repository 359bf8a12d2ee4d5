import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { watchClusterIdentity } from '../src/edges/kubernetes/watch-cluster-identity.js';
import { bullNameOf, type QueueDepth } from '../src/edges/redis/bullmq-job-queue.js';
import { connectConsumer } from '../src/edges/redis/connection.js';
import { reportToClusterRoll } from '../src/edges/redis/redis-clusters.js';
import { restoreRecords } from '../src/roots/restore-records.js';
import { isClusterQueue } from '../src/service/clusters/cluster-of-job.js';
import { clusterRoles, policyDigest } from '../src/service/clusters/cluster-roll.js';
import { DoctorError } from '../src/service/errors.js';
import type { QueueName } from '../src/service/jobs/jobs.js';
import { createSweep } from '../src/service/records/sweep.js';
import { createQueueHandlers, type DiagnosisEngines, type People } from './queue-handlers.js';
import { type RunningWorker, runWorker } from './run-worker.js';
import type { WorkerContainer } from './worker-container.js';

interface RunningWorkers {
  /**
   * Lets running jobs finish for at most `graceMs`; another worker takes up what is left. While Redis is
   * away, it waits for running handlers only: nothing can be recorded.
   *
   * @returns whether every running job finished
   */
  close(graceMs: number): Promise<boolean>;
}

const sweepEveryMs = 30_000;

/** Serves the configured queues, and looks now and then for what a process that died has left behind. */
export function startWorkers(
  container: WorkerContainer,
  engines: DiagnosisEngines,
  people: People,
): RunningWorkers {
  const { config, log, metrics, clock, sharedClock, alerts, approvals, deliveries, incidents, jobs } =
    container;
  const redis = container.connectionLog.watch(connectConsumer(config.redis, () => undefined));
  const handlers = createQueueHandlers(container, engines, people);
  const ownCluster = container.access.type === 'own-cluster' ? container.access.cluster : undefined;
  const start = <Name extends QueueName>(queue: Name): RunningWorker =>
    runWorker({
      ...handlers[queue](),
      queue,
      name: bullNameOf(
        queue,
        ownCluster !== undefined && isClusterQueue(queue) ? { cluster: ownCluster } : 'anywhere',
      ),
      redis,
      telemetry: container.telemetry,
      prefix: `${config.redisPrefix}-jobs`,
      log,
      onFinished: (outcome, seconds) => metrics.jobEnded(queue, outcome, seconds),
    });
  // Whoever looks at single workloads looks at namespaces and candidates too: all read with the same rights.
  // A dry run needs the rights of the change.
  const served = {
    diagnosis: ['diagnosis', 'scan', 'sentinel'],
    remediation: ['remediation', 'dry-run', 'pull-request'],
  } as const;
  // Asked by the app where it has no credentials of its own.
  const asked = { diagnosis: 'question', remediation: 'review' } as const;
  const queues = config.workers.flatMap((queue): readonly QueueName[] => {
    if (queue !== 'diagnosis' && queue !== 'remediation') return [queue];
    return ownCluster === undefined ? served[queue] : [...served[queue], asked[queue]];
  });
  const workers = queues.map((queue) => start(queue));
  const stopWatch = watchQueues({
    workers,
    log,
    depths: container.queueDepths,
    cluster: ownCluster,
    onReplaced: metrics.workerReplaced,
  });
  const stopReports = ownCluster === undefined ? () => undefined : startReports(container, ownCluster);
  const keepSchedule = (): void => {
    if (!queues.includes('scan')) return;
    container
      .keepDigestSchedule()
      .catch((err: unknown) => log.warn({ err }, 'the schedule of the weekly digest could not be stored'));
  };
  const sweep = createSweep({ alerts, approvals, clock, sharedClock, deliveries, incidents, jobs });
  const said = new Set<string>();
  const sweepNow = (): void => {
    sweep().then(
      ({ touched, unreadable }) => {
        container.connectionLog.onAnswer();
        if (touched > 0) log.debug({ touched }, 'swept');
        for (const id of unreadable) {
          if (!said.has(id)) log.error({ id }, 'a record cannot be read and is left alone');
          said.add(id);
        }
      },
      (err: unknown) => {
        const isAway = err instanceof DoctorError && err.code === 'redis-unavailable';
        if (isAway) container.connectionLog.onFailedCommand(err);
        else log.warn({ err }, 'the sweep did not finish');
      },
    );
  };
  const stopRestoring = restoreRecords(container, sweepNow);
  container.redis.on('ready', sweepNow).on('ready', keepSchedule);
  if (container.redis.status === 'ready') {
    sweepNow();
    keepSchedule();
  }
  const timer = setInterval(sweepNow, sweepEveryMs);
  return {
    async close(graceMs) {
      clearInterval(timer);
      stopWatch();
      stopReports();
      stopRestoring();
      container.redis.off('ready', sweepNow).off('ready', keepSchedule);
      const closed = Promise.all(workers.map(({ worker }) => worker.close())).then(() => true);
      const idleWithoutRedis = async (): Promise<boolean> => {
        await Promise.all(workers.map((worker) => worker.untilIdle()));
        return (await container.redisProblem()) === undefined ? closed : true;
      };
      const late = setTimeout(graceMs, false, { ref: false });
      const hasFinished = await Promise.race([closed, idleWithoutRedis(), late]);
      redis.disconnect();
      for (const worker of workers) worker.disconnect();
      return hasFinished;
    },
  };
}

/** Reports that this worker runs, with what the app compares between the workers of all clusters. */
function startReports(container: WorkerContainer, cluster: string): () => void {
  const { config, connections, digest, newId, policy, redis } = container;
  const [connection] = connections;
  const identity = connection && watchClusterIdentity(connection);
  const stop = reportToClusterRoll(
    { redis, prefix: config.redisPrefix },
    {
      id: newId(),
      cluster,
      roles: clusterRoles.filter((role) => config.workers.includes(role)),
      facts: () => ({
        ...(identity?.current() ?? { isReachable: true }),
        policy: policyDigest(policy(), digest),
      }),
    },
  );
  return () => {
    stop();
    identity?.close();
  };
}

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
