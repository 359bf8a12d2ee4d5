import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { WorkloadRef } from '../../engine/objects/workload.js';

/**
 * What people decided and what followed from it. These entries form the hash chain, and the number of other
 * entries never removes one of them.
 */
const decisionActions = [
  'approved',
  'rejected',
  'expired',
  'superseded',
  'cancelled',
  'started',
  'applied',
  'pull-request-opened',
  'second-step-started',
  'second-step-ended',
  'apply-refused',
  'verdict',
  'silenced',
  'silence-lifted',
  'changes-stopped',
  'changes-allowed',
] as const;

/** Requests and refusals: anybody, and every alert, can cause any number of them. */
const requestActions = [
  'diagnosis-requested',
  'change-refused',
  'review-opened',
  'review-refused',
  'approval-requested',
  'approval-refused',
  'dry-run',
  'assigned',
  'unassigned',
] as const;

export const AuditEntry = z.object({
  /** RFC3339. */
  at: z.string(),
  /** Absent for an entry that belongs to no incident, such as a silence. */
  incidentId: z.string().optional(),
  approvalId: z.string().optional(),
  action: z.enum([...decisionActions, ...requestActions]),
  by: z.string().optional(),
  /** Absent for a decision about all workloads: the stop switch. */
  workload: WorkloadRef.optional(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = Immutable<z.output<typeof AuditEntry>>;

const decisions: ReadonlySet<AuditEntry['action']> = new Set(decisionActions);

export function isDecision({ action }: Pick<AuditEntry, 'action'>): boolean {
  return decisions.has(action);
}
