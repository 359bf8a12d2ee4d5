import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'bullmq';
import { connectConsumer } from '../src/adapters/redis/connection.js';
import type { Container } from '../src/container.js';
import type { QueueName } from '../src/jobs/jobs.js';
import type { AlertThread } from '../src/usecases/alert-ports.js';
import type { Doctor } from '../src/usecases/diagnosing.js';
import type { IncidentThread } from '../src/usecases/incident-thread.js';
import type { ScanAudience } from '../src/usecases/run-scan.js';
import { createSweep } from '../src/usecases/sweep.js';
import { startAlertWorker } from './alert.js';
import { startDeliveryWorker } from './delivery.js';
import { startDiagnosisWorker } from './diagnosis.js';
import { startRemediationWorker } from './remediation.js';
import { startScanWorker } from './scan.js';
import { startSentinelWorker } from './sentinel.js';
import { startVerificationWorker } from './verification.js';

export interface RunningWorkers {
  /** Lets running jobs finish for at most `graceMs`; what is left is handed to another worker. */
  close(graceMs: number): Promise<void>;
}

const concurrency: { readonly [Name in QueueName]: number } = {
  alert: 8,
  diagnosis: 8,
  scan: 1,
  sentinel: 2,
  remediation: 4,
  verification: 8,
  delivery: 8,
};

/** Reading takes at most so long, and diagnosing what was read again: somebody waits. */
const scanWithinMs = 60_000;

const sweepEveryMs = 30_000;

/** Serves the configured queues, and looks now and then for what a process that died has left behind. */
export function startWorkers(
  container: Container,
  doctor: Doctor,
  thread: IncidentThread & AlertThread & ScanAudience,
): RunningWorkers {
  const { config, log, metrics, clock } = container;
  const onError = (err: Error): void => log.debug({ err }, 'a worker connection reports an error');
  const redis = connectConsumer({ url: config.redisUrl, prefix: config.redisPrefix }, onError);
  const base = <Name extends QueueName>(queue: Name) => ({
    redis,
    prefix: `${config.redisPrefix}-jobs`,
    log,
    concurrency: concurrency[queue],
    onFinished: (outcome: 'done' | 'later' | 'retry' | 'failed') => metrics.jobEnded(queue, outcome),
  });
  const start: { readonly [Name in QueueName]: () => Worker } = {
    alert: () =>
      startAlertWorker(base('alert'), {
        ...container,
        clusterAliases: config.alerts.settings.clusters,
      }),
    diagnosis: () => startDiagnosisWorker(base('diagnosis'), { ...container, doctor }),
    scan: () =>
      startScanWorker(base('scan'), {
        ...container,
        audience: thread,
        doctor,
        withinMs: scanWithinMs,
        pause: () => setImmediate(),
      }),
    sentinel: () =>
      startSentinelWorker(base('sentinel'), {
        ...container,
        doctor,
        meters: metrics.sentinel,
        settings: config.alerts.settings.sentinel,
        channel: config.alerts.settings.channel,
        language: config.channelLanguage,
        sayIgnored: ({ on, annotation, because }, workload) =>
          log.warn({ workload, on, annotation }, `sentinel: an annotation is ignored: it is ${because}`),
      }),
    remediation: () =>
      startRemediationWorker(base('remediation'), {
        ...container,
        verifyWithinMs: config.verifySeconds * 1_000,
      }),
    verification: () =>
      startVerificationWorker(base('verification'), {
        ...container,
        doctor,
        verifyEveryMs: config.verifyEverySeconds * 1_000,
      }),
    delivery: () => startDeliveryWorker(base('delivery'), { ...container, thread, alertThread: thread }),
  };
  // Whoever looks at single workloads looks at namespaces and candidates too: all read with the same rights.
  const workers = config.workers.flatMap((queue) =>
    queue === 'diagnosis' ? [start.diagnosis(), start.scan(), start.sentinel()] : [start[queue]()],
  );
  const sweep = createSweep({ ...container, clock });
  const said = new Set<string>();
  const sweepNow = (): void => {
    sweep().then(
      ({ touched, unreadable }) => {
        if (touched > 0) log.debug({ touched }, 'swept');
        for (const id of unreadable) {
          if (!said.has(id)) log.error({ id }, 'a record cannot be read and is left alone');
          said.add(id);
        }
      },
      (err: unknown) => log.warn({ err }, 'the sweep did not finish'),
    );
  };
  container.redis.on('ready', sweepNow);
  if (container.redis.status === 'ready') sweepNow();
  const timer = setInterval(sweepNow, sweepEveryMs);
  return {
    async close(graceMs) {
      clearInterval(timer);
      container.redis.off('ready', sweepNow);
      const closed = Promise.all(workers.map((worker) => worker.close())).then(() => true);
      let deadline: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((resolve) => {
        deadline = setTimeout(() => resolve(false), graceMs);
      });
      if (!(await Promise.race([closed, late]))) {
        await Promise.all(workers.map((worker) => worker.close(true)));
      }
      clearTimeout(deadline);
      redis.disconnect();
    },
  };
}
