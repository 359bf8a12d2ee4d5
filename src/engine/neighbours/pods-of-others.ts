import { greatestOf } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { hasNode, isActive, type Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod-key.js';
import { priorityOf } from '../scheduler/priority.js';
import { byOwner, inOwnerOrder, joinedByOwner, type OwnedPods, ownerKey, ownerOf } from './pod-owner.js';

/**
 * Gives pods with a controller by workload as `byOwner` does, without those of one workload. The pods of an
 * index are grouped once, and a group of which no pod is left out is the same object each time: a scan asks
 * for every workload.
 *
 * @param isMeant which of them are grouped; the same for every call
 */
export function groupPodsOfOthers(
  isMeant: (pod: Pod) => boolean,
): (index: ClusterIndex, own: readonly Pod[]) => readonly OwnedPods[] {
  const known = new WeakMap<ClusterIndex, readonly OwnedPods[]>();
  return (index, own) => {
    const all = known.get(index) ?? meantOf(allOwned(index), isMeant);
    known.set(index, all);
    const owners = new Set(own.map((pod) => ownerKey(ownerOf(index, pod))));
    if (owners.size === 0) return all;
    const left = new Set(own.map(podKey));
    const isWhole = ({ owner }: OwnedPods): boolean => !owners.has(ownerKey(owner));
    const others = all.filter(isWhole);
    const parts = all
      .filter((group) => !isWhole(group))
      .flatMap(({ pods }) => pods.filter((pod) => !left.has(podKey(pod))));
    return parts.length === 0 ? others : [...others, ...byOwner(index, parts)].sort(inOwnerOrder);
  };
}

/**
 * Every pod of an index with a controller, by workload. Grouping 50,000 pods takes longer than all questions
 * about them.
 */
function allOwned(index: ClusterIndex): readonly OwnedPods[] {
  const all = owned.get(index) ?? joinedByOwner(index, index.podsByOwner.values());
  owned.set(index, all);
  return all;
}

const owned = new WeakMap<ClusterIndex, readonly OwnedPods[]>();

function meantOf(groups: readonly OwnedPods[], isMeant: (pod: Pod) => boolean): readonly OwnedPods[] {
  return groups
    .flatMap((group): readonly OwnedPods[] => {
      if (group.pods.every(isMeant)) return [group];
      const pods = group.pods.filter(isMeant);
      return pods.length === 0
        ? []
        : [{ owner: group.owner, pods, priority: greatestOf(pods.map(priorityOf)) }];
    })
    .sort(inOwnerOrder);
}

/** Pods of other workloads that have a node and may run. */
export const placedPodsOfOthers = groupPodsOfOthers((pod) => isActive(pod) && hasNode(pod));
