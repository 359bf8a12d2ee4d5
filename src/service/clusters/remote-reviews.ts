import * as z from 'zod';
import { canonicalJson, Plan } from '../../doctor/fixes/plan.js';
import { Remediation } from '../../doctor/fixes/remediation.js';
import { GitTarget } from '../../doctor/git-edits/git-target.js';
import { Approval, DryRun } from '../../doctor/incidents/approval.js';
import { sealedText } from '../../doctor/incidents/approval-authority.js';
import { originShape } from '../../doctor/incidents/change-origin.js';
import { Incident } from '../../doctor/incidents/incident.js';
import { Statement } from '../../engine/language/statement.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { ApprovalSigner, ApprovalStore } from '../approve/approval-ports.js';
import { incidentFor, nameOf, type ViewDeps } from '../diagnose/diagnose-again.js';
import { DoctorError } from '../errors.js';
import type { ReviewJob, ReviewRequest } from '../jobs/cluster-questions.js';
import { notice, refuse } from '../notices/notices.js';
import type { DecideApproval, Refused, ReviewRemediation } from '../people/conversation.js';
import type { SharedClock } from '../records/process-ports.js';
import type { AskCluster, Asked, ClusterAnswer, ClusterAnswers } from './ask-cluster.js';
import { isAwaited } from './ask-cluster.js';
import { type ClusterRoll, isNameShared } from './cluster-roll.js';

interface RemoteReviewsDeps extends ViewDeps {
  readonly approvals: Pick<ApprovalStore, 'get'>;
  readonly ask: AskCluster;
  readonly roll: ClusterRoll;
  readonly signerOf: (cluster: string) => ApprovalSigner;
  /** How long a worker's answer is waited for, in milliseconds. */
  readonly withinMs: number;
}

/**
 * Reviews and decisions in clusters for which this process has no credentials: the remediation worker of the
 * cluster reads the cluster, plans, and counts the decision. Question and answer pass through Redis, which is
 * not trusted, so both are signed, with a key of that cluster.
 */
export function createRemoteReviews(deps: RemoteReviewsDeps): {
  readonly reviewRemediation: ReviewRemediation;
  readonly decideApproval: DecideApproval;
} {
  return {
    async reviewRemediation(request) {
      const { incidentId, by } = request;
      const incident = await incidentFor(deps, incidentId, by);
      if (incident === undefined) return refuse('incident-unknown', { id: incidentId });
      return carriedOut(deps, incident, { kind: 'review', ...request }, ReviewAnswer);
    },
    async decideApproval(request) {
      const { approvalId, by } = request;
      const approval = await deps.approvals.get(approvalId);
      const incident = approval && (await incidentFor(deps, approval.incidentId, by));
      if (incident === undefined) return refuse('approval-unknown', { id: approvalId });
      return carriedOut(deps, incident, { kind: 'decide', ...request }, DecisionAnswer);
    },
  };
}

async function carriedOut<Schema extends z.ZodType>(
  { ask, roll, signerOf, withinMs }: RemoteReviewsDeps,
  incident: { readonly workload: WorkloadRef },
  request: ReviewRequest,
  schema: Schema,
): Promise<z.output<Schema> | Refused> {
  const { cluster } = incident.workload;
  const about = { workload: nameOf(incident), cluster };
  if (!roll.isServed(cluster, 'remediation')) return refuse('no-remediation-worker', about);
  // Either of two clusters would take the request.
  if (isNameShared(roll, cluster)) return refuse('cluster-name-shared', about);
  const signer = signerOf(cluster);
  const sealed = (asked: Asked): ReviewJob => ({
    ...asked,
    request,
    seal: signer.sign(requestText({ ...asked, request })),
  });
  const { questionId, answer } = await ask('review', sealed, { cluster, withinMs });
  if (answer === undefined) return refuse('worker-did-not-answer', { ...about, seconds: withinMs / 1_000 });
  if (signer.check(answerText(questionId, answer), answer.seal) !== 'valid') {
    return refuse('worker-answer-distrusted', about);
  }
  const parsed = schema.safeParse(JSON.parse(answer.text));
  // Of a worker of another version: the card shows what it did.
  return parsed.success
    ? parsed.data
    : refuse('worker-did-not-answer', { ...about, seconds: withinMs / 1_000 });
}

interface CarryOutReviewDeps {
  readonly answers: Pick<ClusterAnswers, 'put'>;
  /** The cluster of this worker. */
  readonly cluster: string;
  readonly decideApproval: DecideApproval;
  readonly reviewRemediation: ReviewRemediation;
  readonly sharedClock: SharedClock;
  readonly signer: ApprovalSigner;
}

/**
 * Carries out a review or a decision that the app signed, while the person waits for it, and signs the
 * answer.
 *
 * @throws DoctorError `job-malformed` when this installation did not sign the request for this cluster
 */
export function createCarryOutReview(deps: CarryOutReviewDeps) {
  const { answers, cluster, decideApproval, reviewRemediation, sharedClock, signer } = deps;
  /** What a person can be told of a failure is the answer. */
  const outcomeOf = (request: ReviewRequest): Promise<object> =>
    (request.kind === 'review' ? reviewRemediation(request) : decideApproval(request)).catch(
      (error: unknown) => {
        const because = error instanceof DoctorError ? error.tells : undefined;
        if (because === undefined) throw error;
        return { type: 'refused', because };
      },
    );
  const answer = (questionId: string, value: object): Promise<void> => {
    const text = JSON.stringify(value);
    return answers.put(questionId, { text, seal: signer.sign(answerText(questionId, { text })) });
  };
  return {
    async carryOut({ seal, ...job }: ReviewJob): Promise<void> {
      if (job.cluster !== cluster || signer.check(requestText(job), seal) !== 'valid') {
        throw new DoctorError({
          code: 'job-malformed',
          message: 'a request for a review is not signed for this cluster',
          retryable: false,
        });
      }
      if (!(await isAwaited(job, sharedClock))) return;
      await answer(job.questionId, await outcomeOf(job.request));
    },
    /** Tells who waits that it failed, with the reference of the log. */
    async fail(questionId: string, reference: string): Promise<void> {
      await answer(questionId, { type: 'refused', because: notice('failed-inside', { reference }) });
    },
  };
}

function requestText({ questionId, cluster, until, request }: Omit<ReviewJob, 'seal'>): string {
  return sealedText('review-request', JSON.stringify([questionId, cluster, until, sortedFields(request)]));
}

function answerText(questionId: string, { text }: Pick<ClusterAnswer, 'text'>): string {
  return sealedText('review-answer', JSON.stringify([questionId, text]));
}

/** The order of fields does not survive a schema. */
function sortedFields(request: ReviewRequest): readonly unknown[] {
  return Object.entries(request)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => [name, typeof value === 'object' ? canonicalJson(value) : value]);
}

const people = z.array(z.string());

const ReadablePlan = z.object({
  incident: Incident,
  remediationId: z.string(),
  approvers: z.object({ users: people, groups: people }),
  proposal: z.object({
    remediation: Remediation,
    plan: Plan,
    undoes: z.boolean(),
    ...originShape,
    gitTarget: GitTarget.optional(),
  }),
  warnings: z.array(Statement),
});

const RefusedAnswer = z.object({
  type: z.literal('refused'),
  because: Statement,
  byHand: z.string().exactOptional(),
  readable: ReadablePlan.exactOptional(),
});

/** What a remediation worker answers to a person's wish to review a fix. */
export const ReviewAnswer = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('review'),
    incident: Incident,
    approval: Approval,
    dryRun: z.union([
      DryRun,
      z.object({ type: z.literal('asked'), ask: z.number() }),
      z.object({ type: z.literal('unanswered'), seconds: z.number() }),
    ]),
    demands: z.object({
      approvers: z.number(),
      notRequester: z.boolean(),
      typeName: z.boolean(),
      login: z.boolean(),
    }),
    warnings: z.array(Statement).exactOptional(),
    mayDecide: z.boolean(),
  }),
  RefusedAnswer,
]);

/** What a remediation worker answers to a person's decision. */
export const DecisionAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('approved'), incident: Incident, approval: Approval }),
  z.object({ type: z.literal('login'), approval: Approval }),
  z.object({ type: z.literal('awaiting'), approval: Approval, missing: z.number() }),
  z.object({ type: z.literal('rejected'), approval: Approval }),
  RefusedAnswer,
]);
