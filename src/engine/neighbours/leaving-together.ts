import { chargedFor, dearestFirst, type QuotaBlock, smallestRelease } from '../creation/quota-block.js';
import { hasNode, type Pod, podKey } from '../objects/pod.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import type { Placement } from '../scheduler/placement.js';
import { isOverdue } from '../workloads/simulated-pods.js';
import { evictablePods } from './evicted-pods.js';
import { departingNeighbours, movingNeighbours } from './moving-neighbours.js';
import { withThoseThatFollow } from './neighbours-that-free.js';
import { groupNeighbours, inPlaceNeighbours } from './replaced-neighbours.js';
import { mostOnEachNode, type ShrinkingNeighbour, shrinkingNeighbours } from './shrinking-neighbours.js';
import { stalledNeighbours, unreadNeighbours } from './stalled-neighbours.js';

/**
 * The fewest pods whose leaving lets the scheduler place the pod, out of all that may leave without a change
 * by people: for example one of a Job that ends and one that an autoscaler stops. Empty where the pod would
 * not fit without all of them. Each doubt on its own sees the pods of one kind only.
 */
export function podsThatMayLeave(
  { snapshot, placement }: { snapshot: Snapshot; placement: Placement },
  pod: Pod,
): readonly Pod[] {
  const leaving = mayLeave(snapshot);
  const all = withThoseThatFollow({ snapshot, placement }, [{ leaving }]).flatMap((each) => each.leaving);
  const without = new Set(all.map(podKey));
  if (all.length === 0 || placement.evaluate(pod, { without }).outcome !== 'fits') return [];
  const fewestOf = (pods: readonly Pod[]): readonly Pod[] | undefined =>
    placement.wouldFitIf(pod, pods).nodes.find(({ remove }) => remove.length > 0)?.remove;
  // Those that follow leave after one of the first. In a large cluster the search for the fewest may end
  // without a result.
  return fewestOf(leaving) ?? fewestOf(all) ?? all;
}

/**
 * The fewest of such pods whose leaving admits the pod that a quota refuses; empty where all of them are not
 * enough.
 */
export function podsThatMayFreeQuota(snapshot: Snapshot, block: QuotaBlock): readonly Pod[] {
  const now = nowOf(snapshot);
  const dearest = ({ pods, removable }: ShrinkingNeighbour) =>
    dearestFirst(block, chargedFor(block, pods, now), now).slice(0, removable);
  const leaving = mayLeave(snapshot, { shrink: dearest, unread: unreadNeighbours(snapshot, 'all') });
  return smallestRelease(block, chargedFor(block, leaving, now), now) ?? [];
}

/**
 * Pods with a node that may leave without a change by people.
 *
 * @param shrink which pods an autoscaler may stop at the same time; as a rule, as many on each node as it may
 *   stop
 */
export function mayLeave(
  snapshot: Snapshot,
  { shrink = mostOnEachNode, unread = unreadNeighbours(snapshot) } = {},
): readonly Pod[] {
  const { index } = snapshot;
  const now = nowOf(snapshot);
  const leaving = [
    ...index.terminatingPods.filter((pod) => !isOverdue(pod, now)),
    ...index.finitePods,
    ...evictablePods(index),
    ...[
      ...movingNeighbours(snapshot),
      ...inPlaceNeighbours(snapshot),
      ...departingNeighbours(snapshot),
      ...groupNeighbours(snapshot),
    ].flatMap((neighbour) => neighbour.leaving),
    ...[...stalledNeighbours(snapshot), ...unread].flatMap(({ pods }) => pods),
    ...shrinkingNeighbours(snapshot).flatMap(shrink),
  ];
  return [...new Map(leaving.filter(hasNode).map((pod) => [podKey(pod), pod])).values()];
}
