import type { RolloutStatus } from './rollout-status.js';

/** What a fresh diagnosis says after a change. */
export type Verdict = 'recovered' | 'progressing' | 'unchanged' | 'worse';

/** The facts of one look at a workload that a verdict rests on. */
export interface VerdictFacts {
  /** Whether the finding that the change was meant to end is there. */
  readonly findingPresent: boolean;
  readonly rollout: RolloutStatus;
  /** Pods of all revisions that are ready. */
  readonly ready: number;
  /** Pods wanted. */
  readonly wanted: number;
  /** Pods of the new revision that are available. */
  readonly newAvailable: number;
}

/**
 * `recovered`: the finding is gone, the rollout complete, and every wanted pod ready. `progressing`: the finding is
 * gone, or more pods of the new revision are available than before. `worse`: the finding is still there and fewer
 * pods are ready. `unchanged`: anything else. Fewer ready pods alone are no harm while the finding is gone: an old
 * pod had to make room.
 */
export function verdictOf(before: VerdictFacts, after: VerdictFacts): Verdict {
  if (after.findingPresent) {
    if (after.newAvailable > before.newAvailable) return 'progressing';
    return after.ready < before.ready ? 'worse' : 'unchanged';
  }
  const isServed = after.ready >= after.wanted;
  if (after.rollout.kind === 'complete' && isServed) return 'recovered';
  if (after.rollout.kind === 'not-followed' && isServed) return 'recovered';
  if (after.rollout.kind === 'failed' && after.ready < before.ready) return 'worse';
  return 'progressing';
}
