import * as z from 'zod';
import type { Immutable } from '../cluster/wire.js';
import { WorkloadRef } from '../cluster/workload.js';
import { GitTarget } from '../git-change/git-target.js';
import { Plan } from '../remediation/plan.js';
import { Remediation } from '../remediation/remediation.js';
import { hasOneOrigin, originShape } from './change-origin.js';
import { DryRun } from './dry-run.js';
import { SecondStep } from './second-step.js';

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
