import { z } from 'zod';
import type { Immutable } from '../cluster/wire.js';
import { WorkloadRef } from '../cluster/workload.js';
import { CauseId } from '../diagnosis/cause-id.js';
import { Plan } from '../remediation/plan.js';
import { Remediation } from '../remediation/remediation.js';

export const approvalStates = [
  'open',
  'approved',
  'running',
  'done',
  'failed',
  'rejected',
  'expired',
  'superseded',
] as const;
export const ApprovalState = z.enum(approvalStates);
export type ApprovalState = z.output<typeof ApprovalState>;

export const Decision = z.object({
  /** Slack user id. */
  by: z.string(),
  at: z.string(),
  decision: z.enum(['approve', 'reject']),
  reason: z.string(),
});
export type Decision = Immutable<z.output<typeof Decision>>;

/** The durable, single-use, expiring record that lets one plan run once. */
export const Approval = z.object({
  v: z.literal(1),
  id: z.string(),
  version: z.number(),
  state: ApprovalState,
  incidentId: z.string(),
  /** The incident's look the plan was made from. */
  look: z.number(),
  workload: WorkloadRef,
  cause: CauseId,
  remediation: Remediation,
  undoes: z.boolean(),
  plan: Plan,
  /** SHA-256 of `canonicalPlan(plan)`, hex. */
  digest: z.string(),
  requester: z.string().optional(),
  /** Distinct people needed. */
  needs: z.number().int().min(1),
  decisions: z.array(Decision),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Approval = Immutable<z.output<typeof Approval>>;

declare const consumed: unique symbol;

/** An approval that has just been moved from `approved` to `running`. Only `consume` makes one; the patcher takes nothing else. */
export type ConsumedApproval = Approval & { readonly state: 'running'; readonly [consumed]: true };
