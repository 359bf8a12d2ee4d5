import { controllerOf } from '../../../cluster/metadata.js';
import type { Pod } from '../../../cluster/pod.js';
import { podKey } from '../../../cluster/pod-key.js';
import type { Difference, PodSimulator } from '../../../rollout/pod-oracle.js';

/**
 * A simulator under which a pod of this ReplicaSet finds a node only once enough pods of it exist. That all
 * of them fit at the same time is left to the order in which they are placed.
 *
 * @param observed pods of the ReplicaSet that exist
 */
export function gangSimulator(
  base: PodSimulator,
  replicaSet: string,
  minMember: number,
  observed: readonly Pod[],
): PodSimulator {
  const isMember = (pod: Pod): boolean => controllerOf(pod)?.uid === replicaSet;
  const membersIn = ({ gone, created, placed }: Difference): number => {
    const left = new Set(gone.map(podKey));
    const members = new Set([...observed, ...[...created, ...placed].filter(isMember)].map(podKey));
    return [...members].filter((key) => !left.has(key)).length;
  };
  const { countPlaces: _, likenessOf: __, contest: ___, ...rest } = base;
  return {
    ...rest,
    placementOf: (pod, difference) =>
      isMember(pod) && membersIn(difference) < minMember ? undefined : base.placementOf(pod, difference),
  };
}
