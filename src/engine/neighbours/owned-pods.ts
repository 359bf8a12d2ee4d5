import { compareText, greatestOf, groupBy } from '../collections/collections.js';
import type { ClusterIndex, PodsOfController } from '../objects/cluster-index.js';
import { type ClusterObjects, workloadsIn } from '../objects/cluster-objects.js';
import { controllerOf, isReplicaSet } from '../objects/metadata.js';
import { byPodName, containersInCrashLoop, hasNode, isActive, type Pod, podKey } from '../objects/pod.js';
import type { Deployment, Workload } from '../objects/workload.js';
import { hasObservedSpec, hasPodPerNode, isRevisioned } from '../objects/workload.js';
import { priorityOf } from '../scheduler/pod-defaults.js';
import { controllerRevisionHashLabel } from '../workloads/controller-revisions.js';
import { epochOf } from '../workloads/creation-order.js';
import { workloadByName } from '../workloads/rollout-state.js';

/** The workload a pod belongs to, as people know it: the Deployment rather than its ReplicaSet. */
export type PodOwner = { readonly kind: string; readonly namespace: string; readonly name: string };

/**
 * Of a pod without controller: the pod itself. ReplicaSets of other namespaces are not read; their names tell
 * the workload.
 */
export function ownerOf(index: ClusterIndex, pod: Pod): PodOwner {
  const { namespace, name } = pod.metadata;
  const owner = controllerOf(pod);
  if (owner === undefined) return { kind: 'Pod', namespace, name };
  if (!isReplicaSet(owner)) return { kind: owner.kind, namespace, name: owner.name };
  const replicaSet = index.replicaSets.get(owner.uid);
  const above = replicaSet === undefined ? undefined : controllerOf(replicaSet);
  if (above !== undefined) return { kind: above.kind, namespace, name: above.name };
  if (replicaSet !== undefined) return { kind: 'ReplicaSet', namespace, name: owner.name };
  const { kind, name: workload } = workloadByName(pod) ?? { kind: 'ReplicaSet', name: owner.name };
  return { kind, namespace, name: workload };
}

/** A workload and those of its pods that are meant. */
export interface OwnedPods {
  readonly owner: PodOwner;
  /** Sorted by name. */
  readonly pods: readonly Pod[];
  /** The highest among the pods. */
  readonly priority: number;
}

/** As `namespace/name`. */
export function ownerNames(owned: readonly { readonly owner: PodOwner }[]): readonly string[] {
  return owned.map(({ owner }) => `${owner.namespace}/${owner.name}`);
}

/** Pods by the workload they belong to, the highest priority first, then the most pods, then by name. */
export function byOwner(index: ClusterIndex, pods: readonly Pod[]): readonly OwnedPods[] {
  const groups = groupBy(
    pods.map((pod) => ({ pod, owner: ownerOf(index, pod) })),
    ({ owner }) => ownerKey(owner),
  );
  return [...groups.values()]
    .map((members): OwnedPods => {
      const [{ owner }] = members;
      const own = members.map(({ pod }) => pod).sort(byPodName);
      return { owner, pods: own, priority: greatestOf(own.map(priorityOf)) };
    })
    .sort(inOwnerOrder);
}

/** The order of `byOwner`. */
function inOwnerOrder(a: OwnedPods, b: OwnedPods): number {
  return (
    b.priority - a.priority ||
    b.pods.length - a.pods.length ||
    compareText(ownerKey(a.owner), ownerKey(b.owner))
  );
}

/** Differs between any two workloads of a cluster. */
export function ownerKey({ kind, namespace, name }: PodOwner): string {
  return `${namespace}/${kind}/${name}`;
}

/**
 * Equal for pods of one revision of one workload: the ReplicaSet, or the revision that the controller wrote
 * on the pod.
 */
export function revisionKey(pod: Pod): string {
  const owner = controllerOf(pod);
  if (isReplicaSet(owner)) return owner.uid;
  return pod.metadata.labels[controllerRevisionHashLabel] ?? '';
}

/** A rollout is in progress, or was left in the middle. */
export function areOfSeveralRevisions(pods: readonly Pod[]): boolean {
  const [first] = pods;
  if (first === undefined) return false;
  const revision = revisionKey(first);
  return pods.some((pod) => revisionKey(pod) !== revision);
}

/** The pod that was created last; the first of several. */
export function youngestOf(pods: readonly Pod[]): Pod | undefined {
  return pods.reduce<Pod | undefined>(
    (best, pod) => (best === undefined || createdAt(pod) > createdAt(best) ? pod : best),
    undefined,
  );
}

function createdAt({ metadata }: Pod): number {
  return epochOf(metadata.creationTimestamp) ?? 0;
}

/** A container that was started anew so often keeps failing; before, it may have waited for something. */
const restartsOfFailure = 3;

/** A pod that fails beside one that is ready belongs to the new revision, and does not leave by itself. */
export function isFailing(pod: Pod): boolean {
  const { status } = pod;
  if (containersInCrashLoop(pod).length > 0) return true;
  return [...status.containerStatuses, ...status.initContainerStatuses].some(
    ({ restartCount, state }) =>
      restartCount >= restartsOfFailure || failures.has(state.waiting?.reason ?? ''),
  );
}

/**
 * Reasons of a waiting container that do not pass by themselves (kubernetes pkg/kubelet/images, kuberuntime).
 */
const failures: ReadonlySet<string> = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RunContainerError',
]);

/** Which active pods with a controller are meant. */
type Meant = { readonly withNode: boolean; readonly ofController: (kind: string) => boolean };

/** A workload with its pods that are meant, and what its place among others depends on. */
type Known = { readonly key: string; readonly size: number; readonly group: OwnedPods };

/**
 * Gives pods with a controller by workload as `byOwner` does, without those of one workload. The pods of an
 * index are grouped once, and a group of which no pod is left out is the same object each time: a scan asks
 * for every workload.
 *
 * @param meant which of them are grouped; the same for every call
 */
export function groupPodsOfOthers(
  meant: Meant,
): (index: ClusterIndex, own: readonly Pod[]) => readonly OwnedPods[] {
  const known = new WeakMap<ClusterIndex, readonly Known[]>();
  return (index, own) => {
    const all = known.get(index) ?? groupedIn(index, meant);
    known.set(index, all);
    const owners = new Set(own.map((pod) => ownerKey(ownerOf(index, pod))));
    const others = all.filter(({ key }) => !owners.has(key)).map(({ group }) => group);
    if (others.length === all.length) return others;
    const left = new Set(own.map(podKey));
    const parts = all
      .filter(({ key }) => owners.has(key))
      .flatMap(({ group }) => group.pods.filter((pod) => !left.has(podKey(pod))));
    return parts.length === 0 ? others : [...others, ...byOwner(index, parts)].sort(inOwnerOrder);
  };
}

function groupedIn(index: ClusterIndex, meant: Meant): readonly Known[] {
  const byKey = new Map<string, { readonly owner: PodOwner; readonly lists: PodsOfController[] }>();
  for (const list of index.podsOfControllers) {
    for (const part of partsOf(list, meant)) {
      const [first] = part.pods;
      if (first === undefined) continue;
      const known = ownersOfLists.get(part) ?? withKey(ownerOf(index, first));
      ownersOfLists.set(part, known);
      const before = byKey.get(known.key);
      if (before === undefined) byKey.set(known.key, { owner: known.owner, lists: [part] });
      else before.lists.push(part);
    }
  }
  const all = [...byKey].map(([key, { owner, lists }]): Known => {
    const size = lists.reduce((sum, { pods }) => sum + pods.length, 0);
    return { key, size, group: ownedPods(owner, lists) };
  });
  return all.sort(
    (a, b) => b.group.priority - a.group.priority || b.size - a.size || compareText(a.key, b.key),
  );
}

/** Every question about an index asks for the same. */
const ownersOfLists = new WeakMap<PodsOfController, { readonly owner: PodOwner; readonly key: string }>();

function withKey(owner: PodOwner): { readonly owner: PodOwner; readonly key: string } {
  return { owner, key: ownerKey(owner) };
}

/** The pods that are meant, in lists of one controller each. */
function partsOf(list: PodsOfController, { withNode, ofController }: Meant): readonly PodsOfController[] {
  const isMeant = (pod: Pod): boolean => isActive(pod) && (!withNode || hasNode(pod));
  if (!list.areOfOne) {
    return list.pods
      .filter((pod) => isMeant(pod) && ofController(controllerOf(pod)?.kind ?? ''))
      .map((pod) => ({
        ...list,
        pods: [pod],
        kind: controllerOf(pod)?.kind ?? '',
        priority: priorityOf(pod),
      }));
  }
  if (!ofController(list.kind)) return [];
  if (list.areActive && (!withNode || list.havePlaces)) return [list];
  const pods = list.pods.filter(isMeant);
  return [{ ...list, pods, priority: greatestOf(pods.map(priorityOf)) }];
}

/** The pods are put in order when somebody asks for them, which nobody does for most workloads. */
function ownedPods(owner: PodOwner, lists: readonly PodsOfController[]): OwnedPods {
  let sorted: readonly Pod[] | undefined;
  const group: OwnedPods = {
    owner,
    get pods() {
      sorted ??= lists.flatMap(({ pods }) => pods).sort(byPodName);
      return sorted;
    },
    priority: greatestOf(lists.map(({ priority }) => priority)),
  };
  const [only, ...further] = lists;
  if (further.length === 0 && only?.areOfOne && isReplicaSet(only)) ofOneReplicaSet.add(group);
  return group;
}

const ofOneReplicaSet = new WeakSet<OwnedPods>();

/** Whether a rollout of the workload is in progress, or was left in the middle. */
export function hasSeveralRevisions(group: OwnedPods): boolean {
  return !ofOneReplicaSet.has(group) && areOfSeveralRevisions(group.pods);
}

/** Pods of other workloads that have a node and may run. */
export const placedPodsOfOthers = groupPodsOfOthers({ withNode: true, ofController: () => true });

/** The workload that owns the pods, where it was read. */
export function workloadOf(
  { objects }: Pick<ClusterIndex, 'objects'>,
  owner: PodOwner,
): Workload | undefined {
  return workloadsOf(objects).get(ownerKey(owner));
}

/** By `ownerKey`, once for all objects of a diagnosis; the first of a name counts. */
function workloadsOf(objects: ClusterObjects): ReadonlyMap<string, Workload> {
  const known = workloads.get(objects);
  if (known !== undefined) return known;
  const all = [...workloadsIn(objects)];
  const byKey = new Map(
    all.reverse().map((each) => [ownerKey({ kind: each.kind, ...each.metadata }), each] as const),
  );
  workloads.set(objects, byKey);
  return byKey;
}

const workloads = new WeakMap<ClusterObjects, ReadonlyMap<string, Workload>>();

/**
 * A paused Deployment is still scaled: its old pods are stopped as soon as the new ReplicaSet has all
 * replicas and these are available (kubernetes deployment/sync.go: scale, `IsSaturated`). With fewer of them,
 * nothing moves until somebody resumes it.
 */
export function isHeldByPause({ spec, status }: Deployment): boolean {
  return spec.paused && status.updatedReplicas < spec.replicas;
}

/**
 * True where its status shows that no pod of it is of a former revision, or where its controller waits for a
 * person: it is paused, `OnDelete`, or has a partition above every old pod. A workload that is being deleted
 * does not rest.
 */
export function isAtRest(workload: Workload): boolean {
  if (workload.metadata.deletionTimestamp !== undefined || !hasObservedSpec(workload)) return false;
  if (isRevisioned(workload)) return workload.revisions.next === undefined;
  switch (workload.kind) {
    case 'Deployment': {
      const { spec, status } = workload;
      const isComplete = status.updatedReplicas >= spec.replicas && status.replicas <= status.updatedReplicas;
      return isHeldByPause(workload) || (isComplete && status.replicas <= spec.replicas);
    }
    case 'Rollout': {
      const { spec, status } = workload;
      return status.replicas <= status.updatedReplicas && status.replicas <= spec.replicas;
    }
    case 'StatefulSet': {
      const { spec, status } = workload;
      const { type, rollingUpdate } = spec.updateStrategy;
      const isHeldBack = type === 'OnDelete' || (rollingUpdate?.partition ?? 0) >= spec.replicas;
      return (
        (status.updateRevision === status.currentRevision || isHeldBack) && status.replicas <= spec.replicas
      );
    }
    case 'LeaderWorkerSet': {
      const { spec, status } = workload;
      const { partition } = spec.rolloutStrategy.rollingUpdateConfiguration;
      return status.updatedReplicas >= spec.replicas - partition && status.replicas <= spec.replicas;
    }
    case 'DaemonSet': {
      const { spec, status } = workload;
      return (
        spec.updateStrategy.type !== 'RollingUpdate' ||
        status.updatedNumberScheduled >= status.desiredNumberScheduled
      );
    }
  }
}

/** Whether pods may exist that were not read, because they are on a node whose pods were not asked for. */
export function hasUnreadNodes({ objects, podsReadOn }: ClusterIndex): boolean {
  return podsReadOn !== undefined && objects.Node.some(({ metadata }) => !podsReadOn.has(metadata.name));
}

/** Whether as many of its pods were read as its status counts. */
export function isReadWhole(index: ClusterIndex, workload: Workload, pods: readonly Pod[]): boolean {
  return !hasUnreadNodes(index) || pods.length >= countedPods(workload);
}

function countedPods(workload: Workload): number {
  if (isRevisioned(workload)) return workload.spec.replicas;
  return hasPodPerNode(workload) ? workload.status.currentNumberScheduled : workload.status.replicas;
}
