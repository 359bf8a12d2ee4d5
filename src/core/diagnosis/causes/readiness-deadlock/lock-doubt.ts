import type { Lease } from '../../../cluster/policy.js';
import type { HeldLease } from './held-lease.js';
import type { ReadLine } from './lock-line.js';
import { isFailureOfSomethingElse, leaseNamedIn, namesOtherElection } from './lock-words.js';

/**
 * Why a lease of an old pod does not prove that the new pod waits for it. `not-named`: no line gives this lease as the
 * reason. `never-renewed`: the lease does not show when its holder renewed it. `later-failure`: after that line, the pod
 * logs failures of something else.
 */
export type LockDoubt = 'not-named' | 'never-renewed' | 'later-failure';

interface Evidence {
  readonly held: HeldLease;
  /** The line in which the pod gives leadership as the reason why it is not ready. */
  readonly reason: ReadLine | undefined;
  /** All lines of the waiting pod, the log first. */
  readonly lines: readonly ReadLine[];
  /** Leases of its namespace. */
  readonly leases: readonly Lease[];
}

/** The first doubt that applies; `undefined` where the deadlock is proven. */
export function doubtOf(evidence: Evidence): LockDoubt | undefined {
  const { held, reason } = evidence;
  if (reason === undefined || !isReasonAbout(evidence, reason)) return 'not-named';
  if (Number.isNaN(Date.parse(held.lease.spec.renewTime ?? ''))) return 'never-renewed';
  return isFollowedByFailure(evidence, reason) ? 'later-failure' : undefined;
}

/** True if the line names the pod that holds the lease. */
export function namesHolder(line: string, held: HeldLease | undefined): boolean {
  return held !== undefined && wordsOf(line).includes(held.holder.metadata.name);
}

/**
 * Whether the reason is this lease: it names the lease or its holder, or it names no lease and the pod reports no other
 * election.
 */
function isReasonAbout({ held, lines, leases }: Evidence, { line }: ReadLine): boolean {
  const { namespace, name } = held.lease.metadata;
  if (leaseNamedIn(line) !== undefined || namesHolder(line, held)) return true;
  const words = wordsOf(line);
  if (leases.some(({ metadata }) => metadata.name !== name && words.includes(metadata.name))) return false;
  return lines.every((each) => {
    const named = leaseNamedIn(each.line);
    const isSame = named === undefined || (named.namespace === namespace && named.name === name);
    return isSame && !namesOtherElection(each.line);
  });
}

/** A probe's answer is the latest; a line of the log may be older than what the program fails at now. */
function isFollowedByFailure({ lines }: Evidence, reason: ReadLine): boolean {
  if (reason.from === 'probe') return false;
  const log = lines.filter(({ from, container }) => from === 'log' && container === reason.container);
  return log
    .slice(log.lastIndexOf(reason) + 1)
    .some(({ line, word }) => word === undefined && isFailureOfSomethingElse(line));
}

/** Parts of a line that may be names of objects. */
function wordsOf(line: string): readonly string[] {
  return line.split(/[^A-Za-z0-9.-]+/);
}
