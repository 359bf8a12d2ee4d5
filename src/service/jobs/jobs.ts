import * as z from 'zod';
import { CandidateOwner } from '../../doctor/sentinel/candidate.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { WorkloadRef } from '../../engine/objects/workload.js';
import { QuestionJob, ReviewJob } from './cluster-questions.js';

/** Names of the BullMQ queues. */
export const queueNames = [
  'alert',
  'diagnosis',
  'scan',
  'sentinel',
  'dry-run',
  'remediation',
  'pull-request',
  'verification',
  'delivery',
  'question',
  'review',
] as const;
export type QueueName = (typeof queueNames)[number];

/** Act on what is known of an alert, up to its signal number `signal`. */
export const AlertJob = z.object({ v: z.literal(1), alertId: z.string(), signal: z.number() });
export type AlertJob = Immutable<z.output<typeof AlertJob>>;

/**
 * Look at the incident's workload, for its run number `look`. `follow` counts the diagnoses that nobody asked
 * for: nothing was found and the rollout was still under way, or (0) the record of an approval was lost.
 */
export const DiagnosisJob = z.object({
  v: z.literal(1),
  incidentId: z.string(),
  look: z.number(),
  follow: z.number().optional(),
});
export type DiagnosisJob = Immutable<z.output<typeof DiagnosisJob>>;

/** Look at every workload of a namespace, and tell the one who asked. */
export const ScanJob = z.object({ v: z.literal(1), scanId: z.string() });
export type ScanJob = Immutable<z.output<typeof ScanJob>>;

/** Look whether a sign of a stuck rollout is a deadlock; comes back by itself for a while. */
export const SentinelJob = z.object({
  v: z.literal(1),
  /** Equal for all signs of one revision. */
  candidate: z.string(),
  cluster: z.string(),
  owner: CandidateOwner,
  /** A `CandidateReason`. Only shown, so one that a newer version watches for is taken as it is. */
  reason: z.string().min(1).max(100),
  /** RFC3339: when it was refused first, by the cluster's clock. */
  since: z.string().optional(),
  /** RFC3339: when the first diagnosis is due, by ours. */
  dueAt: z.string(),
});
export type SentinelJob = Immutable<z.output<typeof SentinelJob>>;

/** Ask the API server whether it accepts a reviewed plan; `ask` counts the requests for one approval. */
export const DryRunJob = z.object({
  v: z.literal(1),
  incidentId: z.string(),
  approvalId: z.string(),
  ask: z.number().int().min(1),
});
export type DryRunJob = Immutable<z.output<typeof DryRunJob>>;

/**
 * Open an approved pull request and follow it; comes back by itself until it is closed, or merged and in
 * effect.
 */
export const PullRequestJob = z.object({ v: z.literal(1), incidentId: z.string(), approvalId: z.string() });
export type PullRequestJob = Immutable<z.output<typeof PullRequestJob>>;

/** Carry out an approved plan. */
export const RemediationJob = z.object({ v: z.literal(1), incidentId: z.string(), approvalId: z.string() });
export type RemediationJob = Immutable<z.output<typeof RemediationJob>>;

/**
 * Look whether the applied change helped; comes back by itself until the change's deadline. With `remind`,
 * look much later whether it still stands, and say so.
 */
export const VerificationJob = z.object({
  v: z.literal(1),
  incidentId: z.string(),
  approvalId: z.string(),
  remind: z.boolean().optional(),
});
export type VerificationJob = Immutable<z.output<typeof VerificationJob>>;

/** Entries of the thread that are posted once and stay. */
export const postedKinds = [
  'announcement',
  'approved',
  'applied',
  'verdict',
  'rejected',
  'refused',
  'reminder',
  'asked',
] as const;

/** What a thread message is about; one of each kind and number an incident. */
export const ThreadEntry = z.object({
  kind: z.enum(['picture', ...postedKinds]),
  /**
   * Makes the entry unique: the number of the diagnosis run for `picture`, the thread for `announcement`, the
   * place among the requests for `asked`, the approval's id for the rest.
   */
  of: z.string(),
});
export type ThreadEntry = Immutable<z.output<typeof ThreadEntry>>;

export type PostedEntry = { readonly kind: (typeof postedKinds)[number]; readonly of: string };

/** Bring Slack up to the state of the record. */
export const DeliveryJob = z.discriminatedUnion('kind', [
  z.object({ v: z.literal(1), kind: z.literal('card'), incidentId: z.string(), version: z.number() }),
  z.object({ v: z.literal(1), kind: z.literal('thread'), incidentId: z.string(), entry: ThreadEntry }),
  /** Ask people which workload an alert is about. */
  z.object({ v: z.literal(1), kind: z.literal('question'), alertId: z.string(), of: z.number() }),
  /** Tell in the thread of a further alert where its incident is. */
  z.object({
    v: z.literal(1),
    kind: z.literal('pointer'),
    incidentId: z.string(),
    channel: z.string(),
    threadTs: z.string(),
  }),
  /** Put the reaction on the alert's message that says how the incident is. */
  z.object({ v: z.literal(1), kind: z.literal('reaction'), incidentId: z.string(), version: z.number() }),
  /** Answer under a message that says an alert is resolved whether the cause is gone. */
  z.object({
    v: z.literal(1),
    kind: z.literal('resolution'),
    incidentId: z.string(),
    channel: z.string(),
    threadTs: z.string(),
    /** The signal of the alert: one message may say so again. */
    of: z.number(),
  }),
  /** Write the post-mortem into the incident of the alert's sender, once for each fix. */
  z.object({
    v: z.literal(1),
    kind: z.literal('note'),
    incidentId: z.string(),
    alertId: z.string(),
    approvalId: z.string(),
  }),
  /** Show a result to the person who asked, and to nobody else. */
  z.object({
    v: z.literal(1),
    kind: z.literal('result'),
    incidentId: z.string(),
    look: z.number(),
    user: z.string(),
  }),
  z.object({
    v: z.literal(1),
    kind: z.literal('notice'),
    /** Unique; makes a repeated notice one. */
    id: z.string(),
    channel: z.string(),
    threadTs: z.string().optional(),
    user: z.string(),
    /** A statement of the notices catalogue, told in the reader's language. */
    statement: z.object({
      catalogue: z.string(),
      key: z.string(),
      values: z.record(z.string(), z.unknown()),
    }),
    /** The workload that the statement names. */
    workload: WorkloadRef.optional(),
    /**
     * It is queued before this person is on the incident (RFC3339), and sent once the record states it: a
     * process that ends in between loses no notice.
     */
    onceAssigned: z.object({ incidentId: z.string(), by: z.string(), at: z.string() }).optional(),
  }),
]);
export type DeliveryJob = Immutable<z.output<typeof DeliveryJob>>;

export interface Jobs {
  readonly alert: AlertJob;
  readonly diagnosis: DiagnosisJob;
  readonly scan: ScanJob;
  readonly sentinel: SentinelJob;
  readonly 'dry-run': DryRunJob;
  readonly remediation: RemediationJob;
  readonly 'pull-request': PullRequestJob;
  readonly verification: VerificationJob;
  readonly delivery: DeliveryJob;
  readonly question: QuestionJob;
  readonly review: ReviewJob;
}

/** The schema a queue's payloads are parsed with, on enqueue and in the worker. */
export const jobSchemas = {
  alert: AlertJob,
  diagnosis: DiagnosisJob,
  scan: ScanJob,
  sentinel: SentinelJob,
  'dry-run': DryRunJob,
  remediation: RemediationJob,
  'pull-request': PullRequestJob,
  verification: VerificationJob,
  delivery: DeliveryJob,
  question: QuestionJob,
  review: ReviewJob,
} as const satisfies { readonly [Name in QueueName]: z.ZodType };

/**
 * The same request always gives the same id, so that a repeated enqueue adds nothing. BullMQ refuses `:` in
 * ids; incident ids, approval ids and versions hold none.
 */
export function jobIdOf<Name extends QueueName>(queue: Name, job: Jobs[Name]): string {
  const make: { readonly [Each in QueueName]: (payload: Jobs[Each]) => string } = {
    alert: ({ alertId, signal }) => `alert-${alertId}-${signal}`,
    diagnosis: ({ incidentId, look, follow }) =>
      `diagnosis-${incidentId}-${look}${follow === undefined ? '' : `-follow-${follow}`}`,
    scan: ({ scanId }) => `scan-${scanId}`,
    sentinel: ({ candidate }) => `sentinel-${candidate}`,
    'dry-run': ({ approvalId, ask }) => `dry-run-${approvalId}-${ask}`,
    'pull-request': ({ approvalId }) => `pull-request-${approvalId}`,
    remediation: ({ approvalId }) => `remediation-${approvalId}`,
    verification: ({ approvalId, remind }) => `${remind ? 'reminder' : 'verification'}-${approvalId}`,
    question: ({ questionId }) => `question-${questionId}`,
    review: ({ questionId }) => `review-${questionId}`,
    delivery: (payload) => {
      switch (payload.kind) {
        case 'card':
          return `card-${payload.incidentId}-${payload.version}`;
        case 'thread':
          return `thread-${payload.incidentId}-${payload.entry.kind}-${payload.entry.of}`;
        case 'question':
          return `question-${payload.alertId}-${payload.of}`;
        case 'pointer':
          return `pointer-${payload.incidentId}-${payload.channel}-${payload.threadTs}`;
        case 'reaction':
          return `reaction-${payload.incidentId}-${payload.version}`;
        case 'resolution':
          return `resolution-${payload.incidentId}-${payload.channel}-${payload.threadTs}-${payload.of}`;
        case 'note':
          return `note-${payload.incidentId}-${payload.alertId}-${payload.approvalId}`;
        case 'result':
          return `result-${payload.incidentId}-${payload.look}-${payload.user}`;
        case 'notice':
          return `notice-${payload.id}`;
      }
    },
  };
  return make[queue](job);
}

/**
 * What a job is about, as far as its payload can be read: enough to tell people that its work was not done,
 * also when the payload fits no schema or is of another version of this program.
 */
export const JobSubject = z.object({
  alertId: z.string().optional().catch(undefined),
  incidentId: z.string().optional().catch(undefined),
  approvalId: z.string().optional().catch(undefined),
  scanId: z.string().optional().catch(undefined),
  look: z.number().optional().catch(undefined),
  ask: z.number().optional().catch(undefined),
  questionId: z.string().optional().catch(undefined),
});
export type JobSubject = Immutable<z.output<typeof JobSubject>>;

/** A payload that a newer version of this program wrote. */
export const FutureJob = z.object({ v: z.number().int().min(2) });

/**
 * Whether a payload differs from its schema only in words that this version does not know: a kind that a
 * newer version added. It may be right, and a newer worker can do it.
 */
export function hasOnlyUnknownWords(data: unknown, { issues }: z.ZodError): boolean {
  return (
    issues.length > 0 &&
    issues.every(({ code, path }) => {
      const isListed = code === 'invalid_value' || code === 'invalid_union';
      return isListed && path[0] !== 'v' && typeof valueAt(data, path) === 'string';
    })
  );
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    data,
  );
}
