import {
  byOwner,
  hasUnreadNodes,
  isAtRest,
  type OwnedPods,
  ownerKey,
  type PodOwner,
  workloadOf,
} from '../../engine/neighbours/owned-pods.js';
import { isSettled, placeKeepers } from '../../engine/neighbours/place-keepers.js';
import { type ClusterIndex, indexObjects } from '../../engine/objects/cluster-index.js';
import { selectorQuery } from '../../engine/objects/label-selector.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod, podKey } from '../../engine/objects/pod.js';
import type { Deployment, Workload, WorkloadKind } from '../../engine/objects/workload.js';
import { hasOrdinals, hasPodPerNode, workloadKinds } from '../../engine/objects/workload.js';
import { createPlacement, type Placement } from '../../engine/scheduler/placement.js';
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
    if (!hasOrdinals(owner) && !hasPodPerNode(owner)) continue;
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

/**
 * Lists of workloads that are read to find out whether those that hold a place rest: as many as nodes, at
 * least these. Published in docs/limits.md.
 */
const minLists = 12;
/**
 * Workloads of one kind and namespace that are read by name; more of them are read with the whole namespace.
 */
const maxByName = 2;
/** Objects of a kind that such a namespace is expected to hold. */
const maxInNamespace = 500;
/** Of those in progress, as many are read with all their pods. */
const maxWhole = 5;
/** Other namespaces with holders whose autoscalers are read. Published in docs/limits.md. */
const maxAutoscalerLists = 12;
/**
 * With holders in more namespaces, all autoscalers of the cluster are read, unless there are more. Published
 * in docs/limits.md.
 */
const maxAutoscalers = 2_000;
/** Own pods that wait; siblings of one revision are alike. */
const maxWaiting = 3;
/** Workloads that are tried alone. */
const maxTriedAlone = 50;

type HolderLists = Pick<Gathering, 'tryList' | 'list' | 'miss' | 'objects' | 'unseen'>;

/**
 * Reads the workloads of others that hold the place for which an own pod waits, where some of their pods may
 * be on nodes that were not read: a rollout whose new pod starts there frees the place when that pod is
 * ready. The autoscalers of the holders' namespaces are read in any case.
 *
 * First those few are read that hold the place whatever all others do (`placeKeepers`). Where they stay, no
 * other workload can free the place, and none is read. Else all holders are, those in progress with their
 * ReplicaSets and all their pods.
 *
 * @param own pods of the workload; nothing is read when none of them waits
 * @param readOn names of the nodes whose pods were read
 * @param alsoReadIn reads what else is in the other namespaces whose autoscalers are read
 * @returns the workloads that were looked for and do not exist, as `ownerKey` writes them
 */
export async function readHolders(
  gathering: HolderLists,
  own: readonly Pod[],
  readOn: ReadonlySet<string>,
  alsoReadIn: (namespaces: readonly string[]) => Promise<void> = async () => {},
): Promise<ReadonlySet<string>> {
  const absent = new Set<string>();
  const waiting = own.filter((pod) => isActive(pod) && !hasNode(pod)).slice(0, maxWaiting);
  const index = indexObjects(gathering.objects(), readOn);
  // Where pods were not read, nothing is proven in any case.
  if (gathering.unseen().some(({ what }) => what === 'Pod')) return absent;
  const placement = createPlacement(index);
  if (waiting.length === 0 || waiting.some((pod) => placement.evaluate(pod).outcome === 'fits')) {
    return absent;
  }
  const known: KnownAutoscalers = { namespaces: new Set(), areAll: undefined };
  let listsLeft = Math.max(minLists, readOn.size);
  const read = async (holders: readonly OwnedPods[]): Promise<ClusterIndex> => {
    await alsoReadIn(await readAutoscalers(gathering, own, holders, known));
    if (hasUnreadNodes(index)) {
      const now = { objects: gathering.objects() };
      const lists = listsFor(
        now,
        holders.map(({ owner }) => owner).filter((owner) => !absent.has(ownerKey(owner))),
      ).slice(0, listsLeft);
      listsLeft -= lists.length;
      await Promise.all(lists.map((list) => readList(gathering, list, absent)));
    }
    return indexObjects(gathering.objects(), readOn);
  };
  const keepers = placeKeepers(placement, own, waiting);
  if (keepers !== undefined) {
    const after = await read(keepers);
    if (keepers.every((group) => isSettled(after, group, absent))) return absent;
  }
  const holders = holdersOf(placement, own, waiting);
  const { objects } = await read(holders);
  if (!hasUnreadNodes(index)) return absent;
  const inProgress = holders
    .flatMap(({ owner }) => workloadOf({ objects }, owner) ?? [])
    .filter((workload) => !isAtRest(workload) && !index.replicaSetsByOwner.has(workload.metadata.uid))
    .slice(0, maxWhole);
  await Promise.all(inProgress.map((workload) => readPodsOf(gathering, workload)));
  return absent;
}

/** Notes which of the owners do not exist. */
async function readList(
  gathering: HolderLists,
  { kind, namespace, owners, name }: WorkloadList,
  absent: Set<string>,
): Promise<void> {
  const selection =
    name === undefined
      ? { namespace, max: maxInNamespace }
      : { namespace, fieldSelector: `metadata.name=${name}` };
  const found = await gathering.tryList(kind, selection);
  if ('type' in found || (name === undefined && found.length >= maxInNamespace)) return;
  for (const owner of owners) {
    if (!found.some(({ metadata }) => metadata.name === owner.name)) absent.add(ownerKey(owner));
  }
}

interface KnownAutoscalers {
  readonly namespaces: Set<string>;
  /** Whether one list gave those of the cluster; `undefined` where it was not asked for. */
  areAll: boolean | undefined;
}

/**
 * HorizontalPodAutoscalers of other namespaces; those of the own one are read already. One of them may stop a
 * holder.
 *
 * @param known what was read before; what is read now is added
 * @returns the namespaces that were read now
 */
async function readAutoscalers(
  gathering: HolderLists,
  own: readonly Pod[],
  holders: readonly OwnedPods[],
  known: KnownAutoscalers,
): Promise<readonly string[]> {
  if (known.areAll === true) return [];
  const scalable = holders.filter(({ owner }) => owner.kind !== 'DaemonSet');
  const namespaces = [...new Set(scalable.map(({ owner }) => owner.namespace))].filter(
    (namespace) => namespace !== own[0]?.metadata.namespace && !known.namespaces.has(namespace),
  );
  const first = namespaces.slice(0, Math.max(0, maxAutoscalerLists - known.namespaces.size));
  for (const namespace of first) known.namespaces.add(namespace);
  if (namespaces.length > first.length && known.areAll === undefined) {
    const all = await gathering.tryList('HorizontalPodAutoscaler', { max: maxAutoscalers });
    known.areAll = !('type' in all) && all.length < maxAutoscalers;
    if (known.areAll) return first;
  }
  await Promise.all(
    first.map((namespace) => gathering.list('HorizontalPodAutoscaler', { namespace, max: maxInNamespace })),
  );
  for (const namespace of namespaces.slice(first.length)) {
    known.namespaces.add(namespace);
    gathering.miss('HorizontalPodAutoscaler', namespace, { because: 'too-many', message: '' });
  }
  return first;
}

/**
 * Workloads of others without whose pods a waiting pod would have a place: each that is enough alone, else
 * all.
 */
function holdersOf(placement: Placement, own: readonly Pod[], waiting: readonly Pod[]): readonly OwnedPods[] {
  const { index } = placement;
  const ownKeys = new Set(own.map(podKey));
  const placed = index.objects.Pod.filter(
    (pod) => isActive(pod) && hasNode(pod) && controllerOf(pod) !== undefined && !ownKeys.has(podKey(pod)),
  );
  const others = byOwner(index, placed).filter(({ owner }) => owner.kind !== 'Job' && owner.kind !== 'Node');
  const fitsWithout = (some: readonly OwnedPods[]): boolean => {
    const without = new Set(some.flatMap(({ pods }) => pods.map(podKey)));
    return waiting.some((pod) => placement.evaluate(pod, { without }).outcome === 'fits');
  };
  if (others.length === 0 || !fitsWithout(others)) return [];
  const alone = others.slice(0, maxTriedAlone).filter((each) => fitsWithout([each]));
  return [...alone, ...others.filter((each) => !alone.includes(each))];
}

interface WorkloadList {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly owners: readonly PodOwner[];
  /** Only this one; the whole namespace where it is left out. */
  readonly name?: string;
}

/** The lists that hold those workloads that were not read, in their order. */
function listsFor(
  index: Pick<ClusterIndex, 'objects'>,
  owners: readonly PodOwner[],
): readonly WorkloadList[] {
  const groups = new Map<string, { kind: WorkloadKind; namespace: string; owners: PodOwner[] }>();
  for (const owner of owners) {
    const { kind, namespace } = owner;
    if (!isWorkloadKind(kind) || workloadOf(index, owner) !== undefined) continue;
    const key = `${namespace}/${kind}`;
    const group = groups.get(key) ?? { kind, namespace, owners: [] };
    group.owners.push(owner);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap((group): readonly WorkloadList[] =>
    group.owners.length > maxByName
      ? [group]
      : group.owners.map((owner) => ({ ...group, owners: [owner], name: owner.name })),
  );
}

async function readPodsOf(gathering: HolderLists, { kind, metadata, spec }: Workload): Promise<void> {
  const selection = { namespace: metadata.namespace, labelSelector: selectorQuery(spec.selector) };
  const hasReplicaSets = kind === 'Deployment' || kind === 'Rollout';
  await Promise.all([
    gathering.list('Pod', selection),
    hasReplicaSets ? gathering.list('ReplicaSet', selection) : undefined,
  ]);
}

function isWorkloadKind(kind: string): kind is WorkloadKind {
  return workloadKinds.some((each) => each === kind);
}
