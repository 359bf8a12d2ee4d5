import { setTimeout } from 'node:timers/promises';
import type { Seal } from '../../doctor/incidents/approval.js';
import type { Jobs } from '../jobs/jobs.js';
import type { JobQueue, NewId, SharedClock } from '../records/process-ports.js';

/** What a worker answered: JSON, and a seal where the question was signed. */
export type ClusterAnswer = { readonly text: string; readonly seal?: Seal | undefined };

/** Answers wait for the process that asked, for a minute. */
export interface ClusterAnswers {
  put(questionId: string, answer: ClusterAnswer): Promise<void>;
  /** Takes the answer out; undefined while there is none. */
  take(questionId: string): Promise<ClusterAnswer | undefined>;
}

interface AskClusterDeps {
  readonly answers: Pick<ClusterAnswers, 'take'>;
  readonly jobs: JobQueue;
  readonly newId: NewId;
  readonly sharedClock: SharedClock;
}

/** The fields that every question has. */
export type Asked = Pick<Jobs['question'], 'v' | 'questionId' | 'cluster' | 'until'>;

interface AskOptions {
  readonly cluster: string;
  /** How long the answer is waited for, in milliseconds. */
  readonly withinMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Puts a question to the workers of a cluster, of which one answers.
 *
 * @param make the job, with the fields that every question has
 * @returns undefined when no answer came in time; a worker that takes up the question later does nothing
 * @throws DoctorError `redis-unavailable`
 */
export type AskCluster = <Queue extends 'question' | 'review'>(
  queue: Queue,
  make: (asked: Asked) => Jobs[Queue],
  options: AskOptions,
) => Promise<{ readonly questionId: string; readonly answer: ClusterAnswer | undefined }>;

const firstPauseMs = 15;
const maxPauseMs = 200;

export function createAskCluster({ answers, jobs, newId, sharedClock }: AskClusterDeps): AskCluster {
  return async (queue, make, { cluster, withinMs, signal }) => {
    const questionId = newId();
    const ends = performance.now() + withinMs;
    const until = new Date((await sharedClock.now()).getTime() + withinMs).toISOString();
    await jobs.enqueue(queue, make({ v: 1, questionId, cluster, until }));
    let pauseMs = firstPauseMs;
    while (performance.now() < ends && signal?.aborted !== true) {
      const answer = await answers.take(questionId);
      if (answer !== undefined) return { questionId, answer };
      await setTimeout(pauseMs);
      pauseMs = Math.min(maxPauseMs, pauseMs * 1.5);
    }
    return { questionId, answer: undefined };
  };
}

/** Whether somebody still waits for the answer. */
export async function isAwaited({ until }: Pick<Asked, 'until'>, sharedClock: SharedClock): Promise<boolean> {
  return (await sharedClock.now()).getTime() < Date.parse(until);
}
