import * as z from 'zod';
import { memberKinds } from '../../doctor/commands/workload-kind.js';
import { ConfirmedLogin, Seal } from '../../doctor/incidents/approval.js';
import { kserveKinds } from '../../engine/objects/inference-service.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { WorkloadKind } from '../../engine/objects/workload.js';
import { belowParts } from '../../engine/parents/parent-resource.js';

const Sight = z.object({
  allOf: z.array(
    z.array(z.object({ clusters: z.array(z.string()), namespaces: z.array(z.string()), logs: z.boolean() })),
  ),
});

const NamedWorkload = z.object({
  cluster: z.string().exactOptional(),
  kind: WorkloadKind.exactOptional(),
  namespace: z.string().exactOptional(),
  member: z.enum(memberKinds).exactOptional(),
  owner: z.enum(kserveKinds).exactOptional(),
  parts: z.enum(belowParts).exactOptional(),
  name: z.string(),
});

const NamedPod = z.object({
  cluster: z.string().exactOptional(),
  namespace: z.string().exactOptional(),
  name: z.string(),
});

/** What a process without credentials for a cluster asks the cluster's worker about names. */
export const NameQuestion = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('find'), query: NamedWorkload, sight: Sight }),
  z.object({ kind: z.literal('named'), query: NamedWorkload, sight: Sight }),
  z.object({ kind: z.literal('owner'), pod: NamedPod, sight: Sight }),
  z.object({
    kind: z.literal('suffering'),
    place: z.union([z.object({ node: z.string() }), z.object({ namespace: z.string() })]),
    sight: Sight,
  }),
]);
export type NameQuestion = Immutable<z.output<typeof NameQuestion>>;

/** A person's review or decision, which the remediation worker of the cluster carries out. */
export const ReviewRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('review'),
    incidentId: z.string(),
    remediationId: z.string(),
    by: z.string(),
    change: z.string().exactOptional(),
    inGit: z.boolean().exactOptional(),
  }),
  z.object({
    kind: z.literal('decide'),
    approvalId: z.string(),
    by: z.string(),
    decision: z.enum(['approve', 'reject']),
    reason: z.string(),
    typedName: z.string().exactOptional(),
    login: ConfirmedLogin.exactOptional(),
  }),
]);
export type ReviewRequest = Immutable<z.output<typeof ReviewRequest>>;

const asked = {
  v: z.literal(1),
  /** Names the place of the answer. */
  questionId: z.string(),
  cluster: z.string(),
  /** RFC3339, by the clock of Redis: nobody waits for the answer after this, so nothing is done then. */
  until: z.string(),
} as const;

/** Signed by who asks: who can write to Redis can thereby not ask with a wider sight. */
export const QuestionJob = z.object({ ...asked, question: NameQuestion, seal: Seal });
export type QuestionJob = Immutable<z.output<typeof QuestionJob>>;

/** Signed by the app: who can write to Redis can thereby not decide in the name of a person. */
export const ReviewJob = z.object({ ...asked, request: ReviewRequest, seal: Seal });
export type ReviewJob = Immutable<z.output<typeof ReviewJob>>;
