import type { Job, Queue } from 'bullmq';
import type { QueueName } from '../../service/jobs/jobs.js';
import { guarded } from './guard.js';

const states = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const;

/**
 * Jobs of alerts that are looked at for the oldest one. They wait by turns of cluster and namespace, and
 * within a turn by age, so the oldest job is among the first ones unless more namespaces than this wait.
 */
const maxCountedJobs = 200;

export interface QueueDepth {
  readonly queue: QueueName;
  /** Empty where one worker serves all clusters. */
  readonly cluster: string;
  readonly jobs: Readonly<Record<(typeof states)[number], number>>;
  readonly oldestSeconds: { readonly person: number; readonly alert: number };
}

/** Reads how many jobs each queue holds, and how long the oldest job waits that could run now. */
export function createQueueDepths(
  queues: () => readonly { readonly queue: QueueName; readonly cluster: string; readonly bull: Queue }[],
): () => Promise<readonly QueueDepth[]> {
  return () =>
    guarded(() =>
      Promise.all(
        queues().map(async ({ queue, cluster, bull }) => {
          const [counts, people, alerts] = await Promise.all([
            bull.getJobCounts(...states),
            bull.getJobs(['waiting'], 0, 0, true),
            bull.getPrioritized(0, maxCountedJobs - 1),
          ]);
          const now = Date.now();
          const jobs = Object.fromEntries(states.map((state) => [state, counts[state] ?? 0]));
          return {
            queue,
            cluster,
            jobs: jobs as QueueDepth['jobs'],
            oldestSeconds: { person: oldest(people, now), alert: oldest(alerts, now) },
          };
        }),
      ),
    );
}

/** A job that was put off, or tried before, waits since then. */
function oldest(jobs: readonly (Job | undefined)[], now: number): number {
  const ages = jobs.map((job) =>
    job === undefined ? 0 : now - Math.max(job.timestamp + (job.opts.delay ?? 0), job.processedOn ?? 0),
  );
  return Math.max(0, ...ages) / 1_000;
}
