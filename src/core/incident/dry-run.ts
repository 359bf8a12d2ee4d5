import * as z from 'zod';
import type { Immutable } from '../cluster/wire.js';
import { GitEdit } from '../git-change/git-target.js';
import { Statement } from '../language/statement.js';

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
export interface DryRunSubject {
  readonly digest: string;
  readonly dryRun?: DryRun | undefined;
}

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
