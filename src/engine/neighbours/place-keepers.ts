import { groupBy } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { leaderWorkerSetOfPod } from '../objects/leader-worker-set.js';
import { isReplicaSet } from '../objects/metadata.js';
import type { Node } from '../objects/node.js';
import { hasNode, isActive, type Pod, podKey } from '../objects/pod.js';
import type { Placement } from '../scheduler/placement.js';
import { podRequests } from '../scheduler/pod-requests.js';
import { evictablePods } from './evicted-pods.js';
import {
  areOfSeveralRevisions,
  byOwner,
  hasUnreadNodes,
  isAtRest,
  type OwnedPods,
  ownerKey,
  workloadOf,
} from './owned-pods.js';
import { shrinkingAmong } from './shrinking-neighbours.js';

/** Pods that are tried one by one whether the others are enough without them. */
const maxDropped = 8;

/**
 * Few workloads of others whose pods, beside the own ones, leave no node to the waiting pods, however many of
 * all other pods leave. A proof needs to know of these alone that they stay. `undefined` where no such
 * workloads are found, for example where a Job holds a node.
 *
 * @param own pods of the workload
 * @param waiting those of them that need a place
 */
export function placeKeepers(
  placement: Placement,
  own: readonly Pod[],
  waiting: readonly Pod[],
): readonly OwnedPods[] | undefined {
  const { index } = placement;
  const ownKeys = new Set(own.map(podKey));
  const others = index.objects.Pod.filter((pod) => hasNode(pod) && !ownKeys.has(podKey(pod)));
  const emptied = placement.with({ remove: new Set(others.map(podKey)) });
  const leaving = podsThatLeave(index);
  const staying = byOwner(
    index,
    others.filter((pod) => isActive(pod) && !leaving.has(pod)),
  ).filter(({ owner }) => !unowned.has(owner.kind));
  const ownerOfPod = new Map(staying.flatMap((group) => group.pods.map((pod) => [pod, group] as const)));
  const podsOn = groupBy(ownerOfPod.keys(), ({ spec }) => spec.nodeName ?? '');
  const kept = new Set<OwnedPods>();
  // The pods of the other nodes were not read because those could not take the pods even when empty.
  const nodes = [...index.nodes.values()].filter(
    ({ metadata }) => index.podsReadOn?.has(metadata.name) !== false,
  );
  for (const pod of waiting) {
    for (const name of emptied.evaluate(pod, { nodes }).feasible) {
      const node = index.nodes.get(name);
      const rank = (other: Pod): number => (kept.has(ownerOfPod.get(other) as OwnedPods) ? 1 : 0);
      const there = [...(podsOn.get(name) ?? [])].sort(
        (one, other) => rank(other) - rank(one) || shareOf(other, pod) - shareOf(one, pod),
      );
      const enough = node && fewThatBlock(emptied, pod, node, there);
      if (enough === undefined) return undefined;
      for (const each of enough) kept.add(ownerOfPod.get(each) as OwnedPods);
    }
  }
  // Rules that look at several nodes may answer otherwise once all are asked together.
  const keptPods = new Set([...kept].flatMap(({ pods }) => pods));
  const beside = placement.with({ remove: new Set(others.filter((pod) => !keptPods.has(pod)).map(podKey)) });
  const isKept = waiting.every((pod) => beside.evaluate(pod, { nodes }).outcome !== 'fits');
  return isKept ? staying.filter((group) => kept.has(group)) : undefined;
}

/** Their pods end, or nothing is known of what stops them. */
const unowned: ReadonlySet<string> = new Set(['Job', 'Node', 'Pod']);

/** Pods that may leave without a change by people, whatever their workload does. */
function podsThatLeave(index: ClusterIndex): ReadonlySet<Pod> {
  return new Set([...index.terminatingPods, ...index.finitePods, ...evictablePods(index)]);
}

/** How much of what the waiting pod needs the other one uses, of the resource that it uses most of. */
function shareOf(other: Pod, waiting: Pod): number {
  const used = podRequests(other, true);
  const shares = [...podRequests(waiting, false)].map(([resource, amount]) =>
    amount > 0n ? Number(used.get(resource) ?? 0n) / Number(amount) : 0,
  );
  return Math.max(0, ...shares);
}

/**
 * The first of these pods that leave no room on the node, without those of them that are not needed;
 * `undefined` where all of them leave room.
 */
function fewThatBlock(
  emptied: Placement,
  pod: Pod,
  node: Node,
  there: readonly Pod[],
): readonly Pod[] | undefined {
  const blocks = (some: readonly Pod[]): boolean =>
    emptied.with({ add: some }).check(pod, node).outcome === 'refused';
  if (!blocks(there)) return undefined;
  let [low, high] = [1, there.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (blocks(there.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  let few = there.slice(0, low);
  for (const each of few.slice(0, -1).reverse().slice(0, maxDropped)) {
    const others = few.filter((other) => other !== each);
    if (blocks(others)) few = others;
  }
  return few;
}

/**
 * Whether no pod of the workload leaves without a change by people, as far as the workload and what acts upon
 * it were read.
 *
 * @param absent workloads that were looked for and do not exist, as `ownerKey` writes them
 */
export function isSettled(index: ClusterIndex, group: OwnedPods, absent: ReadonlySet<string>): boolean {
  const { owner, pods } = group;
  const leaving = podsThatLeave(index);
  // Groups of a LeaderWorkerSet are stopped by what their own StatefulSet does not show.
  if (pods.some((pod) => leaving.has(pod) || leaderWorkerSetOfPod(pod) !== undefined)) return false;
  if (shrinkingAmong(index, [group], '').length > 0) return false;
  const workload = workloadOf(index, owner);
  if (workload !== undefined) return isAtRest(workload);
  if (areOfSeveralRevisions(pods)) return false;
  return isReplicaSet(owner) || absent.has(ownerKey(owner)) || !hasUnreadNodes(index);
}
