import type { CauseId } from '../diagnosis/cause-id.js';
import type { Diagnosis } from '../diagnosis/diagnosis.js';
import type { Finding } from '../diagnosis/finding.js';
import { mainFindingOf } from '../diagnosis/main-finding.js';

const deadlocks: ReadonlySet<CauseId> = new Set([
  'surge-deadlock',
  'quota-deadlock',
  'volume-attach-deadlock',
  'readiness-deadlock',
]);

/**
 * The finding that is worth speaking of unasked: a deadlock, proven, and the gravest that was found. Likely ones, and
 * all that ends by itself or by a decision that others have to make, are for those who ask.
 */
export function provenDeadlockOf(diagnosis: Diagnosis): Finding | undefined {
  const { main } = mainFindingOf(diagnosis);
  if (main?.confidence !== 'proven') return undefined;
  return deadlocks.has(main.cause) || isCycle(main) ? main : undefined;
}

/** Rollouts that wait for each other: contention by its cause, a deadlock by what was proven of it. */
function isCycle({ cause, reasoning, weakenedBy }: Finding): boolean {
  return (
    cause === 'capacity-contention' &&
    weakenedBy.length === 0 &&
    reasoning.some(({ key }) => key === 'cycle' || key === 'cycle-through-many')
  );
}
