import { selectorQuery } from '../../core/cluster/label-selector.js';
import { controllerOf } from '../../core/cluster/metadata.js';
import { hasNode, type Pod } from '../../core/cluster/pod.js';
import type { Gathering } from './gathering.js';

/** Rollouts of others that are read whole. */
const maxNeighbours = 5;

/**
 * Reads the other Deployments of the namespace whose pods wait for a node as well, with their ReplicaSets and pods:
 * rollouts may wait for each other, and only a rollout that was read whole can be said to stand still.
 *
 * The shipped rights let ReplicaSets be listed, and not be read by name.
 *
 * @param own pods of the workload itself; nothing is read when none of them waits
 * @returns the pods of those Deployments
 */
export async function readNeighbours(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  namespace: string,
  own: readonly Pod[],
): Promise<readonly Pod[]> {
  if (own.every(hasNode)) return [];
  const ownUids = new Set(own.map(({ metadata }) => metadata.uid));
  const { Pod: pods, Deployment: deployments } = gathering.objects();
  const replicaSets = new Set(
    pods
      .filter(
        (pod) => pod.metadata.namespace === namespace && !hasNode(pod) && !ownUids.has(pod.metadata.uid),
      )
      .flatMap((pod) => {
        const owner = controllerOf(pod);
        return owner?.kind === 'ReplicaSet' ? [owner.name] : [];
      }),
  );
  const read = await Promise.all(
    [...replicaSets]
      .slice(0, maxNeighbours)
      .map((name) => gathering.list('ReplicaSet', { namespace, fieldSelector: `metadata.name=${name}` })),
  );
  const uids = new Set(read.flat().flatMap((replicaSet) => controllerOf(replicaSet)?.uid ?? []));
  const neighbours = await Promise.all(
    deployments
      .filter(({ metadata }) => metadata.namespace === namespace && uids.has(metadata.uid))
      .map(async ({ metadata, spec }) => {
        const labelSelector = selectorQuery(spec.selector);
        const [theirSets, theirPods] = await Promise.all([
          gathering.list('ReplicaSet', { namespace, labelSelector }),
          gathering.list('Pod', { namespace, labelSelector }),
        ]);
        const owned = new Set(
          theirSets
            .filter((replicaSet) => controllerOf(replicaSet)?.uid === metadata.uid)
            .map((replicaSet) => replicaSet.metadata.uid),
        );
        return theirPods.filter((pod) => owned.has(controllerOf(pod)?.uid ?? ''));
      }),
  );
  return neighbours.flat();
}
