import type { Event } from '../../../engine/objects/event.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { isReady, type Pod } from '../../../engine/objects/pod.js';
import { type Lease, leaderAnnotation } from '../../../engine/objects/policy.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { podsOf } from '../../findings/crashes/failure-group.js';
import { canonicalJson } from '../../fixes/plan.js';
import { reportsServer } from '../../log-lines/listening-port.js';
import {
  isAboutReadiness,
  isFailureOfSomethingElse,
  isUnreadyForLeadership,
  leaseNamedIn,
  namesObject,
  namesOtherElection,
} from '../../log-lines/lock-words.js';
import { heldByOwn, leaderLock, type OwnHold, waitedFor } from './own-hold.js';
import type { ReadLine } from './read-lines.js';
import { isRefusedAtItself, isStatusOnly, linesOf, probeFailures, saysNotReady } from './read-lines.js';

/** A Lease, or the same record in an annotation of a ConfigMap or Endpoints. */
interface Lock extends Pick<Lease, 'metadata' | 'spec'> {
  readonly kind: 'Lease' | 'ConfigMap' | 'Endpoints';
  /** Which of its fields names the holder. */
  readonly field: string;
}

/** A lock that an old pod holds and renews. */
type HeldLease = { readonly lease: Lock; readonly holder: Pod };

/**
 * Why a lease of an old pod does not prove that the new pod waits for it. `not-named`: no line gives this
 * lease as the reason. `never-renewed`: the lease does not show when its holder renewed it. `later-failure`:
 * after that line, the pod logs failures of something else.
 */
type LockDoubt = 'not-named' | 'never-renewed' | 'later-failure';

/** A new pod that runs and waits for what old pods hold. */
export interface LockWait {
  readonly waiting: Pod;
  readonly container: string;
  /** Its container ends again and again; otherwise it runs and is not ready. */
  readonly isFailing: boolean;
  readonly held: HeldLease | undefined;
  /** What an old pod holds in place of a lease. */
  readonly own: OwnHold | undefined;
  /** The line about a lock or leadership that says most. */
  readonly line: ReadLine | undefined;
  /** The last failure of its readiness probe, whatever it says. */
  readonly probe: Event | undefined;
  /** Old pods that hold it: by the lease, or all that serve where nothing says which. */
  readonly holders: readonly Pod[];
  /**
   * What ties the pod to the lock; only `line` is a proof. `only-lock`: no line names it. `closed-port`: the
   * last line tries to get it, and the program opens no port before it has it. `last-attempt`: the last line
   * tries to get it, and the program answers its probe with a failure that says no more.
   */
  readonly basis: 'line' | 'only-lock' | 'closed-port' | 'last-attempt';
  /**
   * Why the deadlock is only possible: many programs log lines about locks while something else keeps them
   * from being ready. `no-lease`: no lease of an old pod was read. `undefined` where the deadlock is proven.
   */
  readonly doubt: LockDoubt | 'no-lease' | undefined;
}

/**
 * Whether the pod waits for a lock that an old pod holds; `undefined` where no line and no lease indicates
 * it.
 */
export function lockWaitOf(snapshot: Snapshot, holding: readonly Pod[], waiting: Pod): LockWait | undefined {
  const container = unreadyContainer(waiting);
  if (container === undefined) return ownWaitOf(snapshot, holding, waiting);
  const serving = holding.filter(isReady);
  if (serving.length === 0) return undefined;
  const lines = linesOf(snapshot, waiting);
  const known = lines.filter(({ word }) => word !== undefined);
  if (known.some(({ word }) => word === 'got')) return undefined;
  const reason = reasonOf(lines, waiting);
  const line =
    known.find((each) => each.line === reason?.line) ??
    known.findLast(({ from, word }) => from === 'probe' && word === 'blocked') ??
    known.findLast(({ word }) => word === 'blocked') ??
    known.at(-1);
  const leases = locksOf(snapshot).filter(
    ({ metadata }) => metadata.namespace === waiting.metadata.namespace,
  );
  // A program may take part in several elections: the one that keeps it from being ready is the one that
  // counts.
  const wanted =
    leaseNamedIn(reason?.line ?? '') ??
    known.map((each) => leaseNamedIn(each.line)).find((each) => each !== undefined);
  const named =
    wanted === undefined
      ? namedAlone(leases, reason ?? line, known)
      : leases.find(
          ({ metadata }) => metadata.name === wanted.name && metadata.namespace === wanted.namespace,
        );
  const candidates = (named === undefined ? leases : [named]).flatMap((lease) =>
    heldBy(snapshot, lease, holding),
  );
  if (named !== undefined && candidates.length === 0) return undefined;
  const [held] = candidates;
  // A line that names the old pod as the holder says more than the record in Endpoints.
  const record =
    held === undefined || held.lease.kind === 'Endpoints'
      ? recordOf(snapshot, serving, waiting, lines)
      : undefined;
  if (record !== undefined) return record;
  if (held === undefined && line?.word !== 'blocked') return undefined;
  // Members of a group that each hold a lease do not wait for that of another member.
  if (line === undefined && leases.some((lease) => heldBy(snapshot, lease, [waiting]).length > 0))
    return undefined;
  const isNamed = ({ holder }: HeldLease) =>
    named !== undefined ||
    (candidates.length === 1 && known.some((each) => namesObject(each.line, holder.metadata.name)));
  const basisOf = (lease: HeldLease): LockWait['basis'] => {
    const stalled = reason === undefined ? stallsAt(lease, lines, waiting, container) : undefined;
    if (stalled === 'closed-port') return stalled;
    // A second ready pod shows that a standby can be ready.
    if (stalled !== undefined && serving.length === 1 && !wasReadyBefore(lease)) return stalled;
    return !isNamed(lease) && isOnlyHolder(snapshot, lease, leases) ? 'only-lock' : 'line';
  };
  const basis = held === undefined ? 'line' : basisOf(held);
  const doubtAbout = (lease: HeldLease): LockDoubt | undefined => {
    if (basis === 'closed-port' || basis === 'last-attempt') return undefined;
    if (basis === 'line' && !isNamed(lease)) return 'not-named';
    return doubtOf({ held: lease, reason, lines, leases });
  };
  return {
    waiting,
    container,
    isFailing: false,
    held,
    own: undefined,
    line,
    probe: probeFailures(snapshot, waiting).at(-1),
    holders: held === undefined ? serving : [held.holder],
    basis,
    doubt: held === undefined ? 'no-lease' : doubtAbout(held),
  };
}

/**
 * Whether the last thing that the pod logged is the attempt to get this lease, where the old pod is ready
 * with the same probe. Nothing listens at its address: it opens its port only as the leader. Or it answers
 * that it is not ready, and no more. A port that it opens for something else is no evidence about the lease.
 */
function stallsAt(
  { lease, holder }: HeldLease,
  lines: readonly ReadLine[],
  waiting: Pod,
  container: string,
): 'closed-port' | 'last-attempt' | undefined {
  const logged = lines.filter((each) => each.from === 'log' && each.line.trim() !== '');
  const last = logged.findLast((each) => !reportsServer(each.line));
  const answer = lines.findLast(({ from }) => from === 'probe');
  const probeOf = ({ spec }: Pod) => spec.containers.find(({ name }) => name === container)?.readinessProbe;
  const isStalled =
    last !== undefined &&
    isAboutLock(last, lease) &&
    lease.spec.renewTime !== undefined &&
    answer !== undefined &&
    canonicalJson(probeOf(holder)) === canonicalJson(probeOf(waiting));
  if (!isStalled) return undefined;
  if (isRefusedAtItself(answer.line, waiting)) return 'closed-port';
  if (logged.at(-1) !== last) return undefined;
  return saysNotReady(answer.line) ? 'last-attempt' : undefined;
}

/** An attempt names the lease with its namespace. A program that waits may name it in a field of its own. */
function isAboutLock({ line, word }: ReadLine, lock: Lock): boolean {
  if (word === 'trying') return leaseNamedIn(line)?.name === lock.metadata.name;
  return word === 'blocked' && leaseNamedIn(line) === undefined && isNamedAlone(lock, line);
}

/** Whether the old pod was ready before it got the lease, so that it can be ready without. */
function wasReadyBefore({ lease, holder }: HeldLease): boolean {
  const acquired = Date.parse(lease.spec.acquireTime ?? '');
  const ready = Date.parse(conditionOf(holder.status, 'Ready')?.lastTransitionTime ?? '');
  return ready + clockSkewMs < acquired;
}
/** Clocks of nodes differ a little. */
const clockSkewMs = 2000;

/**
 * The lock whose name a line has without the namespace: the line that gives the reason, else any line about
 * locks. A name that may be a word of a sentence counts for none.
 */
function namedAlone(
  locks: readonly Lock[],
  reason: ReadLine | undefined,
  known: readonly ReadLine[],
): Lock | undefined {
  return [...(reason === undefined ? [] : [reason]), ...known]
    .map(({ line }) => locks.find((lock) => isNamedAlone(lock, line)))
    .find((each) => each !== undefined);
}

function isNamedAlone({ metadata }: Lock, line: string): boolean {
  return /[-.]/.test(metadata.name) && namesObject(line, metadata.name);
}

/**
 * Whether every lock that is held belongs to the same old pod, or to pods of other workloads. A lock without
 * a holder keeps nobody waiting.
 */
function isOnlyHolder(snapshot: Snapshot, { holder }: HeldLease, locks: readonly Lock[]): boolean {
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  const others = snapshot.index.objects.Pod.filter(
    ({ metadata }) => metadata.namespace === holder.metadata.namespace && !own.has(metadata.uid),
  );
  return locks.every(
    ({ spec: { holderIdentity = '' } }) =>
      holderIdentity === '' ||
      names(holderIdentity, holder) ||
      others.some((pod) => names(holderIdentity, pod)),
  );
}

function locksOf({ index }: Snapshot): readonly Lock[] {
  const { Lease, ConfigMap, Endpoints } = index.objects;
  return [
    ...Lease.map(({ kind, metadata, spec }) => ({ kind, metadata, spec, field: 'spec.holderIdentity' })),
    ...[...ConfigMap, ...Endpoints].flatMap(({ kind, metadata, leader }): readonly Lock[] => {
      const field = `metadata.annotations[${leaderAnnotation}]`;
      return leader === undefined ? [] : [{ kind, metadata, spec: leader, field }];
    }),
  ];
}

/** A lock that is no Lease and for which the pod still waits, as far as its log goes. */
function recordOf(
  snapshot: Snapshot,
  serving: readonly Pod[],
  waiting: Pod,
  lines: readonly ReadLine[],
): LockWait | undefined {
  const container = unreadyContainer(waiting) ?? '';
  const found =
    waitedFor(snapshot, serving, waiting, container) ?? leaderLock(snapshot, serving, waiting, container);
  if (found === undefined || isFollowedByFailure({ lines }, found.line)) return undefined;
  const { hold, line, holders } = found;
  return {
    waiting,
    container,
    isFailing: false,
    held: undefined,
    own: hold,
    line,
    probe: probeFailures(snapshot, waiting).at(-1),
    holders,
    basis: 'line',
    doubt: undefined,
  };
}

function ownWaitOf(snapshot: Snapshot, holding: readonly Pod[], waiting: Pod): LockWait | undefined {
  const found = heldByOwn(snapshot, holding, waiting);
  if (found === undefined) return undefined;
  const { hold, container, line, holders } = found;
  return {
    waiting,
    container,
    isFailing: true,
    held: undefined,
    own: hold,
    line,
    probe: undefined,
    holders,
    basis: 'line',
    doubt: undefined,
  };
}

/**
 * What the pod itself reports last of its readiness, if that is leadership. A probe's answer decides before
 * the log.
 */
function reasonOf(lines: readonly ReadLine[], waiting: Pod): ReadLine | undefined {
  const answer = lines.findLast(({ from, line }) => from === 'probe' && !isStatusOnly(line, waiting));
  const latest = answer ?? lines.findLast(({ from, line }) => from === 'log' && isAboutReadiness(line));
  return latest !== undefined && isUnreadyForLeadership(latest.line) ? latest : undefined;
}

/** Runs since its first start, and its readiness probe fails. */
function unreadyContainer({ spec, status }: Pod): string | undefined {
  const { containerStatuses } = status;
  if (containerStatuses.length === 0) return undefined;
  const runs = containerStatuses.every(
    ({ state, restartCount }) => state.running !== undefined && restartCount === 0,
  );
  if (!runs) return undefined;
  return containerStatuses.find(({ name, ready, started }) => {
    const container = spec.containers.find((each) => each.name === name);
    const starting = container?.startupProbe !== undefined && started !== true;
    return !ready && !starting && container?.readinessProbe !== undefined;
  })?.name;
}

/** Renewed within its own time, twice over: clocks of nodes and writer differ a little. */
function heldBy(snapshot: Snapshot, lease: Lock, pods: readonly Pod[]): readonly HeldLease[] {
  const { holderIdentity, renewTime, leaseDurationSeconds } = lease.spec;
  if (holderIdentity === undefined || holderIdentity === '') return [];
  const renewed = Date.parse(renewTime ?? '');
  const patience = 2 * (leaseDurationSeconds ?? 15) * 1000 + 10_000;
  if (!Number.isNaN(renewed) && nowOf(snapshot) - renewed > patience) return [];
  const holder = pods.find((pod) => names(holderIdentity, pod));
  return holder === undefined ? [] : [{ lease, holder }];
}

/**
 * Client libraries write the pod's name, alone or with more behind a separator (client-go: `hostname_uuid`);
 * some write its address or uid.
 */
function names(identity: string, { metadata, status }: Pod): boolean {
  if (identity === status.podIP || identity === metadata.uid) return true;
  return identity.split(/[_/|,:\s]/).includes(metadata.name);
}

interface Evidence {
  readonly held: HeldLease;
  /** The line in which the pod gives leadership as the reason why it is not ready. */
  readonly reason: ReadLine | undefined;
  /** All lines of the waiting pod, the log first. */
  readonly lines: readonly ReadLine[];
  /** Leases of its namespace. */
  readonly leases: readonly Lock[];
}

/** The first doubt that applies; `undefined` where the deadlock is proven. */
function doubtOf(evidence: Evidence): LockDoubt | undefined {
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
function isSameOrNone(line: string, { metadata }: Lock): boolean {
  const named = leaseNamedIn(line);
  return named === undefined || (named.namespace === metadata.namespace && named.name === metadata.name);
}

/** A probe's answer is the latest; a line of the log may be older than what the program fails at now. */
function isFollowedByFailure({ lines }: Pick<Evidence, 'lines'>, reason: ReadLine): boolean {
  if (reason.from === 'probe') return false;
  const log = lines.filter(({ from, container }) => from === 'log' && container === reason.container);
  return log
    .slice(log.findLastIndex(({ line }) => line === reason.line) + 1)
    .some(({ line, word }) => word === undefined && isFailureOfSomethingElse(line));
}
