import { compareText, groupBy } from '../../../engine/collections/collections.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import type { Event } from '../../../engine/objects/event.js';
import { hasNode, isActive, isReady, type Pod } from '../../../engine/objects/pod.js';
import { endedLogOf, nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { hasReplicaSets } from '../../../engine/objects/workload.js';
import { newPods, newReplicaSetOf, revisionOf } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { decidingLineOf } from '../../log-lines/deciding-line.js';
import { readinessOf } from '../readiness-of.js';
import { classifyPod, revisionOfPod } from './classify-pod.js';
import type { PodCause, PodFailure } from './pod-failure.js';

/**
 * The pods in which one container of one revision fails for one cause. A crash finding describes one such
 * group.
 */
export interface FailureGroup {
  readonly cause: PodCause;
  /** The container's name; '' where whole pods fail. */
  readonly container: string;
  readonly revision: string;
  /** One entry a pod, by pod name; ongoing failures first. */
  readonly podFailures: readonly [PodFailure, ...PodFailure[]];
  /** Pods of that revision that have a node, failing or not. */
  readonly siblings: readonly Pod[];
  /** Nodes of the failing pods, by name. */
  readonly nodes: readonly string[];
  readonly ongoing: boolean;
  /** The revision is the newest one, and pods of an earlier one are ready. */
  readonly isBesideEarlier: boolean;
}

/** Groups the pod failures by cause, container and revision, worst first. */
export function groupFailures(snapshot: Snapshot): readonly FailureGroup[] {
  const found = grouped.get(snapshot) ?? groupsOf(snapshot);
  grouped.set(snapshot, found);
  return found;
}

/** Every rule about crashes asks for all groups. */
const grouped = new WeakMap<Snapshot, readonly FailureGroup[]>();

function groupsOf(snapshot: Snapshot): readonly FailureGroup[] {
  const failures = podFailuresOf(snapshot);
  if (failures.length === 0) return [];
  const groups = groupBy(failures, ({ cause, container, revision }) =>
    JSON.stringify([cause, container?.name ?? '', revision]),
  );
  const pods = podsOf(snapshot);
  const hasEarlier = readinessOf(snapshot).old !== undefined;
  const replacing = hasEarlier ? currentRevision(snapshot) : undefined;
  return [...groups.values()].map((group) => buildFailureGroup(group, pods, replacing)).sort(worstFirst);
}

function buildFailureGroup(
  group: [PodFailure, ...PodFailure[]],
  pods: readonly Pod[],
  /** The newest revision, where pods of an earlier one are ready. */
  replacing: string | undefined,
): FailureGroup {
  const [{ cause, container, revision }] = group;
  const nodes = new Set(group.map(({ pod }) => pod.spec.nodeName ?? '').filter((node) => node !== ''));
  return {
    cause,
    container: container?.name ?? '',
    revision,
    podFailures: group.sort((a, b) => Number(b.ongoing) - Number(a.ongoing)),
    siblings: pods.filter((pod) => hasNode(pod) && revisionOfPod(pod) === revision),
    nodes: [...nodes].sort(),
    ongoing: group.some(({ ongoing }) => ongoing),
    isBesideEarlier: revision === replacing,
  };
}

function worstFirst(a: FailureGroup, b: FailureGroup): number {
  return Number(b.ongoing) - Number(a.ongoing) || b.podFailures.length - a.podFailures.length;
}

/**
 * Pods of previous revisions that are ready and did not fail recently: what the failing revision can be
 * compared with. None while a previous revision fails, because the pods beside it belong to the newer one
 * then.
 */
export function healthyPredecessors(snapshot: Snapshot, { revision }: FailureGroup): readonly Pod[] {
  if (revision !== currentRevision(snapshot)) return [];
  return podsOf(snapshot).filter(
    (pod) =>
      isActive(pod) &&
      isReady(pod) &&
      revisionOfPod(pod) !== revision &&
      podFailuresIn(snapshot, pod).length === 0,
  );
}

/** Names of ready pods of the same revision. */
export function passingPodsOf({ podFailures, siblings }: FailureGroup): readonly string[] {
  const failing = new Set(podFailures.map(({ pod }) => pod.metadata.uid));
  return siblings
    .filter((pod) => isReady(pod) && !failing.has(pod.metadata.uid))
    .map(({ metadata }) => metadata.name);
}

/**
 * The target revision of the workload, as in the labels of its pods. The revision of the youngest pod when
 * the controller's own objects could not be read.
 */
export function currentRevision(snapshot: Snapshot): string {
  const state = rolloutStateOf(snapshot);
  if (!hasReplicaSets(state)) return revisionOf(snapshot) || ofYoungestPod(snapshot);
  const replicaSet = newReplicaSetOf(state);
  const [pod] = newPods(state);
  const [named] = [replicaSet, replicaSet?.spec.template, pod]
    .map((each) => (each === undefined ? '' : revisionOfPod(each)))
    .filter(Boolean);
  return named ?? ofYoungestPod(snapshot);
}

function ofYoungestPod(snapshot: Snapshot): string {
  const [youngest] = [...podsOf(snapshot)]
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .sort(youngestFirst);
  return youngest === undefined ? '' : revisionOfPod(youngest);
}

function youngestFirst(a: Pod, b: Pod): number {
  return (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '');
}

/** Every pod of the workload, of all revisions, terminal and terminating ones included, by name. */
export function podsOf(snapshot: Snapshot): readonly Pod[] {
  const known = sortedPods.get(snapshot);
  if (known !== undefined) return known;
  const pods = [...rolloutStateOf(snapshot).pods].sort((a, b) =>
    a.metadata.name < b.metadata.name ? -1 : 1,
  );
  sortedPods.set(snapshot, pods);
  return pods;
}

/** Every rule about crashes asks for them. */
const sortedPods = new WeakMap<Snapshot, readonly Pod[]>();

/** The failures of the workload's pods, pod by pod. */
export function podFailuresOf(snapshot: Snapshot): readonly PodFailure[] {
  return podsOf(snapshot).flatMap((pod) => podFailuresIn(snapshot, pod));
}

/** The failures of one pod of the snapshot. The pod may belong to any workload. */
export function podFailuresIn(snapshot: Snapshot, pod: Pod): readonly PodFailure[] {
  const computed = failuresKnownOf(snapshot);
  const before = computed.get(pod);
  if (before !== undefined) return before;
  const failures = failuresOf(snapshot, pod);
  computed.set(pod, failures);
  return failures;
}

/**
 * Several rules and the picture ask for the same pods, and the workloads of a scan for those of each other:
 * by index, as long as logs and moment are the same.
 */
const known = new WeakMap<
  ClusterIndex,
  Pick<Snapshot, 'logs' | 'takenAt' | 'isTimeUnknown'> & { readonly byPod: Map<Pod, readonly PodFailure[]> }
>();

function failuresKnownOf({ index, logs, takenAt, isTimeUnknown }: Snapshot): Map<Pod, readonly PodFailure[]> {
  const before = known.get(index);
  if (before?.logs === logs && before.takenAt === takenAt && before.isTimeUnknown === isTimeUnknown) {
    return before.byPod;
  }
  const byPod = new Map<Pod, readonly PodFailure[]>();
  known.set(index, { logs, takenAt, ...(isTimeUnknown && { isTimeUnknown }), byPod });
  return byPod;
}

function failuresOf(snapshot: Snapshot, pod: Pod): readonly PodFailure[] {
  const { index, logs } = snapshot;
  const { nodeName = '' } = pod.spec;
  const node = index.nodes.get(nodeName);
  // Kubelets name their node in place of its uid, other reporters have the uid.
  const ofNode = [nodeName, node?.metadata.uid ?? ''].flatMap((uid) => index.eventsByUid.get(uid) ?? []);
  return classifyPod(pod, {
    events: oldestFirst(index.eventsByUid.get(pod.metadata.uid) ?? []),
    nodeKills: ofNode.filter(({ reason }) => reason === 'SystemOOM'),
    node,
    reasonOf: (container) => decidingLineOf(endedLogOf(logs, pod, container)?.lines ?? [])?.line,
    now: nowOf(snapshot),
    isTimeUnknown: snapshot.isTimeUnknown === true,
  });
}

/** Events of the same second keep one order, however they came. */
function oldestFirst(events: readonly Event[]): readonly Event[] {
  return events
    .map((event) => ({ event, at: Date.parse(event.lastSeen ?? '') || 0 }))
    .sort((a, b) => a.at - b.at || compareText(a.event.metadata.name, b.event.metadata.name))
    .map(({ event }) => event);
}
