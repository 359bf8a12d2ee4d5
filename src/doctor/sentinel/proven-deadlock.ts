import type { Diagnosis } from '../findings/diagnosis.js';
import type { Finding } from '../findings/finding.js';
import { mainFindingOf } from '../findings/main-finding.js';

/**
 * The finding to report without being asked: a proven wait cycle that is the main finding. Likely ones, and
 * causes that end by themselves or by a decision of other people, are for those who ask.
 */
export function provenDeadlockOf(diagnosis: Diagnosis): Finding | undefined {
  const { main } = mainFindingOf(diagnosis);
  return main?.confidence === 'proven' && main.waitCycle !== undefined ? main : undefined;
}
