import * as z from 'zod';
import { unseenReasons } from '../../core/cluster/snapshot.js';
import { WorkloadRef } from '../../core/cluster/workload.js';
import type { NameQuestion, QuestionJob } from '../../jobs/cluster-questions.js';
import type { Located } from '../alerts/alert-ports.js';
import type { Found, Unreadable } from '../diagnose/cluster-reader.js';
import type { SharedClock } from '../records/process-ports.js';
import { type AskCluster, type ClusterAnswers, isAwaited } from './ask-cluster.js';
import type { ClusterNames } from './cluster-names.js';
import { type ClusterRoll, isNameShared, isUnreachable } from './cluster-roll.js';

const Unread = z.object({
  type: z.literal('unreadable'),
  because: z.enum(unseenReasons),
  message: z.string(),
  retryAfterMs: z.number().exactOptional(),
});

const FoundAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('found'), workloads: z.array(WorkloadRef) }),
  z.object({
    type: z.literal('not-found'),
    what: z.enum(['cluster', 'namespace', 'workload', 'owner']),
    name: z.string(),
    nearest: z.array(z.string()),
    known: z.array(z.string()).exactOptional(),
  }),
  Unread,
]);

const LocatedAnswer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('located'),
    workloads: z.array(WorkloadRef),
    others: z.array(z.object({ kind: z.string(), name: z.string() })),
  }),
  Unread,
]);

export interface RemoteNamesDeps {
  readonly ask: AskCluster;
  readonly roll: ClusterRoll;
  /** How long an answer is waited for, in milliseconds. */
  readonly withinMs: number;
}

/** Names of a cluster for which this process has no credentials: its diagnosis worker is asked. */
export function createRemoteNames(cluster: string, { ask, roll, withinMs }: RemoteNamesDeps): ClusterNames {
  async function answerTo<Schema extends z.ZodType>(
    question: NameQuestion,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | Unreadable> {
    // A cluster that is away delays nobody.
    if (!roll.isServed(cluster, 'diagnosis')) return unread('no-worker');
    if (isNameShared(roll, cluster)) return unread('name-shared');
    if (isUnreachable(roll, cluster)) return unread('unavailable');
    const { answer } = await ask('question', (asked) => ({ ...asked, question }), {
      ...{ cluster, withinMs, signal },
    });
    if (answer === undefined) return unread('timeout');
    const parsed = schema.safeParse(jsonOf(answer.text));
    return parsed.success ? parsed.data : unread('malformed');
  }
  return {
    cluster,
    find: (query, sight, signal): Promise<Found> =>
      answerTo({ kind: 'find', query, sight }, FoundAnswer, signal),
    named: (query, sight, signal): Promise<Located | Unreadable> =>
      answerTo({ kind: 'named', query, sight }, LocatedAnswer, signal),
    ownerOf: (pod, sight, signal): Promise<Located | Unreadable> =>
      answerTo({ kind: 'owner', pod, sight }, LocatedAnswer, signal),
    suffering: (place, sight, signal): Promise<Located | Unreadable> =>
      answerTo({ kind: 'suffering', place, sight }, LocatedAnswer, signal),
  };
}

export interface AnswerQuestionDeps {
  readonly names: ClusterNames;
  readonly answers: Pick<ClusterAnswers, 'put'>;
  readonly sharedClock: SharedClock;
  /** The deadline of one answer. */
  readonly deadline: () => AbortSignal;
}

/** Answers a question about names with the rights of this worker, while somebody waits for it. */
export function createAnswerQuestion({ names, answers, sharedClock, deadline }: AnswerQuestionDeps) {
  return async ({ questionId, question, ...asked }: QuestionJob): Promise<void> => {
    if (!(await isAwaited(asked, sharedClock))) return;
    const answer = await answerFrom(names, question, deadline());
    await answers.put(questionId, { text: JSON.stringify(answer) });
  };
}

function answerFrom(names: ClusterNames, question: NameQuestion, signal: AbortSignal) {
  const { sight } = question;
  switch (question.kind) {
    case 'find':
      return names.find(question.query, sight, signal);
    case 'named':
      return names.named(question.query, sight, signal);
    case 'owner':
      return names.ownerOf(question.pod, sight, signal);
    case 'suffering':
      return names.suffering(question.place, sight, signal);
  }
}

function unread(because: Unreadable['because']): Unreadable {
  return { type: 'unreadable', because, message: '' };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
