import * as z from 'zod';
import { Statement } from '../../engine/language/statement.js';
import type { Immutable } from '../../engine/objects/wire.js';

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
