import { z } from 'zod';
import type { Immutable } from '../cluster/wire.js';
import { GitPlace } from '../git-change/git-target.js';
import { Statement } from '../language/statement.js';
import { FieldChange } from '../remediation/plan.js';
import { originShape } from './change-origin.js';

export const PullRequestState = z.enum([
  /** Approved; the host may or may not have it. */
  'opening',
  'open',
  /** The cluster does not have it yet, or the cause is still found. */
  'merged',
  /** The cluster has it, and the rule that found the cause finds it no longer. */
  'recovered',
  /** A person closed it without a merge. */
  'closed',
  'failed',
  /** It is no longer followed: it was open, or merged and not applied, for too long. */
  'unfollowed',
]);
export type PullRequestState = z.output<typeof PullRequestState>;

/** The last pull request of an incident, and how far it came. */
export const PullRequest = z.object({
  approvalId: z.string(),
  ...originShape,
  remediationId: z.string(),
  title: Statement,
  changes: z.array(FieldChange),
  target: GitPlace,
  state: PullRequestState,
  approvedBy: z.array(z.string()),
  /** RFC3339. */
  approvedAt: z.string(),
  number: z.number().optional(),
  url: z.string().optional(),
  /** The host cannot merge it without a person. */
  conflicts: z.boolean().optional(),
  /** RFC3339: when it was first seen open. */
  openedAt: z.string().optional(),
  /** RFC3339: when it was first seen merged. */
  mergedAt: z.string().optional(),
  failure: Statement.optional(),
});
export type PullRequest = Immutable<z.output<typeof PullRequest>>;
