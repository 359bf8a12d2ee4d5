import { nowOf, type Snapshot } from '../cluster/snapshot.js';
import { chargedFor, type QuotaBlock } from '../creation/quota-block.js';
import { admission, wouldBeAdmittedIf } from '../rollout/quota-admission.js';
import { departingNeighbours } from './departing-neighbours.js';
import { groupNeighbours } from './group-neighbours.js';
import { inPlaceNeighbours } from './in-place-neighbour.js';
import { type MovingNeighbour, movingNeighbours } from './moving-neighbour.js';
import { unreadNeighbours } from './unread-neighbours.js';

/**
 * The rollouts in progress whose old pods' leaving admits the refused pod, beside the pods that replace them in place;
 * empty if it would not.
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

/**
 * In-place rollouts, and those of LeaderWorkerSets, whose old pods' leaving would admit the refused pod before the
 * replacements are created.
 */
export function neighboursThatReplaceQuota(snapshot: Snapshot, block: QuotaBlock): readonly string[] {
  const now = nowOf(snapshot);
  const charged = [...inPlaceNeighbours(snapshot), ...groupNeighbours(snapshot)].filter(
    ({ leaving }) => chargedFor(block, leaving, now).length > 0,
  );
  const leaving = charged.flatMap((each) => chargedFor(block, each.leaving, now));
  return leaving.length > 0 && wouldBeAdmittedIf(block.pod, block.quotas, leaving, now)
    ? charged.map(({ owner }) => `${owner.namespace}/${owner.name}`)
    : [];
}

/** The unread neighbours whose pods' leaving admits the refused pod, as `namespace/name`; empty if it would not. */
export function unreadNeighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly string[] {
  const now = nowOf(snapshot);
  const charged = unreadNeighbours(snapshot, 'all').filter(
    ({ pods }) => chargedFor(block, pods, now).length > 0,
  );
  const leaving = charged.flatMap(({ pods }) => chargedFor(block, pods, now));
  return leaving.length > 0 && wouldBeAdmittedIf(block.pod, block.quotas, leaving, now)
    ? charged.map(({ owner }) => `${owner.namespace}/${owner.name}`)
    : [];
}

/** Workloads whose pods are stopped without a replacement, and admit the refused pod then. */
export function departingNeighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly string[] {
  const now = nowOf(snapshot);
  const charged = departingNeighbours(snapshot).filter(
    ({ leaving }) => chargedFor(block, leaving, now).length > 0,
  );
  const leaving = charged.flatMap((each) => chargedFor(block, each.leaving, now));
  return leaving.length > 0 && wouldBeAdmittedIf(block.pod, block.quotas, leaving, now)
    ? charged.map(({ owner }) => `${owner.namespace}/${owner.name}`)
    : [];
}
