import type { ClusterObjects } from './cluster-objects.js';
import type { Event } from './event.js';
import { controllerOf } from './metadata.js';
import type { Node } from './node.js';
import { isActive, isResized, isTerminating, type Pod } from './pod.js';
import { releaseRules } from './release-rules.js';
import type { ServerVersion } from './server-version.js';
import type { ControllerRevision, ReplicaSet } from './workload.js';

/** `ClusterObjects` with the look-ups that rules and engines need; built once for all workloads. */
export interface ClusterIndex {
  readonly objects: ClusterObjects;
  readonly nodes: ReadonlyMap<string, Node>;
  /** Pods by `spec.nodeName`, terminal ones included. */
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  /** Pods by the uid of their controller. */
  readonly podsByOwner: ReadonlyMap<string, readonly Pod[]>;
  /** Active pods without a node. */
  readonly unassignedPods: readonly Pod[];
  /** Pods that are being deleted. */
  readonly terminatingPods: readonly Pod[];
  /**
   * Active pods that end by themselves one day: of a Job, with a restartPolicy other than `Always`, or with
   * `activeDeadlineSeconds`, after which the kubelet ends the pod.
   */
  readonly finitePods: readonly Pod[];
  /** ReplicaSets by their uid. */
  readonly replicaSets: ReadonlyMap<string, ReplicaSet>;
  readonly replicaSetsByOwner: ReadonlyMap<string, readonly ReplicaSet[]>;
  readonly controllerRevisionsByOwner: ReadonlyMap<string, readonly ControllerRevision[]>;
  /** Events by the uid of the object they are about, oldest first. */
  readonly eventsByUid: ReadonlyMap<string, readonly Event[]>;
  /** Names of the nodes whose pods were read; absent: all. What runs on another node is not known. */
  readonly podsReadOn?: ReadonlySet<string>;
  /** Workloads of pods, as `namespace/kind/name`, that were looked for and do not exist. */
  readonly absentWorkloads?: ReadonlySet<string>;
  /** Absent where it was not read. */
  readonly serverVersion?: ServerVersion;
}

/**
 * The same objects, with the rule by which a resize counts beside each pod that is resized. Where it is the
 * rule up to 1.36, they stay as they are.
 */
function withResizeRule(objects: ClusterObjects, version: ServerVersion | undefined): ClusterObjects {
  const { resizedPods: resizeRule } = releaseRules(version);
  if (resizeRule === 'largest-of-each-container' || !objects.Pod.some(isResized)) return objects;
  return { ...objects, Pod: objects.Pod.map((pod) => (isResized(pod) ? { ...pod, resizeRule } : pod)) };
}

/** @param podsReadOn names of the nodes whose pods were read; all when left out */
export function indexObjects(
  unmarked: ClusterObjects,
  podsReadOn?: ReadonlySet<string>,
  serverVersion?: ServerVersion,
): ClusterIndex {
  const objects = withResizeRule(unmarked, serverVersion);
  return {
    ...(serverVersion === undefined ? {} : { serverVersion }),
    ...(podsReadOn === undefined ? {} : { podsReadOn }),
    objects,
    nodes: new Map(objects.Node.map((node) => [node.metadata.name, node])),
    ...indexPods(objects.Pod),
    replicaSets: new Map(objects.ReplicaSet.map((one) => [one.metadata.uid, one])),
    replicaSetsByOwner: grouped(objects.ReplicaSet, (replicaSet) => controllerOf(replicaSet)?.uid),
    controllerRevisionsByOwner: grouped(
      objects.ControllerRevision,
      (revision) => controllerOf(revision)?.uid,
    ),
    eventsByUid: grouped(
      [...objects.Event].sort((a, b) => seenAt(a) - seenAt(b)),
      (event) => event.involvedObject.uid,
    ),
  };
}

function endsByItself(pod: Pod): boolean {
  const { restartPolicy, activeDeadlineSeconds } = pod.spec;
  return (
    controllerOf(pod)?.kind === 'Job' || restartPolicy !== 'Always' || activeDeadlineSeconds !== undefined
  );
}

/** In one go: to walk many pods costs more than to look at each. */
function indexPods(
  pods: readonly Pod[],
): Pick<ClusterIndex, 'podsByNode' | 'podsByOwner' | 'unassignedPods' | 'terminatingPods' | 'finitePods'> {
  const podsByNode = new Map<string, Pod[]>();
  const podsByOwner = new Map<string, Pod[]>();
  const unassignedPods: Pod[] = [];
  const terminatingPods: Pod[] = [];
  const finitePods: Pod[] = [];
  for (const pod of pods) {
    const controller = controllerOf(pod);
    add(podsByNode, pod.spec.nodeName, pod);
    add(podsByOwner, controller?.uid, pod);
    if (isTerminating(pod)) terminatingPods.push(pod);
    if (!isActive(pod)) continue;
    if ((pod.spec.nodeName ?? '') === '') unassignedPods.push(pod);
    if (endsByItself(pod)) finitePods.push(pod);
  }
  return { podsByNode, podsByOwner, unassignedPods, terminatingPods, finitePods };
}

function seenAt(event: Event): number {
  return event.lastSeen === undefined ? 0 : Date.parse(event.lastSeen);
}

/** Items without a key are left out. */
function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) add(groups, keyOf(item), item);
  return groups;
}

function add<Item>(groups: Map<string, Item[]>, key: string | undefined, item: Item): void {
  if (key === undefined) return;
  const members = groups.get(key);
  if (members === undefined) groups.set(key, [item]);
  else members.push(item);
}
