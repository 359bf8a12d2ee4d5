import * as z from 'zod';
import { Statement } from '../../engine/language/statement.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { WorkloadRef } from '../../engine/objects/workload.js';
import { Plan } from '../fixes/plan.js';
import { Remediation } from '../fixes/remediation.js';
import { GitEdit, GitTarget } from '../git-edits/git-target.js';
import { hasOneOrigin, originShape } from './change-origin.js';

/** A pod that the second step left as it was. */
export const SkippedPod = z.object({
  pod: z.string(),
  /** `gone`: deleted or replaced before. `updated`: it is of the restored revision. */
  because: z.enum(['ready', 'gone', 'updated']),
});
export type SkippedPod = Immutable<z.output<typeof SkippedPod>>;

/** How the second step of a plan ended. */
export const SecondStepEnd = z.object({
  type: z.literal('ended'),
  /** RFC3339. */
  at: z.string(),
  /** Names of the pods that the API server deleted. */
  deleted: z.array(z.string()),
  skipped: z.array(SkippedPod),
  /** Why the step was not carried out, or not for every pod; absent where it is done. */
  because: Statement.optional(),
});
export type SecondStepEnd = Immutable<z.output<typeof SecondStepEnd>>;

/**
 * How far the second step of an approval's plan came. Absent while the first step is not made or not
 * observed.
 */
const SecondStep = z.discriminatedUnion('type', [
  /** A worker may have sent requests. From here on the step cannot be cancelled. */
  z.object({ type: z.literal('started'), at: z.string() }),
  SecondStepEnd,
]);

const answer = {
  /** Which request for a dry run this answers: the first one of an approval is 1. */
  ask: z.number().int().min(1),
  /** RFC3339. */
  at: z.string(),
  /** Digest of the plan that was sent. */
  digest: z.string(),
};

/** The API server's answer to a dry run of an approval's plan, signed by the worker that sent it. */
export const DryRun = z.discriminatedUnion('type', [
  /**
   * `mutated`: paths of the fields into which a webhook would write another value. `edit`: of a plan for Git,
   * in place of the API server's answer.
   */
  z.object({
    type: z.literal('accepted'),
    ...answer,
    mutated: z.array(z.string()),
    edit: GitEdit.optional(),
  }),
  /**
   * `byHand`: of a plan for Git that a person can still write into the manifest. `snippet`: what to write
   * where it is not the fields of the plan, but values of a chart.
   */
  z.object({
    type: z.literal('refused'),
    ...answer,
    because: Statement,
    byHand: z.boolean().optional(),
    snippet: z.string().optional(),
  }),
  /** The API server gave no usable answer, or was not asked. */
  z.object({ type: z.literal('unknown'), ...answer, because: Statement }),
]);
export type DryRun = Immutable<z.output<typeof DryRun>>;

/** The parts of an approval that a dry run concerns. */
type DryRunSubject = { readonly digest: string; readonly dryRun?: DryRun | undefined };

/**
 * Whether the API server accepted exactly this plan in a dry run. Only for a record whose seal was checked.
 */
export function isDryRunAccepted({ digest, dryRun }: DryRunSubject): boolean {
  return dryRun?.type === 'accepted' && dryRun.digest === digest;
}

/** The number of the next request for a dry run; equal for all who ask before it is answered. */
export function nextDryRunAsk({ dryRun }: DryRunSubject): number {
  return (dryRun?.ask ?? 0) + 1;
}

/** States that an approval does not leave. */
export const finalApprovalStates = [
  'done',
  'failed',
  'rejected',
  'expired',
  'superseded',
  'cancelled',
] as const;
export const approvalStates = ['open', 'approved', 'running', ...finalApprovalStates] as const;
export const ApprovalState = z.enum(approvalStates);
export type ApprovalState = z.output<typeof ApprovalState>;

/** A message authentication code, and which key made it. */
export const Seal = z.object({
  /** Counts the layouts of the covered text. */
  format: z.number().int(),
  /** Id of the key, as `APPROVAL_KEYS` names it. */
  key: z.string(),
  /** HMAC-SHA256, base64url. */
  mac: z.string(),
});
export type Seal = Immutable<z.output<typeof Seal>>;

/** How a person confirmed an approval with the company's login, signed by the app. */
export const ConfirmedLogin = z.object({
  issuer: z.string(),
  /** The person at the issuer. */
  subject: z.string(),
  /** RFC3339: when the person logged in, by the issuer. */
  at: z.string(),
  seal: Seal,
});
export type ConfirmedLogin = Immutable<z.output<typeof ConfirmedLogin>>;
export type LoginFacts = Omit<ConfirmedLogin, 'seal'>;

export const Decision = z.object({
  /** Slack user id. */
  by: z.string(),
  at: z.string(),
  decision: z.enum(['approve', 'reject']),
  reason: z.string(),
  /** `namespace/name` as the approver typed it, where the policy asked for it. */
  typedName: z.string().optional(),
  /** Present where the policy asked for the company's login. */
  login: ConfirmedLogin.optional(),
});
export type Decision = Immutable<z.output<typeof Decision>>;

/** The API server's answer to the change, signed by the worker that sent it. */
const Applied = z.object({
  /** RFC3339. */
  at: z.string(),
  /** The target's generation after the change; absent where the kind has none. */
  generation: z.number().optional(),
});

const ApprovalFields = z.object({
  v: z.literal(1),
  id: z.string(),
  version: z.number(),
  state: ApprovalState,
  incidentId: z.string(),
  /** The incident's look the plan was made from. */
  look: z.number(),
  workload: WorkloadRef,
  ...originShape,
  remediation: Remediation,
  undoes: z.boolean(),
  plan: Plan,
  /** Present where the plan is proposed in Git and nothing is sent to the cluster. */
  gitTarget: GitTarget.optional(),
  /** SHA-256 of `canonicalPlan(plan)`, hex. */
  digest: z.string(),
  /** Everyone who asked for or triggered the diagnosis, and the person whose review opened this approval. */
  initiators: z.array(z.string()).default([]),
  /**
   * People whose reviews asked for a dry run of this plan. Absent in records of versions before the field
   * existed.
   */
  reviewers: z.array(z.string()).optional(),
  /** Present once the remediation worker asked the API server, or could not. */
  dryRun: DryRun.optional(),
  /** Distinct people needed. */
  needs: z.number().int().min(1),
  decisions: z.array(Decision),
  /** Seconds between the last decision and the change, in which the change can be cancelled. */
  cancelSeconds: z.number().int().min(0).max(300).optional(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Seal of the pod template to restore, where the plan restores one. */
  template: Seal.optional(),
  /** Present once the API server accepted the change; of a plan in two steps, the first one. */
  applied: Applied.optional(),
  /** Only of a plan in two steps. */
  secondStep: SecondStep.optional(),
  seal: Seal.optional(),
});
/**
 * The durable, single-use, expiring record that lets one plan run once. Redis stores it and is not trusted:
 * `seal` covers every field but itself, `version` and `state`, so each writer of another field signs again
 * (`approval-authority.ts`).
 */
export const Approval = ApprovalFields.refine(hasOneOrigin, 'exactly one origin');
export type Approval = Immutable<z.output<typeof ApprovalFields>>;

declare const authentic: unique symbol;
declare const verified: unique symbol;

/** An approval whose seal, digest and plan were checked. Only `authenticate` makes one. */
export type AuthenticApproval = Approval & { readonly [authentic]: true };

/**
 * An authentic approval that enough people gave who may give it now, and that has not expired. Only the
 * verification makes one; the patcher sends nothing without it.
 */
export type VerifiedApproval = AuthenticApproval & { readonly [verified]: true };

/** A user group of the chat as the policy names it. */
const NamedGroup = z.object({
  name: z.string(),
  /** The chat's id; absent where the name belongs to no one group. */
  id: z.string().optional(),
});

/** Somebody who may not approve a fix asked those who may. */
export const ApprovalRequest = z.object({
  remediationId: z.string(),
  title: Statement,
  undoes: z.boolean(),
  /** Slack user id. */
  by: z.string(),
  /** RFC3339. */
  at: z.string(),
  users: z.array(z.string()),
  groups: z.array(NamedGroup),
});
export type ApprovalRequest = Immutable<z.output<typeof ApprovalRequest>>;

/** Each mentions people, so an incident has few of them. */
export const maxApprovalRequests = 5;
