import { type Job, type JobsOptions, Queue, type Telemetry } from 'bullmq';
import type { Redis } from 'ioredis';
import { cronOf, type DigestSettings } from '../../doctor/scans/weekly-digest.js';
import { DoctorError } from '../../service/errors.js';
import type { AlertJob, DeliveryJob, Jobs, QueueName, ScanJob } from '../../service/jobs/jobs.js';
import { jobIdOf, jobSchemas } from '../../service/jobs/jobs.js';
import type { JobQueue, Turn, Urgency } from '../../service/records/process-ports.js';
import { guarded } from './guard.js';

/**
 * Attempts a queue. With the capped back-off, delivery outlasts some three hours of a silent Slack, and a
 * change some minutes of a silent cluster.
 */
const attempts: { readonly [Name in QueueName]: number } = {
  alert: 6,
  diagnosis: 4,
  scan: 20,
  sentinel: 20,
  'dry-run': 4,
  remediation: 8,
  'pull-request': 20,
  verification: 20,
  delivery: 200,
  question: 1,
  review: 1,
};

const backoffFirstMs = 1_000;
const backoffMostMs = 60_000;

/**
 * The wait before the next attempt in milliseconds: doubled each time, capped, and spread over its upper half
 * so that jobs that failed together do not return together.
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

/** The workers that a job is for: those of one cluster, or those that serve all jobs of the queue. */
export type JobPlace = { readonly cluster: string } | 'anywhere';

interface BullMqJobQueueOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly onError: (error: Error) => void;
  /** Carries traces from a job to those that it causes. */
  readonly telemetry?: Telemetry | undefined;
  /**
   * Absent: one worker serves all clusters. A job without a place has nothing left to do and is not queued.
   */
  readonly placeOf?: <Name extends QueueName>(queue: Name, job: Jobs[Name]) => Promise<JobPlace | undefined>;
}

/** The name under which BullMQ keeps a queue: each cluster with workers of its own has its own. */
export function bullNameOf(queue: QueueName, place: JobPlace): string {
  return place === 'anywhere' ? queue : `${queue}@${place.cluster}`;
}

/** @returns the queue, and `close` to end its connections */
export function createBullMqJobQueue(options: BullMqJobQueueOptions): JobQueue & {
  queueAt(name: QueueName, place: JobPlace): Queue;
  close(): Promise<void>;
} {
  const { redis, prefix, onError, telemetry, placeOf = async () => 'anywhere' as const } = options;
  const queues = new Map<string, Queue>();
  const queueAt = (name: QueueName, place: JobPlace): Queue => {
    const bullName = bullNameOf(name, place);
    const known = queues.get(bullName);
    if (known !== undefined) return known;
    const queue = new Queue(bullName, {
      connection: redis,
      prefix,
      skipMetasUpdate: true,
      ...(telemetry === undefined ? {} : { telemetry }),
    });
    queue.on('error', onError);
    queues.set(bullName, queue);
    // A queue whose first commands failed keeps their error for good (bullmq 6.7.0); the next use opens
    // another.
    queue.waitUntilReady().catch(() => {
      queues.delete(bullName);
      queue.close().catch(() => undefined);
    });
    return queue;
  };
  return {
    queueAt,
    async enqueue(name, job, { delayMs, again = false, urgency, fairnessKey = '' } = {}) {
      const parsed = jobSchemas[name].safeParse(job);
      if (!parsed.success) {
        throw new DoctorError({
          code: 'job-malformed',
          message: 'a job does not fit its schema',
          retryable: false,
          cause: parsed.error,
        });
      }
      const place = await placeOf(name, job);
      if (place === undefined) return;
      const queue = queueAt(name, place);
      const jobId = jobIdOf(name, job);
      await guarded(async () => {
        if (again) await removeEnded(queue, jobId);
        const late = urgency === 'alert' || urgency === 'alert-detail' ? { urgency, fairnessKey } : undefined;
        const newest = late === undefined ? undefined : newestOf(name, job);
        await queue.add(name, parsed.data, {
          attempts: attempts[name],
          backoff: { type: 'capped' },
          ...kept,
          jobId,
          ...(delayMs === undefined ? {} : { delay: delayMs }),
          ...(late === undefined ? {} : { priority: await priorityOf(options, queue, late) }),
          ...(newest === undefined ? {} : { deduplication: { id: newest, keepLastIfActive: true } }),
        });
        if (urgency === 'person') await moveAhead(queue, jobId);
      });
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}

/**
 * BullMQ takes jobs without a priority first, which are people's, then by rising number: what alerts cause by
 * fairness key in turn, and details of that after all of it. BullMQ's numbers end at 2^21.
 */
const detailsFrom = 1_000_000;
const lastPriority = 2_097_151;

type Late = Exclude<Urgency, 'person'>;

/** What a worker is told of a job's urgency. */
export function urgencyOf(priority: number): Urgency {
  if (priority === 0) return 'person';
  return priority < detailsFrom ? 'alert' : 'alert-detail';
}

async function priorityOf(
  { redis, prefix }: BullMqJobQueueOptions,
  queue: Queue,
  { urgency, fairnessKey }: Turn & { readonly urgency: Late },
): Promise<number> {
  const [from, end] = urgency === 'alert' ? [0, detailsFrom] : [detailsFrom, lastPriority + 1];
  const [head] = await queue.getPrioritized(0, 0);
  const lowest = head === undefined || head.priority >= end ? undefined : Math.max(0, head.priority - from);
  const key = `${prefix}:turns:${queue.name}:${urgency}`;
  return from + (await nextTurn(redis, { key, fairnessKey, lowest, most: end - from - 1 }));
}

/**
 * Of the cards of one incident that wait, and of the signals of one alert, one is enough: whichever runs
 * reads the newest record. So no more jobs of alerts wait than alerts that are recorded, which the webhooks
 * bound.
 */
function newestOf<Name extends QueueName>(name: Name, job: Jobs[Name]): string | undefined {
  if (name === 'alert') return `alert-${(job as AlertJob).alertId}`;
  if (name !== 'delivery') return undefined;
  const delivery = job as DeliveryJob;
  const { kind } = delivery;
  return kind === 'card' || kind === 'reaction' ? `${kind}-${delivery.incidentId}` : undefined;
}

/** A person now waits for what an alert has queued, or has put off. */
async function moveAhead(queue: Queue, jobId: string): Promise<void> {
  const job = await queue.getJob(jobId);
  if (job === undefined || job.priority === 0) return;
  const state = await job.getState();
  if (state !== 'prioritized' && state !== 'delayed') return;
  await job.changePriority({ priority: 0 });
  if (state === 'delayed') await job.promote();
}

/**
 * A job that ended is kept for a while and would turn away its successor. One that another process runs again
 * stays.
 */
async function removeEnded(queue: Queue, jobId: string): Promise<void> {
  const state = await queue.getJobState(jobId);
  if (state === 'failed' || state === 'completed') await queue.remove(jobId);
}

/**
 * Returns the turn of one more job. KEYS: hash of the last turn of each fairness key; hash of the turn that
 * was served last and of the time when a turn was returned last. ARGV: fairness key, lowest waiting turn or
 * '', highest possible turn, how long turns are kept, and after which pause counting restarts, both in ms. An
 * empty queue alone does not restart the counting: jobs that arrive together ask for their turns before any
 * of them waits.
 */
const nextTurnScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lowest = tonumber(ARGV[2])
if lowest == nil then
  local given = tonumber(redis.call('HGET', KEYS[2], 'given') or '0')
  if now - given > tonumber(ARGV[5]) then redis.call('DEL', KEYS[1], KEYS[2]) end
  lowest = tonumber(redis.call('HGET', KEYS[2], 'served') or '0')
else
  redis.call('HSET', KEYS[2], 'served', lowest)
end
local last = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local turn = math.min(tonumber(ARGV[3]), math.max(lowest, last) + 1)
redis.call('HSET', KEYS[1], ARGV[1], turn)
redis.call('HSET', KEYS[2], 'given', now)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return turn
`;

const keepMs = 3_600_000;
/** Longer than a job takes from its turn to the queue. */
const restartAfterMs = 10_000;

/**
 * Start-time fair queueing: the next job of a fairness key comes one turn after its last one, and never in
 * the turn that is being served. Five hundred jobs of one key therefore delay the first job of another key by
 * two of them. No job joins the turn that is being served, so every turn ends and no job waits forever. Costs
 * one command a job.
 *
 * @param at `lowest`: the turn of the job that is served next; `undefined` if no job waits. `most`: the last
 *   turn; jobs beyond it are served in order of arrival
 */
async function nextTurn(
  redis: Redis,
  at: {
    readonly key: string;
    readonly fairnessKey: string;
    readonly lowest: number | undefined;
    readonly most: number;
  },
): Promise<number> {
  const { key, fairnessKey, lowest, most } = at;
  const keys = [key, `${key}:at`];
  const values = [fairnessKey, lowest ?? '', most, keepMs, restartAfterMs];
  return Number(await guarded(() => redis.eval(nextTurnScript, keys.length, ...keys, ...values)));
}

/** The place of a scan's id in the job of the digest: no person asked for it, and it has no record. */
export const digestScanId = 'weekly-digest';

const digestAttempts = 20;
const digestBackoffMs = 5_000;
const digestKept = { removeOnComplete: { count: 10 }, removeOnFail: { count: 10 } } as const;

/**
 * Keeps the weekly job in Redis, or takes it out where none is configured. The schedule has one id, so that
 * any number of workers has one job a week, also after all of them were away.
 */
export async function keepDigestSchedule(
  queue: Pick<Queue, 'upsertJobScheduler' | 'removeJobScheduler'>,
  settings: DigestSettings | undefined,
): Promise<void> {
  if (settings === undefined) {
    await queue.removeJobScheduler(digestScanId);
    return;
  }
  const data: ScanJob = { v: 1, scanId: digestScanId };
  const opts: JobsOptions = {
    attempts: digestAttempts,
    backoff: { type: 'exponential', delay: digestBackoffMs },
    ...digestKept,
  };
  await queue.upsertJobScheduler(
    digestScanId,
    { pattern: cronOf(settings), tz: settings.timeZone },
    { name: 'scan', data, opts: { ...opts } },
  );
}

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
