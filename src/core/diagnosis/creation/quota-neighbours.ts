import { nowOf, type Snapshot } from '../../cluster/snapshot.js';
import { wouldBeAdmittedIf } from '../../rollout/quota-admission.js';
import { type MovingNeighbour, movingNeighbours } from '../waiting/moving-neighbour.js';
import { chargedFor, type QuotaBlock } from './quota-block.js';

/** The rollouts in progress whose old pods' leaving admits the refused pod; empty if it would not. */
export function neighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly MovingNeighbour[] {
  const now = nowOf(snapshot);
  const charged = movingNeighbours(snapshot).filter(
    ({ leaving }) => chargedFor(block, leaving, now).length > 0,
  );
  if (charged.length === 0) return [];
  const leaving = charged.flatMap((neighbour) => chargedFor(block, neighbour.leaving, now));
  return wouldBeAdmittedIf(block.pod, block.quotas, leaving, now) ? charged : [];
}
