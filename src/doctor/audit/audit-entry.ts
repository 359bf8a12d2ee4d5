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

/**
 * One decision in the chain. `text` is hashed as it was written, so that no parser decides what the hash
 * covers.
 */
export interface StoredLink {
  /** The JSON of a `DecisionLink`. */
  readonly text: string;
  /** SHA-256 of `text`, lower-case hex. */
  readonly hash: string;
}

const DecisionLink = z.object({
  /** 1 for the first decision ever recorded; each decision is one higher. */
  seq: z.number().int().min(1),
  /** Hash of the decision before it; empty for the first one. */
  previous: z.string(),
  entry: AuditEntry,
});
type DecisionLink = Immutable<z.output<typeof DecisionLink>>;

/** The end of the chain: what the next decision is linked to. */
export interface ChainEnd {
  /** 0 when nothing is recorded yet. */
  readonly seq: number;
  readonly hash: string;
}

const emptyChain: ChainEnd = { seq: 0, hash: '' };

type Digest = (text: string) => string;

export function linkDecision(end: ChainEnd, entry: AuditEntry, digest: Digest): StoredLink {
  const link: DecisionLink = { seq: end.seq + 1, previous: end.hash, entry };
  const text = JSON.stringify(link);
  return { text, hash: digest(text) };
}

export type ChainProblem =
  /** The text of a decision is not what was hashed, or cannot be read. */
  | 'altered'
  /** A decision does not follow the one before it: something was removed, inserted or moved. */
  | 'out-of-order'
  /** The newest decisions are missing, or the recorded end is not the end. */
  | 'end-missing';

export type ChainCheck =
  | { readonly type: 'intact'; readonly first: number; readonly last: number }
  /** `seq`: the number that the first wrong decision has or should have. */
  | { readonly type: 'broken'; readonly seq: number; readonly problem: ChainProblem };

/** What a check carries from one page of links to the next. */
type ChainProgress =
  | { readonly type: 'so-far'; readonly first: number | undefined; readonly end: ChainEnd }
  | Extract<ChainCheck, { readonly type: 'broken' }>;

export const chainStart: ChainProgress = { type: 'so-far', first: undefined, end: emptyChain };

/**
 * Checks the next links, oldest first. The first link of all is taken as it is: older ones are removed by
 * age.
 */
export function checkLinks(
  progress: ChainProgress,
  links: readonly StoredLink[],
  digest: Digest,
): ChainProgress {
  let current = progress;
  for (const { text, hash } of links) {
    if (current.type === 'broken') return current;
    const { first, end } = current;
    const link = readLink(text);
    if (link === undefined || digest(text) !== hash) {
      return { type: 'broken', seq: end.seq + 1, problem: 'altered' };
    }
    const follows = link.seq === end.seq + 1 && link.previous === end.hash;
    if (first !== undefined ? !follows : link.seq === 1 && link.previous !== '') {
      return { type: 'broken', seq: end.seq + 1, problem: 'out-of-order' };
    }
    current = { type: 'so-far', first: first ?? link.seq, end: { seq: link.seq, hash } };
  }
  return current;
}

/** Compares what was checked with the recorded end of the chain. */
export function finishCheck(progress: ChainProgress, recorded: ChainEnd): ChainCheck {
  if (progress.type === 'broken') return progress;
  const { first, end } = progress;
  if (end.seq !== recorded.seq || end.hash !== recorded.hash) {
    return { type: 'broken', seq: Math.min(end.seq, recorded.seq) + 1, problem: 'end-missing' };
  }
  return { type: 'intact', first: first ?? 0, last: end.seq };
}

/** The link that a text holds; undefined when it holds none that this version knows. */
export function readLink(text: string): DecisionLink | undefined {
  try {
    return DecisionLink.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
