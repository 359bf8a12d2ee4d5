import { isAtRest } from '../../engine/neighbours/rest-of-workload.js';
import { selectorQuery } from '../../engine/objects/label-selector.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import { hasNode, type Pod } from '../../engine/objects/pod.js';
import type { Deployment } from '../../engine/objects/workload.js';
import { controllerRevisionHashLabel } from '../../engine/workloads/controller-revisions.js';
import type { Gathering } from './gathering.js';

/** Rollouts of others that are read whole, of those that wait and of those in progress. */
const maxNeighbours = 5;

/**
 * Reads the other Deployments of the namespace whose pods wait for a node as well, and those whose rollout is
 * half-way, with their ReplicaSets and pods: rollouts may wait for each other, and only a rollout that was
 * read whole can be said to stand still.
 *
 * The shipped rights let ReplicaSets be listed, and not be read by name.
 *
 * @param own pods of the workload itself; when none of them waits, only sets in the middle of an update are
 *   read: they may free a quota
 * @returns the pods of the Deployments that wait
 */
export async function readNeighbours(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  namespace: string,
  own: readonly Pod[],
): Promise<readonly Pod[]> {
  await readSetsInUpdate(gathering, namespace);
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
  const theirs = deployments.filter(({ metadata }) => metadata.namespace === namespace);
  const waiting = theirs.filter(({ metadata }) => uids.has(metadata.uid));
  const moving = theirs
    .filter((deployment) => !uids.has(deployment.metadata.uid) && isUnfinished(deployment))
    .filter(({ metadata }) => metadata.uid !== ownerOfAll(gathering, own))
    .slice(0, maxNeighbours);
  const [waitingPods] = await Promise.all([
    Promise.all(waiting.map((deployment) => readWhole(gathering, deployment))),
    Promise.all(moving.map((deployment) => readWhole(gathering, deployment))),
  ]);
  return waitingPods.flat();
}

type Lists = Pick<Gathering, 'list' | 'objects'>;

/** The ReplicaSets of a Deployment and its pods, wherever they run. Returns the pods. */
async function readWhole(gathering: Lists, { metadata, spec }: Deployment): Promise<readonly Pod[]> {
  const { namespace } = metadata;
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
}

/**
 * A rollout that its status shows to be half-way. Its new pods may start on nodes that the waiting pod could
 * not use, and whose pods are not read: what it frees would be missed.
 */
function isUnfinished(deployment: Deployment): boolean {
  return deployment.metadata.deletionTimestamp === undefined && !isAtRest(deployment);
}

/** The Deployment of the own pods; its ReplicaSets are read already. */
function ownerOfAll(gathering: Lists, own: readonly Pod[]): string | undefined {
  const uids = new Set(own.map((pod) => controllerOf(pod)?.uid));
  const replicaSet = gathering.objects().ReplicaSet.find(({ metadata }) => uids.has(metadata.uid));
  return replicaSet === undefined ? undefined : controllerOf(replicaSet)?.uid;
}

/** StatefulSets and DaemonSets of the namespace of which pods of several revisions were read. */
async function readSetsInUpdate(gathering: Lists, namespace: string): Promise<void> {
  const revisions = new Map<string, Set<string>>();
  for (const pod of gathering.objects().Pod) {
    const owner = controllerOf(pod);
    if (pod.metadata.namespace !== namespace) continue;
    if (owner?.kind !== 'StatefulSet' && owner?.kind !== 'DaemonSet') continue;
    const key = `${owner.kind}/${owner.name}`;
    const found = revisions.get(key) ?? new Set<string>();
    revisions.set(key, found.add(pod.metadata.labels[controllerRevisionHashLabel] ?? ''));
  }
  const mixed = [...revisions].filter(([, hashes]) => hashes.size > 1).slice(0, maxNeighbours);
  await Promise.all(
    mixed.map(([key]) => {
      const fieldSelector = `metadata.name=${key.slice(key.indexOf('/') + 1)}`;
      return key.startsWith('StatefulSet/')
        ? gathering.list('StatefulSet', { namespace, fieldSelector })
        : gathering.list('DaemonSet', { namespace, fieldSelector });
    }),
  );
}
