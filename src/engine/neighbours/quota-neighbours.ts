import { chargedFor, type QuotaBlock } from '../creation/quota-block.js';
import type { Pod } from '../objects/pod.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import { admission, wouldBeAdmittedIf } from '../workloads/quota-admission.js';
import { inPlaceNeighbours } from './in-place-neighbour.js';
import { type MovingNeighbour, movingNeighbours } from './moving-neighbour.js';
import { ownerNames, type PodOwner } from './pod-owner.js';

/**
 * The rollouts in progress whose old pods' leaving admits the refused pod, beside the pods that replace them
 * in place; empty if it would not.
 */
export function neighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly MovingNeighbour[] {
  const now = nowOf(snapshot);
  const charged = [...movingNeighbours(snapshot), ...inPlaceNeighbours(snapshot)].filter(
    ({ leaving }) => chargedFor(block, leaving, now).length > 0,
  );
  if (charged.length === 0) return [];
  const removed = charged.flatMap(({ leaving }) => chargedFor(block, leaving, now));
  const added = charged.flatMap(({ replacements = [] }: MovingNeighbour) => [...replacements]);
  return admission(block.pod, block.quotas, now, { removed, added }).kind === 'admitted' ? charged : [];
}

/** A workload and the pods of it that may leave. */
interface Leaver {
  readonly owner: PodOwner;
  readonly leaving: readonly Pod[];
}

/**
 * The workloads that are charged for what the quota has too little of, as `namespace/name`, where the leaving
 * of all these pods admits the refused pod; empty where it does not.
 */
export function namesThatAdmit(
  snapshot: Snapshot,
  block: QuotaBlock,
  leavers: readonly Leaver[],
): readonly string[] {
  const now = nowOf(snapshot);
  const charged = leavers
    .map(({ owner, leaving }) => ({ owner, leaving: chargedFor(block, leaving, now) }))
    .filter(({ leaving }) => leaving.length > 0);
  const leaving = charged.flatMap((each) => each.leaving);
  return leaving.length > 0 && wouldBeAdmittedIf(block.pod, block.quotas, leaving, now)
    ? ownerNames(charged)
    : [];
}
