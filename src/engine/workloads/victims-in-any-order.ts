import type { Pod } from '../objects/pod.js';
import { goesBefore, type Victims } from './replica-set-victims.js';

/** A ReplicaSet that deletes pods at the same moment as others of its Deployment. */
export interface Shrinking {
  /** Its uid. */
  readonly owner: string;
  /** Its active pods before it deletes the victims. */
  readonly active: readonly Pod[];
  readonly victims: Victims;
}

/**
 * Pods of one ReplicaSet that are compared with each other. Beyond it, all of them count as possible victims.
 */
const maxCompared = 500;
/** Rounds in which one ReplicaSet's alternatives make another one's possible. */
const maxRounds = 8;

/**
 * All pods that the ReplicaSets may delete, in whatever order they are synced. Several workers sync them at
 * the same time, and each counts the pods of its Deployment on a node as its cache shows them (kubernetes
 * `replica_set.go: getPodsRankedByRelatedPodsOnSameNode`), so each may or may not have seen any deletion of
 * the others. Every possible victim is listed. Where one deletion would have to be seen on two nodes, a pod
 * too many may be listed. Empty where fewer than two ReplicaSets shrink.
 *
 * @param left active pods by node once all victims are gone
 * @param now epoch milliseconds
 * @param spend receives the number of pods compared
 */
export function victimsInAnyOrder(
  shrinking: readonly Shrinking[],
  left: ReadonlyMap<string, number>,
  now: number,
  spend: (units: number) => void,
): readonly Pod[] {
  if (new Set(shrinking.map(({ owner }) => owner)).size < 2) return [];
  let possible = shrinking.map(({ victims }): readonly Pod[] => [...victims.pods, ...victims.orElse]);
  for (let round = 0; round < maxRounds; round += 1) {
    const next = shrinking.map((one) => {
      spend(one.active.length);
      const fewest = ranksWhereAll(one, shrinking, possible, left);
      const most = ranksWhereNone(one, shrinking, left);
      return possibleVictims(one, fewest, most, now, spend);
    });
    if (next.every((pods, index) => pods.length === possible[index]?.length)) return next.flat();
    possible = next;
  }
  return shrinking.flatMap(({ active }) => active);
}

/** Active pods by node. */
type Ranks = ReadonlyMap<string, number>;

/** As the ReplicaSet counts them where it has seen no deletion of another one. */
function ranksWhereNone(one: Shrinking, shrinking: readonly Shrinking[], left: Ranks): Ranks {
  const ranks = new Map(left);
  const first = shrinking.indexOf(one);
  shrinking.forEach(({ owner, victims }, index) => {
    // It waits until it has seen its own deletions before it is synced again.
    if (owner === one.owner && index < first) return;
    for (const pod of victims.pods) add(ranks, pod, 1);
  });
  return ranks;
}

/** As it counts them at least: every other ReplicaSet has deleted as many as it can on each node. */
function ranksWhereAll(
  one: Shrinking,
  shrinking: readonly Shrinking[],
  possible: readonly (readonly Pod[])[],
  left: Ranks,
): Ranks {
  const ranks = new Map(ranksWhereNone(one, shrinking, left));
  shrinking.forEach(({ owner, victims }, index) => {
    if (owner === one.owner) return;
    const counts = new Map<string, number>();
    for (const pod of possible[index] ?? []) add(counts, pod, 1);
    for (const [node, count] of counts) {
      ranks.set(node, (ranks.get(node) ?? 0) - Math.min(count, victims.pods.length));
    }
  });
  return ranks;
}

function add(ranks: Map<string, number>, pod: Pod, by: number): void {
  const node = nodeOf(pod);
  ranks.set(node, (ranks.get(node) ?? 0) + by);
}

/** A pod may go where, at its best, fewer pods than are deleted are certain to go before it. */
function possibleVictims(
  { active, victims }: Shrinking,
  fewest: Ranks,
  most: Ranks,
  now: number,
  spend: (units: number) => void,
): readonly Pod[] {
  const nodes = new Set(active.map(nodeOf));
  if ([...nodes].every((node) => fewest.get(node) === most.get(node))) {
    return [...victims.pods, ...victims.orElse];
  }
  if (active.length > maxCompared) return active;
  spend(active.length * active.length);
  return active.filter((pod) => {
    const node = nodeOf(pod);
    const rank = most.get(node) ?? 0;
    const before = active.filter((other) => {
      if (other === pod) return false;
      const otherRank = nodeOf(other) === node ? rank : (fewest.get(nodeOf(other)) ?? 0);
      return goesBefore(other, otherRank, pod, rank, now);
    });
    return before.length < victims.pods.length;
  });
}

function nodeOf({ spec }: Pod): string {
  return spec.nodeName ?? '';
}
