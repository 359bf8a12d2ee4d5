import { groupBy } from '../../../engine/collections/collections.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { hasNode, isActive, isReady } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { readinessOf } from '../readiness-of.js';
import { revisionOfPod } from './classify-pod.js';
import { currentRevision } from './current-revision.js';
import type { PodCause, PodFailure } from './pod-failure.js';
import { podFailuresIn, podFailuresOf, podsOf } from './pod-failures-of.js';

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
