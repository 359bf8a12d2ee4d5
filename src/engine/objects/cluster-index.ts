import type { ClusterObjects } from './cluster-objects.js';
import type { Event } from './event.js';
import { controllerOf, type OwnerReference } from './metadata.js';
import type { Node } from './node.js';
import { isActive, isResized, isTerminating, type Pod } from './pod.js';
import type { ServerVersion } from './release-rules.js';
import { releaseRules } from './release-rules.js';
import type { ControllerRevision, ReplicaSet } from './workload.js';

/** Pods that name one uid as their controller's, and what holds for all of them. */
export interface PodsOfController {
  readonly pods: readonly Pod[];
  /** Of the controller of the first pod; '' where it has none. */
  readonly kind: string;
  /**
   * Whether all are of one controller. Garbage may give one uid to controllers of different kinds and
   * namespaces, or none at all.
   */
  readonly areOfOne: boolean;
  readonly areActive: boolean;
  readonly havePlaces: boolean;
  /** The highest among the pods. */
  readonly priority: number;
}

/** `ClusterObjects` with the look-ups that rules and engines need; built once for all workloads. */
export interface ClusterIndex {
  readonly objects: ClusterObjects;
  readonly nodes: ReadonlyMap<string, Node>;
  /** Pods by `spec.nodeName`, terminal ones included. */
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  /** Pods by the uid of their controller. */
  readonly podsByOwner: ReadonlyMap<string, readonly Pod[]>;
  /** The same with what holds for the pods, so that most questions need not look at each of them. */
  readonly podsOfControllers: readonly PodsOfController[];
  /** Active pods without a node. */
  readonly unassignedPods: readonly Pod[];
  /** Pods that are being deleted. */
  readonly terminatingPods: readonly Pod[];
  /** Pods of any phase that state which other pods they avoid. */
  readonly avoidingPods: readonly Pod[];
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

function endsByItself({ spec }: Pod, controller: OwnerReference | undefined): boolean {
  const { restartPolicy, activeDeadlineSeconds } = spec;
  return controller?.kind === 'Job' || restartPolicy !== 'Always' || activeDeadlineSeconds !== undefined;
}

type PodLookUps = Pick<
  ClusterIndex,
  | 'podsByNode'
  | 'podsByOwner'
  | 'podsOfControllers'
  | 'unassignedPods'
  | 'terminatingPods'
  | 'avoidingPods'
  | 'finitePods'
>;

/** In one go: to walk many pods costs more than to look at each. */
function indexPods(pods: readonly Pod[]): PodLookUps {
  const podsByNode = new Map<string, Pod[]>();
  const byController = new Map<string, GrowingGroup>();
  const unassignedPods: Pod[] = [];
  const terminatingPods: Pod[] = [];
  const avoidingPods: Pod[] = [];
  const finitePods: Pod[] = [];
  // The API server lists the pods of one controller one after the other, mostly.
  let last: { readonly uid: string; readonly group: GrowingGroup } | undefined;
  for (const pod of pods) {
    const controller = controllerOf(pod);
    const active = isActive(pod);
    const { nodeName, affinity } = pod.spec;
    const hasPlace = nodeName !== undefined && nodeName !== '';
    add(podsByNode, nodeName, pod);
    if (affinity?.podAntiAffinity !== undefined) avoidingPods.push(pod);
    if (controller !== undefined) {
      const { uid } = controller;
      if (last?.uid !== uid) {
        const group = byController.get(uid) ?? emptyGroup(pod, controller);
        byController.set(uid, group);
        last = { uid, group };
      }
      addTo(last.group, pod, controller, active, hasPlace);
    }
    if (!active) {
      if (isTerminating(pod)) terminatingPods.push(pod);
      continue;
    }
    if (!hasPlace) unassignedPods.push(pod);
    if (endsByItself(pod, controller)) finitePods.push(pod);
  }
  return {
    podsByNode,
    podsByOwner: new Map([...byController].map(([uid, group]) => [uid, group.pods])),
    podsOfControllers: [...byController.values()],
    unassignedPods,
    terminatingPods,
    avoidingPods,
    finitePods,
  };
}

type GrowingGroup = { -readonly [Key in keyof PodsOfController]: PodsOfController[Key] } & {
  readonly pods: Pod[];
};

function emptyGroup({ spec }: Pod, { kind, uid }: OwnerReference): GrowingGroup {
  return {
    pods: [],
    kind,
    areOfOne: uid !== '',
    areActive: true,
    havePlaces: true,
    priority: spec.priority ?? 0,
  };
}

function addTo(
  group: GrowingGroup,
  pod: Pod,
  { kind }: OwnerReference,
  isActive: boolean,
  hasPlace: boolean,
): void {
  const { pods } = group;
  const { namespace } = pod.metadata;
  pods.push(pod);
  if (group.kind !== kind || pods[0]?.metadata.namespace !== namespace) group.areOfOne = false;
  if (!isActive) group.areActive = false;
  if (!hasPlace) group.havePlaces = false;
  group.priority = Math.max(group.priority, pod.spec.priority ?? 0);
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
