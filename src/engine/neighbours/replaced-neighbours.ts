import type { ClusterIndex } from '../objects/cluster-index.js';
import { leaderWorkerSetOfPod, revisionKeyOf } from '../objects/leader-worker-set.js';
import { controllerOf } from '../objects/metadata.js';
import { hasNode, isActive, isReady, type Pod, podKey } from '../objects/pod.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import { type DaemonSet, hasOrdinals, hasPodPerNode, type StatefulSet } from '../objects/workload.js';
import { podFromTemplate } from '../scheduler/pod-from-template.js';
import { isUpdatedDaemonPod } from '../workloads/controller-revisions.js';
import { rolloutStateOf } from '../workloads/rollout-state.js';
import { scheduledSince, startAllowance, startToReady } from '../workloads/start-to-ready.js';
import { ordinalOf } from '../workloads/stateful-set-model.js';
import type { PodOwner } from './owned-pods.js';
import { isAtRest, isFailing, isReadWhole, revisionKey, workloadOf, youngestOf } from './owned-pods.js';

/** A rollout of another workload that stops each old pod first and creates a new one in its place. */
export interface InPlaceNeighbour {
  readonly owner: PodOwner;
  /** New pods that have a node and are starting. */
  readonly starting: readonly Pod[];
  /** Pods that the controller will stop, with a node. */
  readonly leaving: readonly Pod[];
  /**
   * The pods of the new revision that take their places, each on the node of the old one if it may run there.
   */
  readonly replacements: readonly Pod[];
}

/**
 * StatefulSets, and DaemonSets that do not surge, in the middle of a rolling update that goes on by itself. A
 * set whose new pods fail, or had all the time that a start may take, does not go on, and neither does one
 * that waits for a person (`OnDelete`, a partition).
 */
export function inPlaceNeighbours(snapshot: Snapshot): readonly InPlaceNeighbour[] {
  const known = inPlaceOf.get(snapshot);
  if (known !== undefined) return known;
  const { StatefulSet: statefulSets, DaemonSet: daemonSets } = snapshot.index.objects;
  const own = snapshot.workload.metadata.uid;
  const found = [...statefulSets, ...daemonSets]
    .filter(({ metadata }) => metadata.uid !== own && metadata.deletionTimestamp === undefined)
    .flatMap((workload) => inPlaceNeighbourOf(snapshot, workload) ?? []);
  inPlaceOf.set(snapshot, found);
  return found;
}

/** Several rules ask the same of one snapshot. */
const inPlaceOf = new WeakMap<Snapshot, readonly InPlaceNeighbour[]>();

function inPlaceNeighbourOf(
  snapshot: Snapshot,
  workload: StatefulSet | DaemonSet,
): InPlaceNeighbour | undefined {
  const { uid, namespace, name } = workload.metadata;
  const pods = (snapshot.index.podsByOwner.get(uid) ?? []).filter(
    (pod) => isActive(pod) && controllerOf(pod)?.kind === workload.kind,
  );
  if (!isReadWhole(snapshot.index, workload, pods)) return undefined;
  const isNew = hasOrdinals(workload) ? newPodsOfStatefulSet(workload) : newPodsOfDaemonSet(workload, pods);
  if (isNew === undefined) return undefined;
  const old = pods.filter((pod) => !isNew(pod));
  const leaving = old.filter((pod) => hasNode(pod) && ordinalOrAll(workload, pod));
  const starting = pods.filter((pod) => isNew(pod) && !isReady(pod));
  const awaited = waitsForEach(workload) ? pods.filter((pod) => !isReady(pod)) : starting;
  const now = nowOf(snapshot);
  if (leaving.length === 0 || !awaited.every((pod) => startsInTime(pod, pods, now))) return undefined;
  return {
    owner: { kind: workload.kind, namespace, name },
    starting,
    leaving,
    replacements: leaving.map((pod) => replacementOf(workload, pod)),
  };
}

/** Which pods are of the new revision; `undefined` where no update is under way. */
function newPodsOfStatefulSet({ metadata, spec, status }: StatefulSet): ((pod: Pod) => boolean) | undefined {
  if (spec.updateStrategy.type === 'OnDelete') return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return () => false;
  if (status.updateRevision === status.currentRevision) return undefined;
  return (pod) => revisionKey(pod) === status.updateRevision;
}

/**
 * The revision is not in the status: it is that of a pod of the current template, else of the youngest one.
 */
function newPodsOfDaemonSet(daemonSet: DaemonSet, pods: readonly Pod[]): ((pod: Pod) => boolean) | undefined {
  const { metadata, spec, status } = daemonSet;
  const { type, rollingUpdate } = spec.updateStrategy;
  const surges = !['0', '0%'].includes(String(rollingUpdate?.maxSurge ?? 0));
  if (type !== 'RollingUpdate' || surges) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return () => false;
  if (status.updatedNumberScheduled >= status.desiredNumberScheduled) return undefined;
  const updated = pods.find((pod) => isUpdatedDaemonPod(pod, daemonSet, undefined)) ?? youngestOf(pods);
  if (status.updatedNumberScheduled === 0 || updated === undefined) return () => false;
  return (pod) => revisionKey(pod) === revisionKey(updated);
}

/** Ordinals below the partition keep their revision. */
function ordinalOrAll(workload: StatefulSet | DaemonSet, pod: Pod): boolean {
  return (
    hasPodPerNode(workload) || ordinalOf(pod) >= (workload.spec.updateStrategy.rollingUpdate?.partition ?? 0)
  );
}

/** An old pod that is not ready holds up an ordered StatefulSet as well. */
function waitsForEach(workload: StatefulSet | DaemonSet): boolean {
  return hasOrdinals(workload) && workload.spec.podManagementPolicy === 'OrderedReady';
}

function startsInTime(pod: Pod, pods: readonly Pod[], now: number): boolean {
  if (!hasNode(pod) || isFailing(pod)) return false;
  return now - (scheduledSince(pod) ?? now) <= startAllowance(pod, startToReady({ pods })) * 1000;
}

function replacementOf(workload: StatefulSet | DaemonSet, { metadata, spec }: Pod): Pod {
  const { namespace, name, labels, ownerReferences } = metadata;
  const [ownerRef] = ownerReferences;
  return podFromTemplate(workload.spec.template, {
    namespace,
    name: `${name}-replaced`,
    labels,
    ...(ownerRef === undefined ? {} : { ownerRef }),
    ...(spec.nodeName === undefined ? {} : { nodeName: spec.nodeName }),
  });
}

/**
 * A LeaderWorkerSet of others in the middle of an update, and the pods of former revisions that its
 * controller stops.
 */
type GroupNeighbour = { readonly owner: PodOwner; readonly leaving: readonly Pod[] };

/**
 * LeaderWorkerSets whose pods are of several revisions. Their controller stops whole groups, at a moment that
 * is not simulated here. None where the LeaderWorkerSet was read and rests, for example at its partition.
 */
export function groupNeighbours(snapshot: Snapshot): readonly GroupNeighbour[] {
  const known = groupsOf.get(snapshot);
  if (known !== undefined) return known;
  const { index } = snapshot;
  const found = hasGroups(index) ? foundIn(snapshot) : [];
  groupsOf.set(snapshot, found);
  return found;
}

/** Several rules ask the same of one snapshot. */
const groupsOf = new WeakMap<Snapshot, readonly GroupNeighbour[]>();

/** Whether any pod is of a LeaderWorkerSet: in most clusters none is. */
function hasGroups({ podsOfControllers }: ClusterIndex): boolean {
  return podsOfControllers.some(
    (group) =>
      (hasOrdinals(group) || !group.areOfOne) &&
      group.pods.some((pod) => leaderWorkerSetOfPod(pod) !== undefined),
  );
}

function foundIn(snapshot: Snapshot): readonly GroupNeighbour[] {
  const { index } = snapshot;
  const own = new Set(rolloutStateOf(snapshot).pods.map(podKey));
  const groups = new Map<string, Pod[]>();
  for (const pod of index.objects.Pod) {
    const name = leaderWorkerSetOfPod(pod);
    if (name === undefined || !isActive(pod) || own.has(podKey(pod))) continue;
    const key = `${pod.metadata.namespace}/${name}`;
    const pods = groups.get(key);
    if (pods === undefined) groups.set(key, [pod]);
    else pods.push(pod);
  }
  return [...groups.values()].flatMap((pods) => groupNeighbourOf(snapshot, pods) ?? []);
}

function groupNeighbourOf({ index }: Snapshot, pods: readonly Pod[]): GroupNeighbour | undefined {
  const newest = youngestOf(pods);
  if (newest === undefined) return undefined;
  const { namespace } = newest.metadata;
  const owner = { kind: 'LeaderWorkerSet', namespace, name: leaderWorkerSetOfPod(newest) ?? '' };
  const workload = workloadOf(index, owner);
  if (workload !== undefined && isAtRest(workload)) return undefined;
  const leaving = pods.filter((pod) => hasNode(pod) && revisionKeyOf(pod) !== revisionKeyOf(newest));
  return leaving.length === 0 ? undefined : { owner, leaving };
}
