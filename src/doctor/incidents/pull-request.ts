import * as z from 'zod';
import { Statement } from '../../engine/language/statement.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { FieldChange } from '../fixes/plan.js';
import { GitPlace } from '../git-edits/git-target.js';
import { GivenReason, originShape } from './change-origin.js';

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

export const MergeHindrance = z.enum([
  /** The base changed the same lines. */
  'conflicts',
  /** The base moved on, and its protection asks for an update of the branch first. */
  'behind',
  /** A check fails or has not finished. */
  'checks',
  /** A review or a required check is missing. */
  'protected',
  'draft',
]);
export type MergeHindrance = z.output<typeof MergeHindrance>;

/** The last pull request of an incident, and how far it came. */
export const PullRequest = z.object({
  approvalId: z.string(),
  ...originShape,
  remediationId: z.string(),
  title: Statement,
  /** It takes back what another one changed. */
  undoes: z.boolean().optional(),
  /** Whether its change can be taken back by another one. */
  hasUndo: z.boolean().optional(),
  changes: z.array(FieldChange),
  target: GitPlace,
  state: PullRequestState,
  approvedBy: z.array(z.string()),
  /** Of the approvers; absent in older records. */
  reasons: z.array(GivenReason).optional(),
  /** RFC3339. */
  approvedAt: z.string(),
  number: z.number().optional(),
  url: z.string().optional(),
  /** What the host reports against merging it, while it is open. */
  hindrance: MergeHindrance.optional(),
  /** RFC3339: when it was first seen open. */
  openedAt: z.string().optional(),
  /** RFC3339: when it was first seen merged. */
  mergedAt: z.string().optional(),
  failure: Statement.optional(),
});
export type PullRequest = Immutable<z.output<typeof PullRequest>>;
