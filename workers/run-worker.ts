import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { backoffMs, urgencyOf } from '../src/adapters/redis/bullmq-job-queue.js';
import { DoctorError } from '../src/errors.js';
import { FutureJob, JobSubject } from '../src/jobs/job-subject.js';
import { type Jobs, jobSchemas, type QueueName } from '../src/jobs/jobs.js';
import type { Urgency } from '../src/usecases/ports.js';

/** What a handler asks for when it is not done and nothing failed. */
export interface ComeBack {
  readonly afterMs: number;
}

/** What a handler may want to know of the job beside its payload. */
export interface Attempt {
  readonly lastAttempt: boolean;
  readonly urgency: Urgency;
}

export interface RunWorkerOptions<Name extends QueueName> {
  readonly queue: Name;
  readonly redis: Redis;
  readonly prefix: string;
  readonly log: Logger;
  readonly concurrency: number;
  /** Jobs started a second at most, over all workers of the queue. */
  readonly limiter?: { readonly max: number; readonly duration: number };
  /** Does the job once; gives `ComeBack` to be called again later without using up an attempt. */
  readonly handle: (job: Jobs[Name], attempt: Attempt) => Promise<ComeBack | undefined>;
  /**
   * Makes a job that will not be tried again visible to people, also one whose payload could not be read: then the
   * subject holds what could. `reference` stands in the log.
   */
  readonly fail: (subject: JobSubject, reference: string) => Promise<void>;
  readonly onFinished?: (outcome: 'done' | 'later' | 'retry' | 'failed') => void;
}

/** A job whose worker died is taken up again this often; each round is a crash, not an attempt. */
const maxStalledCount = 20;
/** A worker renews the lock of its job at half of this; when it died, another takes the job after the whole. */
const lockDurationMs = 15_000;
const stalledIntervalMs = 5_000;

/**
 * Runs one queue's handler as a BullMQ worker: parses the payload, maps errors to retries, and ends what cannot
 * succeed in the handler's `fail`. `close` on the result waits for running jobs.
 */
export function runWorker<Name extends QueueName>(options: RunWorkerOptions<Name>): Worker {
  const { queue, redis, prefix, log, concurrency, limiter, handle, fail, onFinished } = options;
  const worker = new Worker(
    queue,
    async (job: Job, token?: string) => {
      const lastAttempt = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
      try {
        const payload = payloadOf(queue, job.data);
        const later = await handle(payload, { lastAttempt, urgency: urgencyOf(job.priority) });
        if (later === undefined) {
          onFinished?.('done');
          return;
        }
        await job.moveToDelayed(Date.now() + later.afterMs, token);
      } catch (error) {
        const retryable = !(error instanceof DoctorError) || error.retryable;
        const code = error instanceof DoctorError ? error.code : 'unexpected';
        if (retryable && !lastAttempt) {
          log.warn(
            { err: error, jobId: job.id, queue, code, attempt: job.attemptsMade + 1 },
            'a job will be retried',
          );
          onFinished?.('retry');
          const wait = error instanceof DoctorError ? error.retryAfterMs : undefined;
          if (wait === undefined) throw error;
          await job.moveToDelayed(Date.now() + wait, token);
          throw new DelayedError();
        }
        const reference = job.id ?? 'unknown';
        log.error({ err: error, jobId: job.id, queue, code }, 'a job failed for good');
        onFinished?.('failed');
        await fail(subjectOf(job.data), reference);
        throw new UnrecoverableError(code);
      }
      onFinished?.('later');
      throw new DelayedError();
    },
    {
      connection: redis,
      prefix,
      concurrency,
      maxStalledCount,
      stalledInterval: stalledIntervalMs,
      lockDuration: lockDurationMs,
      settings: { backoffStrategy: (attemptsMade) => backoffMs(attemptsMade) },
      ...(limiter === undefined ? {} : { limiter }),
    },
  );
  worker.on('error', (error) => log.warn({ err: error, queue }, 'a worker lost its connection'));
  return worker;
}

/**
 * @throws DoctorError `job-malformed`; retryable when a newer version wrote the payload, since while versions are
 *   exchanged a newer worker may take it up
 */
function payloadOf<Name extends QueueName>(queue: Name, data: unknown): Jobs[Name] {
  const parsed = jobSchemas[queue].safeParse(data);
  if (parsed.success) return parsed.data as Jobs[Name];
  throw new DoctorError({
    code: 'job-malformed',
    message: 'a job payload does not fit its schema',
    retryable: FutureJob.safeParse(data).success,
    cause: parsed.error,
  });
}

function subjectOf(data: unknown): JobSubject {
  const parsed = JobSubject.safeParse(data);
  return parsed.success ? parsed.data : {};
}
