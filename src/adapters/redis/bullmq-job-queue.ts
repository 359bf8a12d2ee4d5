import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { DoctorError } from '../../errors.js';
import { jobIdOf } from '../../jobs/job-ids.js';
import { jobSchemas, type QueueName, queueNames } from '../../jobs/jobs.js';
import type { JobQueue } from '../../usecases/ports.js';
import { guarded } from './guard.js';

/**
 * Attempts a queue. With the capped back-off, delivery outlasts some three hours of a silent Slack, and a change some
 * minutes of a silent cluster.
 */
export const attempts: { readonly [Name in QueueName]: number } = {
  alert: 6,
  diagnosis: 4,
  scan: 20,
  sentinel: 20,
  remediation: 8,
  verification: 20,
  delivery: 200,
};

const backoffFirstMs = 1_000;
const backoffMostMs = 60_000;

/**
 * The wait before the next attempt in milliseconds: doubled each time, capped, and spread over its upper half so that
 * jobs that failed together do not return together.
 *
 * @param random from 0 to 1
 */
export function backoffMs(attemptsMade: number, random: number = Math.random()): number {
  const full = Math.min(backoffMostMs, backoffFirstMs * 2 ** Math.min(20, Math.max(0, attemptsMade - 1)));
  return Math.round(full / 2 + (full / 2) * random);
}

const kept: JobsOptions = {
  removeOnComplete: { age: 3_600, count: 5_000 },
  removeOnFail: { age: 7 * 86_400, count: 5_000 },
};

export interface BullMqJobQueueOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly onError: (error: Error) => void;
}

/** @returns the queue, and `close` to end its connections */
export function createBullMqJobQueue({ redis, prefix, onError }: BullMqJobQueueOptions): JobQueue & {
  readonly queues: ReadonlyMap<QueueName, Queue>;
  close(): Promise<void>;
} {
  const queues = new Map<QueueName, Queue>(
    queueNames.map((name) => {
      const queue = new Queue(name, { connection: redis, prefix, skipMetasUpdate: true });
      queue.on('error', onError);
      return [name, queue];
    }),
  );
  return {
    queues,
    async enqueue(name, job, { delayMs, again = false, urgency } = {}) {
      const parsed = jobSchemas[name].safeParse(job);
      if (!parsed.success) {
        throw new DoctorError({
          code: 'job-malformed',
          message: 'a job does not fit its schema',
          retryable: false,
          cause: parsed.error,
        });
      }
      const queue = queues.get(name);
      const jobId = jobIdOf(name, job);
      await guarded(async () => {
        if (again && queue !== undefined) await removeEnded(queue, jobId);
        await queue?.add(name, parsed.data, {
          attempts: attempts[name],
          backoff: { type: 'capped' },
          ...kept,
          jobId,
          ...(delayMs === undefined ? {} : { delay: delayMs }),
          ...(urgency === 'alert' ? { priority: afterPeople } : {}),
        });
        if (urgency === 'person' && queue !== undefined) await moveAhead(queue, jobId);
      });
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

/** BullMQ takes jobs without a priority first, then by rising number. */
const afterPeople = 10;

/** A person now waits for what an alert has queued. */
async function moveAhead(queue: Queue, jobId: string): Promise<void> {
  const job = await queue.getJob(jobId);
  if (job === undefined || job.priority === 0 || (await job.getState()) !== 'prioritized') return;
  await job.changePriority({ priority: 0 });
}

/** A job that ended is kept for a while and would turn away its successor. One that another process runs again stays. */
async function removeEnded(queue: Queue, jobId: string): Promise<void> {
  const state = await queue.getJobState(jobId);
  if (state === 'failed' || state === 'completed') await queue.remove(jobId);
}
