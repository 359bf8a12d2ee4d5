import type { Event } from '../../../engine/objects/event.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Lease } from '../../../engine/objects/policy.js';
import {
  isFailureOfSomethingElse,
  type LockWord,
  leaseNamedIn,
  namesObject,
  namesOtherElection,
} from './lock-words.js';

/** A lease that an old pod holds and renews. */
export interface HeldLease {
  readonly lease: Lease;
  readonly holder: Pod;
}

/** A line of the waiting pod. */
export interface ReadLine {
  readonly container: string;
  readonly line: string;
  /** What it says about a lock or leadership; `undefined` if it is about something else. */
  readonly word: LockWord | undefined;
  /** `probe`: the answer of its readiness probe. */
  readonly from: 'log' | 'probe';
  readonly event: Event | undefined;
}

/**
 * Why a lease of an old pod does not prove that the new pod waits for it. `not-named`: no line gives this
 * lease as the reason. `never-renewed`: the lease does not show when its holder renewed it. `later-failure`:
 * after that line, the pod logs failures of something else.
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

/**
 * Whether the reason is this lease: it names the lease or its holder, or it names no lease and the pod
 * reports no other election.
 */
function isReasonAbout({ held, lines, leases }: Evidence, { line }: ReadLine): boolean {
  const { lease, holder } = held;
  if (namesOtherElection(line)) return false;
  if (leaseNamedIn(line) !== undefined) return isSameOrNone(line, lease);
  if (namesObject(line, holder.metadata.name)) return true;
  const others = leases.filter(({ metadata }) => metadata.name !== lease.metadata.name);
  if (others.some(({ metadata }) => namesObject(line, metadata.name))) return false;
  return lines.every((each) => isSameOrNone(each.line, lease) && !namesOtherElection(each.line));
}

/** Whether the line names this lease, or none. */
function isSameOrNone(line: string, { metadata }: Lease): boolean {
  const named = leaseNamedIn(line);
  return named === undefined || (named.namespace === metadata.namespace && named.name === metadata.name);
}

/** A probe's answer is the latest; a line of the log may be older than what the program fails at now. */
export function isFollowedByFailure({ lines }: Pick<Evidence, 'lines'>, reason: ReadLine): boolean {
  if (reason.from === 'probe') return false;
  const log = lines.filter(({ from, container }) => from === 'log' && container === reason.container);
  return log
    .slice(log.findLastIndex(({ line }) => line === reason.line) + 1)
    .some(({ line, word }) => word === undefined && isFailureOfSomethingElse(line));
}
