import * as z from 'zod';
import { canonicalJson } from '../../doctor/fixes/plan.js';
import { sealedText } from '../../doctor/incidents/approval-authority.js';
import { type Sight, visibleIn } from '../../doctor/policy/view.js';
import { unseenReasons } from '../../engine/objects/snapshot.js';
import { WorkloadRef } from '../../engine/objects/workload.js';
import type { Located } from '../alerts/alert-ports.js';
import type { ApprovalSigner } from '../approve/approval-ports.js';
import type { Found, Unreadable } from '../diagnose/cluster-reader.js';
import { DoctorError } from '../errors.js';
import { NameQuestion, type QuestionJob } from '../jobs/cluster-questions.js';
import type { SharedClock } from '../records/process-ports.js';
import type { AskCluster, Asked, ClusterAnswer, ClusterAnswers } from './ask-cluster.js';
import { isAwaited } from './ask-cluster.js';
import { type ClusterRoll, isNameShared, isUnreachable } from './cluster-roll.js';
import type { ClusterNames } from './find-in-clusters.js';
import { nothingFound } from './find-in-clusters.js';

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
    what: z.enum(['cluster', 'namespace', 'workload', 'owner', 'below']),
    name: z.string(),
    nearest: z.array(z.string()),
    known: z.array(z.string()).exactOptional(),
    isNamespace: z.boolean().exactOptional(),
    ofOtherKind: z.array(WorkloadRef).exactOptional(),
    ownedBy: z.object({ kind: z.string(), name: z.string() }).exactOptional(),
    childless: z
      .object({
        name: z.string(),
        namespace: z.string(),
        conditions: z.array(z.object({ type: z.string(), reason: z.string(), message: z.string() })).max(3),
      })
      .exactOptional(),
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

interface RemoteNamesDeps {
  readonly ask: AskCluster;
  readonly roll: ClusterRoll;
  /** By keys that the diagnosis workers of a cluster have as well, and that sign no approval. */
  readonly signerOf: (cluster: string) => ApprovalSigner;
  /** How long an answer is waited for, in milliseconds. */
  readonly withinMs: number;
}

/** Names in one answer; no question of a person means more. */
const maxNames = 100;

/**
 * Names of a cluster for which this process has no credentials: its diagnosis worker is asked. Question and
 * answer pass through Redis, which is not trusted, so both are signed. The worker reads one cluster, so only
 * what the question can mean is taken from its answer.
 */
export function createRemoteNames(
  cluster: string,
  { ask, roll, signerOf, withinMs }: RemoteNamesDeps,
): ClusterNames {
  async function answerTo<Schema extends z.ZodType>(
    wanted: NameQuestion,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema> | Unreadable> {
    // A cluster that is away delays nobody.
    if (!roll.isServed(cluster, 'diagnosis')) return unread('no-worker');
    if (isNameShared(roll, cluster)) return unread('name-shared');
    if (isUnreachable(roll, cluster)) return unread('unavailable');
    const signer = signerOf(cluster);
    // As the worker parses it: what the schema drops cannot be covered.
    const question = NameQuestion.parse(wanted);
    const sealed = (asked: Asked): QuestionJob => ({
      ...asked,
      question,
      seal: signer.sign(questionText({ ...asked, question })),
    });
    const { questionId, answer } = await ask('question', sealed, { cluster, withinMs, signal });
    if (answer === undefined) return unread('timeout');
    if (signer.check(answerText(questionId, answer), answer.seal) !== 'valid') return unread('distrusted');
    const parsed = schema.safeParse(jsonOf(answer.text));
    return parsed.success ? parsed.data : unread('malformed');
  }

  async function located(question: NameQuestion, signal: AbortSignal): Promise<Located | Unreadable> {
    const answer = await answerTo(question, LocatedAnswer, signal);
    if (answer.type === 'unreadable') return answer;
    const { workloads, others } = answer;
    return { ...answer, workloads: meantBy(workloads, question, cluster), others: others.slice(0, maxNames) };
  }

  return {
    cluster,
    async find(query, sight, signal): Promise<Found> {
      const question = { kind: 'find', query, sight } as const;
      const answer = await answerTo(question, FoundAnswer, signal);
      if (answer.type === 'unreadable') return answer;
      if (answer.type === 'not-found') {
        const nearest = answer.nearest.filter((name) => mayBeShown(name, sight, cluster));
        const { isNamespace, ofOtherKind = [], ...rest } = answer;
        // Of an untrusted answer only what the question can mean.
        const { kind: _, ...anyKind } = query;
        const others = meantBy(ofOtherKind, { ...question, query: anyKind }, cluster);
        const isShown = isNamespace === true && visibleIn(sight, { cluster, namespace: query.name }).workload;
        return {
          ...rest,
          nearest: nearest.slice(0, maxNames),
          ...(isShown ? { isNamespace } : {}),
          ...(others.length === 0 ? {} : { ofOtherKind: others }),
        };
      }
      const workloads = meantBy(answer.workloads, question, cluster);
      return workloads.length > 0 ? { type: 'found', workloads } : nothingFound(query.name);
    },
    named: (query, sight, signal) => located({ kind: 'named', query, sight }, signal),
    ownerOf: (pod, sight, signal) => located({ kind: 'owner', pod, sight }, signal),
    suffering: (place, sight, signal) => located({ kind: 'suffering', place, sight }, signal),
  };
}

/** The workloads of an answer that are of the cluster, in sight, and what the question asked for. */
function meantBy(
  workloads: readonly WorkloadRef[],
  question: NameQuestion,
  cluster: string,
): readonly WorkloadRef[] {
  return workloads
    .filter((each) => each.cluster === cluster && visibleIn(question.sight, each).workload)
    .filter((each) => isMeant(each, question))
    .slice(0, maxNames);
}

function isMeant({ kind, namespace, name }: WorkloadRef, question: NameQuestion): boolean {
  switch (question.kind) {
    case 'find':
    case 'named': {
      const { query } = question;
      if ((query.namespace ?? namespace) !== namespace) return false;
      // A Pod or ReplicaSet was named: nothing here shows the name of its owner, so cluster, namespace and
      // sight decide.
      if (query.member !== undefined) return true;
      if (query.kind !== undefined && query.kind !== kind) return false;
      // What an InferenceService makes begins with its name.
      return name === query.name || (query.kind === undefined && name.startsWith(`${query.name}-`));
    }
    case 'owner':
      return (question.pod.namespace ?? namespace) === namespace;
    case 'suffering':
      return 'node' in question.place || question.place.namespace === namespace;
  }
}

/** A suggestion is the name of a namespace, or of a workload with its namespace. */
function mayBeShown(name: string, sight: Sight, cluster: string): boolean {
  const [namespace = ''] = name.split('/');
  return visibleIn(sight, { cluster, namespace }).workload;
}

interface AnswerQuestionDeps {
  readonly names: ClusterNames;
  readonly answers: Pick<ClusterAnswers, 'put'>;
  /** The cluster of this worker. */
  readonly cluster: string;
  readonly signer: ApprovalSigner;
  readonly sharedClock: SharedClock;
  /** The deadline of one answer. */
  readonly deadline: () => AbortSignal;
}

/**
 * Answers a signed question about names with the rights of this worker, while somebody waits for it, and
 * signs the answer.
 *
 * @throws DoctorError `job-malformed` when this installation did not sign the question for this cluster
 */
export function createAnswerQuestion(deps: AnswerQuestionDeps) {
  const { names, answers, cluster, signer, sharedClock, deadline } = deps;
  return async ({ seal, ...job }: QuestionJob): Promise<void> => {
    if (job.cluster !== cluster || signer.check(questionText(job), seal) !== 'valid') {
      throw new DoctorError({
        code: 'job-malformed',
        message: 'a question about names is not signed for this cluster',
        retryable: false,
      });
    }
    if (!(await isAwaited(job, sharedClock))) return;
    const text = JSON.stringify(await answerFrom(names, job.question, deadline()));
    await answers.put(job.questionId, { text, seal: signer.sign(answerText(job.questionId, { text })) });
  };
}

function questionText({ questionId, cluster, until, question }: Omit<QuestionJob, 'seal'>): string {
  return sealedText('name-question', canonicalJson([questionId, cluster, until, question]));
}

function answerText(questionId: string, { text }: Pick<ClusterAnswer, 'text'>): string {
  return sealedText('name-answer', JSON.stringify([questionId, text]));
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
