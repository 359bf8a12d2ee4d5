import { DelayedError, type Job, type Telemetry, UnrecoverableError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { backoffMs, urgencyOf } from '../src/edges/redis/bullmq-job-queue.js';
import { DoctorError } from '../src/service/errors.js';
import type { Jobs, QueueName } from '../src/service/jobs/jobs.js';
import { FutureJob, hasOnlyUnknownWords, JobSubject, jobSchemas } from '../src/service/jobs/jobs.js';
import type { Urgency } from '../src/service/records/process-ports.js';

/** What a handler asks for when it is not done and nothing failed. */
type ComeBack = { readonly afterMs: number };

/** What a handler may want to know of the job beside its payload. */
type Attempt = { readonly lastAttempt: boolean; readonly urgency: Urgency };

/** What one queue does with its jobs. */
export interface QueueHandler<Name extends QueueName> {
  /** Jobs that one process does at the same time. */
  readonly concurrency: number;
  /** Does the job once; gives `ComeBack` to be called again later without using up an attempt. */
  readonly handle: (job: Jobs[Name], attempt: Attempt) => Promise<ComeBack | undefined>;
  /**
   * Makes a job that will not be tried again visible to people, also one whose payload could not be read:
   * then the subject holds what could. `reference` is in the log; `code` is `job-stalled` for a job whose
   * workers ended.
   */
  readonly fail: (subject: JobSubject, reference: string, code: string) => Promise<void>;
}

interface RunWorkerOptions<Name extends QueueName> extends QueueHandler<Name> {
  readonly queue: Name;
  /** What BullMQ calls the queue; its own name when absent. */
  readonly name?: string;
  readonly redis: Redis;
  readonly prefix: string;
  readonly telemetry?: Telemetry | undefined;
  readonly log: Logger;
  /** @param seconds how long the attempt took */
  readonly onFinished?: (outcome: 'done' | 'later' | 'retry' | 'failed', seconds: number) => void;
}

/**
 * A job may stall, that is, its worker may end without finishing it, this often before it fails. What
 * computes or reads much may itself be what ends the worker, so it is not repeated. An approved change and a
 * message are small and must not be lost when workers are replaced: from the second stall on the change is on
 * its last attempt, which looks for the mark of the change on the object before anything is sent.
 */
const maxStalls: { readonly [Name in QueueName]: number } = {
  alert: 1,
  diagnosis: 1,
  scan: 1,
  sentinel: 1,
  verification: 1,
  'dry-run': 1,
  remediation: 5,
  'pull-request': 5,
  delivery: 5,
  question: 0,
  review: 0,
};
/** BullMQ would fail a job without the handler, so that no record says so; the handler counts instead. */
const maxStalledCount = 1_000_000;
/**
 * A worker renews the lock of its job at half of this; when it died, another takes the job after the whole.
 */
const lockDurationMs = 15_000;
const stalledIntervalMs = 5_000;

/**
 * Runs one queue's handler as a BullMQ worker: parses the payload, maps errors to retries, and ends what
 * cannot succeed in the handler's `fail`.
 */
export function runWorker<Name extends QueueName>(options: RunWorkerOptions<Name>): RunningWorker {
  const {
    queue,
    name = queue,
    redis,
    prefix,
    telemetry,
    log,
    concurrency,
    handle,
    fail,
    onFinished,
  } = options;
  const running = new Set<Promise<unknown>>();
  let lastAt = performance.now();
  const work = async (job: Job, token?: string): Promise<void> => {
    const started = performance.now();
    const finish = (outcome: 'done' | 'later' | 'retry' | 'failed'): void =>
      onFinished?.(outcome, (performance.now() - started) / 1_000);
    const stalls = job.stalledCounter;
    const lastAttempt =
      job.attemptsMade + 1 >= (job.opts.attempts ?? 1) || (queue === 'remediation' && stalls > 1);
    try {
      if (stalls > maxStalls[queue]) throw stalledTooOften();
      const payload = payloadOf(queue, job.data);
      const later = await handle(payload, { lastAttempt, urgency: urgencyOf(job.priority) });
      if (later === undefined) {
        finish('done');
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
        finish('retry');
        const wait = error instanceof DoctorError ? error.retryAfterMs : undefined;
        if (wait === undefined) throw error;
        await job.moveToDelayed(Date.now() + wait, token);
        throw new DelayedError();
      }
      const reference = job.id ?? 'unknown';
      log.error({ err: error, jobId: job.id, queue, code }, 'a job failed for good');
      finish('failed');
      await fail(subjectOf(job.data), reference, code);
      throw new UnrecoverableError(code);
    }
    finish('later');
    throw new DelayedError();
  };
  const take = (job: Job, token?: string): Promise<void> => {
    const done = work(job, token);
    const ended = done
      .catch(() => undefined)
      .finally(() => {
        lastAt = performance.now();
        running.delete(ended);
      });
    running.add(ended);
    return done;
  };
  const open = (connection: Redis): Worker => {
    const opened = new Worker(name, take, {
      connection,
      prefix,
      concurrency,
      ...(telemetry === undefined ? {} : { telemetry }),
      maxStalledCount,
      stalledInterval: stalledIntervalMs,
      lockDuration: lockDurationMs,
      settings: { backoffStrategy: (attemptsMade) => backoffMs(attemptsMade) },
    });
    opened.on('error', (err) => {
      // Its connections are copies of `redis`, whose state is logged once for the process.
      const level = isConnectionError(err) || redis.status !== 'ready' ? 'debug' : 'warn';
      log[level]({ err, queue }, 'a worker reports an error');
    });
    return opened;
  };
  let worker = open(redis);
  let ownConnection: Redis | undefined;
  return {
    get worker() {
      return worker;
    },
    queue,
    idleMs: () => (running.size > 0 ? 0 : performance.now() - lastAt),
    replace() {
      const [silent, itsConnection] = [worker, ownConnection];
      lastAt = performance.now();
      ownConnection = redis.duplicate();
      ownConnection.on('error', () => undefined);
      worker = open(ownConnection);
      // It may wait for an answer that never comes.
      void silent
        .close(true)
        .catch(() => undefined)
        .finally(() => itsConnection?.disconnect());
    },
    disconnect: () => ownConnection?.disconnect(),
    untilIdle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

export interface RunningWorker {
  /**
   * Its `close` takes no more jobs and waits for the running ones; while Redis is away it waits for Redis
   * too.
   */
  readonly worker: Worker;
  readonly queue: QueueName;
  /** How long no handler has run, in milliseconds. */
  idleMs(): number;
  /** Puts a new worker with a new connection in the place of this one, which takes no job any more. */
  replace(): void;
  /** Ends the connection of a worker that replaced another. */
  disconnect(): void;
  /** Resolves when no handler runs. */
  untilIdle(): Promise<void>;
}

function stalledTooOften(): DoctorError {
  return new DoctorError({
    code: 'job-stalled',
    message: 'the workers of a job ended before it was done',
    retryable: false,
  });
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

function isConnectionError(error: NodeJS.ErrnoException): boolean {
  return connectionCodes.has(error.code ?? '') || error.message.startsWith('Connection is closed');
}

/**
 * @throws DoctorError `job-malformed`; retryable when a newer version wrote the payload, since while versions
 *   are exchanged a newer worker may take it up
 */
function payloadOf<Name extends QueueName>(queue: Name, data: unknown): Jobs[Name] {
  const parsed = jobSchemas[queue].safeParse(data);
  if (parsed.success) return parsed.data as Jobs[Name];
  throw new DoctorError({
    code: 'job-malformed',
    message: 'a job payload does not fit its schema',
    retryable: FutureJob.safeParse(data).success || hasOnlyUnknownWords(data, parsed.error),
    cause: parsed.error,
  });
}

function subjectOf(data: unknown): JobSubject {
  const parsed = JobSubject.safeParse(data);
  return parsed.success ? parsed.data : {};
}
