import { chargedFor, dearestFirst, type QuotaBlock } from '../creation/quota-block.js';
import type { Pod } from '../objects/pod.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import { admission, wouldBeAdmittedIf } from '../workloads/quota-admission.js';
import { departingNeighbours } from './departing-neighbours.js';
import { groupNeighbours } from './group-neighbours.js';
import { inPlaceNeighbours } from './in-place-neighbour.js';
import { type MovingNeighbour, movingNeighbours } from './moving-neighbour.js';
import { type OwnedPods, ownerNames, type PodOwner } from './pod-owner.js';
import { shrinkingNeighbours } from './shrinking-neighbours.js';
import { stalledNeighbours } from './stalled-neighbours.js';
import { unreadNeighbours } from './unread-neighbours.js';

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

/**
 * In-place rollouts, and those of LeaderWorkerSets, whose old pods' leaving would admit the refused pod
 * before the replacements are created.
 */
export function neighboursThatReplaceQuota(snapshot: Snapshot, block: QuotaBlock): readonly string[] {
  return namesThatAdmit(snapshot, block, [...inPlaceNeighbours(snapshot), ...groupNeighbours(snapshot)]);
}

/** The unread neighbours whose pods' leaving admits the refused pod. */
export function unreadNeighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly string[] {
  return namesThatAdmit(snapshot, block, asLeavers(unreadNeighbours(snapshot, 'all')));
}

/** Workloads whose pods are stopped without a replacement, and admit the refused pod then. */
export function departingNeighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly string[] {
  return namesThatAdmit(snapshot, block, departingNeighbours(snapshot));
}

/** Workloads whose rollout is stuck at a failing pod, and whose old pods' leaving admits the refused pod. */
export function stalledNeighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly string[] {
  return namesThatAdmit(snapshot, block, asLeavers(stalledNeighbours(snapshot)));
}

/** Those whose autoscalers may free the quota that refuses the pod. */
export function shrinkingNeighboursThatFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly string[] {
  const now = nowOf(snapshot);
  const charged = shrinkingNeighbours(snapshot).map(({ owner, pods, removable }) => ({
    owner,
    leaving: dearestFirst(block, chargedFor(block, pods, now), now).slice(0, removable),
  }));
  return namesThatAdmit(snapshot, block, charged);
}

const asLeavers = (neighbours: readonly OwnedPods[]) =>
  neighbours.map(({ owner, pods }) => ({ owner, leaving: pods }));

/** A workload and the pods of it that may leave. */
interface Leaver {
  readonly owner: PodOwner;
  readonly leaving: readonly Pod[];
}

/**
 * The workloads that are charged for what the quota has too little of, as `namespace/name`, where the leaving
 * of all these pods admits the refused pod; empty where it does not.
 */
function namesThatAdmit(
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
