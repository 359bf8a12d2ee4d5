import type { ReasonKey } from './reason-clauses-en.js';
import type { MessageReasonId } from './scheduler-message.js';

/**
 * Whether other pods' leaving could open a node that was refused.
 *
 * - `could-free`: yes. The plugin answers Unschedulable.
 * - `never`: no, node, volume or pod must change. UnschedulableAndUnresolvable, with one exception noted
 *   there.
 * - `pod-level`: no node is at fault; the pod is refused before nodes are looked at (PreFilter, PreEnqueue).
 * - `unknown`: the words do not tell. Devices (DRA) are among these: the scheduler never preempts for them,
 *   yet a device may come free when the pod that claims it goes.
 */
export type Helpfulness = 'could-free' | 'never' | 'pod-level' | 'unknown';

/** What a reason's words mean. */
export interface Recognised {
  readonly reason: MessageReasonId;
  readonly detail: string | undefined;
  readonly says: ReasonKey;
  readonly help: Helpfulness;
}

/** One form of words in which some version of a scheduler refuses. `*` is a hole. */
export interface KnownReason {
  readonly words: string;
  readonly reason: MessageReasonId;
  readonly says: ReasonKey;
  readonly help: Helpfulness;
  /** Which holes `detail` is made of (default: the first), or what it is where the words do not name it. */
  readonly detail?: readonly number[] | string;
  /** Where the words come from, and since or until which minor version. */
  readonly source: string;
}

/** Several forms of words for one reason, each with its source. */
export function worded(
  reason: Omit<KnownReason, 'words' | 'source'>,
  sourceByWords: Readonly<Record<string, string>>,
): readonly KnownReason[] {
  return Object.entries(sourceByWords).map(([words, source]) => ({ ...reason, words, source }));
}
