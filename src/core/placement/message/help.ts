import type { Helpfulness } from './known-reason.js';
import type { ReasonKey } from './reason-clauses-en.js';
import { meaningOf } from './recognise.js';
import type { MessageReason, SchedulerMessage } from './scheduler-message.js';

/** Which of the refused nodes other pods' leaving could open. `could` + `never` + `unclear` = `nodes`. */
export interface Help {
  readonly nodes: number;
  readonly could: number;
  readonly never: number;
  /**
   * Nodes refused for what the words do not settle: devices, which the scheduler never preempts for, and
   * unknown reasons where there is no preemption part.
   */
  readonly unclear: number;
  /**
   * False when `could` is only an upper bound, because a resource is short and the sentence counts nodes that
   * are too small even when empty like nodes that are full (no preemption part, or a scheduler before 1.34).
   */
  readonly exact: boolean;
}

/** How the nodes short of one resource divide. */
export interface Shortage {
  readonly resource: string;
  readonly count: number;
  /** Nodes that have enough of it, in use. */
  readonly inUse: number;
  /** Nodes that have none, or less than the pod requests, even when empty. */
  readonly tooSmall: number;
}

export function helpfulnessOf(reason: MessageReason): Helpfulness {
  return meaningOf(reason).help;
}

/**
 * Derived from the reasons' classes and, where the scheduler tried preemption, from what it found: a node
 * counted as `Preemption is not helpful` is closed whoever leaves, one with `No preemption victims` or
 * another reason is not (`preemption.go: findCandidates` looks only at nodes with status Unschedulable; since
 * 1.34 `fit.go: Unresolvable` marks nodes whose allocatable is below the request).
 *
 * @returns undefined where the sentence counts no nodes, refuses the pod before nodes are looked at, or its
 *   counts do not tell how the nodes divide
 */
export function helpOf(message: SchedulerMessage): Help | undefined {
  const { nodes } = message;
  if (nodes === undefined || nodes === 0) return undefined;
  const sums = sumByHelp(message);
  if (sums === undefined || sums['pod-level'] > 0) return undefined;
  const closed = closedToPreemption(message);
  if (closed !== undefined) {
    const unclear = Math.min(countSaying(message, 'devices'), closed);
    const never = Math.min(nodes, closed - unclear + countSaying(message, 'driver-missing'));
    return {
      nodes,
      could: nodes - never - unclear,
      never,
      unclear,
      exact: isExact(message, never, sums.never),
    };
  }
  const sum = sums['could-free'] + sums.never + sums.unknown;
  const could = nodes - sums.never - sums.unknown;
  if (sum < nodes || could < 0 || (sum > nodes && could < mostCouldFree(message))) return undefined;
  return {
    nodes,
    could,
    never: sums.never,
    unclear: sums.unknown,
    exact: could === 0 || countSaying(message, 'resource') === 0,
  };
}

/**
 * A node without any GPU and a node whose GPUs are taken both count as `Insufficient nvidia.com/gpu`. Where
 * this is the only reason that pods could lift, and every node has one reason, the preemption part tells them
 * apart.
 */
export function shortageOf(message: SchedulerMessage): Shortage | undefined {
  const help = helpOf(message);
  const sums = sumByHelp(message);
  const liftable = message.reasons.filter((reason) => helpfulnessOf(reason) === 'could-free');
  const [only] = liftable;
  if (help === undefined || sums === undefined || only?.count === undefined || liftable.length > 1)
    return undefined;
  const resource = only.detail;
  const divides = sums['could-free'] + sums.never === help.nodes && sums.unknown === 0;
  if (resource === undefined || !divides || !help.exact || closedToPreemption(message) === undefined)
    return undefined;
  return { resource, count: only.count, inUse: help.could, tooSmall: only.count - help.could };
}

type Sums = Record<Helpfulness, number>;

function sumByHelp({ reasons }: SchedulerMessage): Sums | undefined {
  const sums: Sums = { 'could-free': 0, never: 0, 'pod-level': 0, unknown: 0 };
  if (reasons.length === 0) return undefined;
  for (const reason of reasons) {
    const help = helpfulnessOf(reason);
    if (reason.count === undefined && help !== 'pod-level') return undefined;
    sums[help] += reason.count ?? 1;
  }
  return sums;
}

function countSaying({ reasons }: SchedulerMessage, key: ReasonKey): number {
  return reasons.reduce(
    (sum, reason) => (meaningOf(reason).says === key ? sum + (reason.count ?? 0) : sum),
    0,
  );
}

/** Nodes on which preemption does not help, or undefined when its part does not count every node. */
function closedToPreemption({ nodes, preemption }: SchedulerMessage): number | undefined {
  const sum = preemption.reasons.reduce((total, { count }) => total + (count ?? 0), 0);
  if (preemption.reasons.length === 0 || sum !== nodes) return undefined;
  return preemption.reasons.reduce(
    (total, { reason, count }) => total + (reason === 'not-helpful' ? (count ?? 0) : 0),
    0,
  );
}

function isExact(message: SchedulerMessage, never: number, neverByReason: number): boolean {
  const sizeMatters = countSaying(message, 'resource') > 0;
  return !sizeMatters || never > neverByReason || never === message.nodes || tellsSize(message);
}

/** Words that only schedulers have that set nodes apart which are too small (since 1.34). */
function tellsSize({ reasons }: SchedulerMessage): boolean {
  return reasons.some(({ text }) => text === 'node(s) had untolerated taint(s)');
}

function mostCouldFree({ reasons }: SchedulerMessage): number {
  return reasons.reduce(
    (most, reason) => (helpfulnessOf(reason) === 'could-free' ? Math.max(most, reason.count ?? 0) : most),
    0,
  );
}
