import type { ClusterIndex } from '../cluster/cluster-index.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import { byOwner, inOwnerOrder, type OwnedPods, ownerKey, ownerOf } from './pod-owner.js';

/**
 * Gives pods by workload as `byOwner` does, without those of one workload. The pods of an index are grouped once, and a
 * group of which no pod is left out is the same object each time: a scan asks for every workload.
 *
 * @param isMeant which pods are grouped; the same for every call
 */
export function groupPodsOfOthers(
  isMeant: (pod: Pod) => boolean,
): (index: ClusterIndex, own: readonly Pod[]) => readonly OwnedPods[] {
  const known = new WeakMap<ClusterIndex, readonly OwnedPods[]>();
  return (index, own) => {
    const all = known.get(index) ?? byOwner(index, index.objects.Pod.filter(isMeant));
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
