import { setTimeout } from 'node:timers/promises';
import { connectConsumer } from '../src/adapters/redis/connection.js';
import { languageOfChannel } from '../src/config.js';
import type { Container } from '../src/container.js';
import { DoctorError } from '../src/errors.js';
import type { QueueName } from '../src/jobs/jobs.js';
import type { AlertThread } from '../src/usecases/alerts/alert-ports.js';
import type { Distrust } from '../src/usecases/approve/approval-ports.js';
import type { MayApprove } from '../src/usecases/approve/may-approve.js';
import { createVerifyApproval } from '../src/usecases/approve/verify-approval.js';
import type { IncidentThread } from '../src/usecases/deliver/incident-thread.js';
import type { Doctor } from '../src/usecases/diagnose/doctor.js';
import type { ScanAudience } from '../src/usecases/diagnose/run-scan.js';
import type { Sights } from '../src/usecases/people/sights.js';
import { createSweep } from '../src/usecases/records/sweep.js';
import { startAlertWorker } from './alert.js';
import { startDeliveryWorker } from './delivery.js';
import { startDiagnosisWorker } from './diagnosis.js';
import { createPatcher, startDryRunWorker, startRemediationWorker } from './remediation.js';
import type { RunningWorker } from './run-worker.js';
import { startScanWorker } from './scan.js';
import { startSentinelWorker } from './sentinel.js';
import { startVerificationWorker } from './verification.js';

export interface RunningWorkers {
  /**
   * Lets running jobs finish for at most `graceMs`; another worker takes up what is left. While Redis is away, it waits
   * for running handlers only: nothing can be recorded.
   *
   * @returns whether every running job finished
   */
  close(graceMs: number): Promise<boolean>;
}

/** What computes for which jobs: verification never waits for a diagnosis. */
export interface Doctors {
  readonly diagnosis: Doctor;
  readonly verification: Doctor;
}

const concurrency: { readonly [Name in QueueName]: number } = {
  alert: 8,
  diagnosis: 8,
  scan: 1,
  sentinel: 2,
  'dry-run': 4,
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
  doctors: Doctors,
  thread: IncidentThread & AlertThread & ScanAudience,
  mayApprove: MayApprove,
  sights: Sights,
): RunningWorkers {
  const { config, log, metrics, clock } = container;
  const doctor = doctors.diagnosis;
  const redis = container.connectionLog.watch(
    connectConsumer({ url: config.redisUrl, prefix: config.redisPrefix }, () => undefined),
  );
  const base = <Name extends QueueName>(queue: Name) => ({
    redis,
    prefix: `${config.redisPrefix}-jobs`,
    log,
    concurrency: concurrency[queue],
    onFinished: (outcome: 'done' | 'later' | 'retry' | 'failed') => metrics.jobEnded(queue, outcome),
  });
  const onDistrusted = (approvalId: string, because: Distrust): void =>
    log.error({ approvalId, because }, 'a stored approval did not pass verification; nothing was sent');
  const start: { readonly [Name in QueueName]: () => RunningWorker } = {
    alert: () =>
      startAlertWorker(base('alert'), {
        ...container,
        sights,
        clusterAliases: config.alerts.settings.clusters,
        onNotShown: (channel, because) =>
          log.warn(
            { channel, because },
            'an alert came to nothing: the policy lets its channel show no namespace',
          ),
      }),
    diagnosis: () => startDiagnosisWorker(base('diagnosis'), { ...container, doctor }),
    scan: () =>
      startScanWorker(base('scan'), {
        ...container,
        audience: thread,
        sights,
        doctor,
        withinMs: scanWithinMs,
      }),
    sentinel: () =>
      startSentinelWorker(base('sentinel'), {
        ...container,
        doctor,
        meters: metrics.sentinel,
        sights,
        settings: config.alerts.settings.sentinel,
        channel: config.alerts.settings.channel,
        languageOfChannel: (channel) => languageOfChannel(config, channel),
        sayIgnored: ({ on, annotation, because }, workload) =>
          log.warn({ workload, on, annotation }, `sentinel: an annotation is ignored: it is ${because}`),
      }),
    'dry-run': () =>
      startDryRunWorker(base('dry-run'), {
        ...container,
        mayApprove,
        patcher: createPatcher(container),
        onDistrusted,
      }),
    remediation: () =>
      startRemediationWorker(base('remediation'), {
        ...container,
        patcher: createPatcher(container),
        verifyApproval: createVerifyApproval({ mayApprove, sharedClock: container.sharedClock }),
        verifyWithinMs: config.verifySeconds * 1_000,
        onDistrusted,
      }),
    verification: () =>
      startVerificationWorker(base('verification'), {
        ...container,
        doctor: doctors.verification,
        verifyEveryMs: config.verifyEverySeconds * 1_000,
      }),
    delivery: () => startDeliveryWorker(base('delivery'), { ...container, thread }),
  };
  // Whoever looks at single workloads looks at namespaces and candidates too: all read with the same rights. A dry run
  // needs the rights of the change.
  const served = {
    diagnosis: ['diagnosis', 'scan', 'sentinel'],
    remediation: ['remediation', 'dry-run'],
  } as const;
  const queues = config.workers.flatMap((queue): readonly QueueName[] =>
    queue === 'diagnosis' || queue === 'remediation' ? served[queue] : [queue],
  );
  const workers = queues.map((queue) => start[queue]());
  const sweep = createSweep({ ...container, clock });
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
  container.redis.on('ready', sweepNow);
  if (container.redis.status === 'ready') sweepNow();
  const timer = setInterval(sweepNow, sweepEveryMs);
  return {
    async close(graceMs) {
      clearInterval(timer);
      container.redis.off('ready', sweepNow);
      const closed = Promise.all(workers.map(({ worker }) => worker.close())).then(() => true);
      const idleWithoutRedis = async (): Promise<boolean> => {
        await Promise.all(workers.map((worker) => worker.untilIdle()));
        return (await container.redisProblem()) === undefined ? closed : true;
      };
      const late = setTimeout(graceMs, false, { ref: false });
      const hasFinished = await Promise.race([closed, idleWithoutRedis(), late]);
      redis.disconnect();
      return hasFinished;
    },
  };
}
