import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { DoctorError } from '../../errors.js';
import { jobIdOf } from '../../jobs/job-ids.js';
import { jobSchemas, type QueueName, queueNames } from '../../jobs/jobs.js';
import type { JobQueue } from '../../usecases/ports.js';
import { guarded } from './guard.js';

/** Attempts and back-off a queue; jitter keeps many jobs that failed together from returning together. */
export const jobOptions: { readonly [Name in QueueName]: JobsOptions } = {
  diagnosis: { attempts: 4, backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 } },
  remediation: { attempts: 6, backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 } },
  verification: { attempts: 20, backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 } },
  delivery: { attempts: 30, backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 } },
};

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
    async enqueue(name, job, { delayMs } = {}) {
      const parsed = jobSchemas[name].safeParse(job);
      if (!parsed.success) {
        throw new DoctorError({
          code: 'job-malformed',
          message: 'a job does not fit its schema',
          retryable: false,
          cause: parsed.error,
        });
      }
      await guarded(async () =>
        queues.get(name)?.add(name, parsed.data, {
          ...jobOptions[name],
          ...kept,
          jobId: jobIdOf(name, job),
          ...(delayMs === undefined ? {} : { delay: delayMs }),
        }),
      );
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
