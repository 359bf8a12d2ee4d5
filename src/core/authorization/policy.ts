import { z } from 'zod';
import type { Immutable } from '../cluster/wire.js';
import { remediationKinds } from '../remediation/remediation.js';

/** What a policy can allow: each remediation kind, and putting a change back. */
export const actions = [...remediationKinds, 'undo'] as const;
export const Action = z.enum(actions);
export type Action = z.output<typeof Action>;

const patterns = z.array(z.string().min(1)).min(1);

const Grant = z
  .strictObject({
    /** Slack user ids. */
    users: z.array(z.string().regex(/^[UW][A-Z0-9]+$/, 'a Slack user id such as U012ABCDEF')).default([]),
    /** Handles of Slack user groups, without `@`. */
    groups: z.array(z.string().regex(/^[^@\s]+$/, 'a user group handle without @')).default([]),
    /** Names or patterns with `*`. */
    clusters: patterns.default(['*']),
    namespaces: patterns,
    actions: z.union([z.literal('*'), z.array(Action).min(1)]),
  })
  .refine(({ users, groups }) => users.length + groups.length > 0, 'names neither users nor groups');

const Demand = z.strictObject({
  clusters: patterns.default(['*']),
  namespaces: patterns.default(['*']),
  /** How many distinct people must approve. */
  approvers: z.number().int().min(1).max(5).default(1),
  /** Whether the one who asked for the diagnosis may not approve. */
  notRequester: z.boolean().default(false),
  /** Whether the approver types the workload's name. */
  typeName: z.boolean().default(false),
});

/**
 * Who may approve what. Nothing is allowed that no grant allows. Demands add up: the strictest matching one of each
 * kind holds.
 */
export const Policy = z.strictObject({
  apiVersion: z.literal('rollout-doctor/v1').default('rollout-doctor/v1'),
  grants: z.array(Grant),
  demands: z.array(Demand).default([]),
});
export type Policy = Immutable<z.output<typeof Policy>>;
