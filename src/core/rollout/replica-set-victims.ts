import { compareText } from '../cluster/cluster-objects.js';
import { isActive, isReady, type Pod } from '../cluster/pod.js';
import { epochOf } from './creation-order.js';

const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const phaseOrder: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Whom a ReplicaSet deletes when it has to delete `count` pods. */
export interface Victims {
  /** First ones first. */
  readonly pods: readonly Pod[];
  /**
   * Pods the controller may take in place of some victims: it has no rule between them, and lists pods in no
   * fixed order. Empty when the choice is certain.
   */
  readonly orElse: readonly Pod[];
}

/**
 * Active pods in the order in which their ReplicaSet would delete them. `relatedPods`: pods of all ReplicaSets of
 * the same Deployment; those that are active raise the rank of pods on the same node. `now` in epoch milliseconds:
 * ages are compared by powers of two (kubernetes `controller_utils.go: ActivePodsWithRanks`,
 * `replica_set.go: getPodsToDelete`). Pods that no rule tells apart come by uid.
 */
export function rankVictims(pods: readonly Pod[], relatedPods: readonly Pod[], now: number): readonly Pod[] {
  return ranked(pods, relatedPods, now).map(({ pod }) => pod);
}

/** The first `count` of `rankVictims`, and who else it might be; all pods when `count` covers them. */
export function victimsOf(
  pods: readonly Pod[],
  relatedPods: readonly Pod[],
  count: number,
  now: number,
): Victims {
  const candidates = ranked(pods, relatedPods, now);
  const victims = candidates.slice(0, Math.max(0, count));
  const spared = candidates.slice(victims.length);
  const taken = new Set(victims.map(likeness));
  const orElse = spared.filter((other) => taken.has(likeness(other)));
  return { pods: victims.map(({ pod }) => pod), orElse: orElse.map(({ pod }) => pod) };
}

interface Candidate {
  readonly pod: Pod;
  /** Active related pods on its node, itself included. */
  readonly crowd: number;
  readonly cost: number;
  readonly readySince: number | undefined;
  readonly createdAt: number | undefined;
  readonly restarts: number;
  readonly sidecarRestarts: number;
}

function ranked(pods: readonly Pod[], relatedPods: readonly Pod[], now: number): readonly Candidate[] {
  const crowds = new Map<string, number>();
  for (const pod of relatedPods.filter(isActive)) {
    const node = pod.spec.nodeName ?? '';
    crowds.set(node, (crowds.get(node) ?? 0) + 1);
  }
  return pods
    .filter(isActive)
    .map((pod) => candidate(pod, crowds))
    .sort((a, b) => compareText(a.pod.metadata.uid, b.pod.metadata.uid))
    .sort((a, b) => preference(a, b, now));
}

function candidate(pod: Pod, crowds: ReadonlyMap<string, number>): Candidate {
  const sidecars = new Set(
    pod.spec.initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const ready = pod.status.conditions.find(({ type, status }) => type === 'Ready' && status === 'True');
  return {
    pod,
    crowd: crowds.get(pod.spec.nodeName ?? '') ?? 0,
    cost: deletionCost(pod),
    readySince: epochOf(ready?.lastTransitionTime),
    createdAt: epochOf(pod.metadata.creationTimestamp),
    restarts: maxRestarts(pod.status.containerStatuses),
    sidecarRestarts: maxRestarts(pod.status.initContainerStatuses.filter(({ name }) => sidecars.has(name))),
  };
}

function maxRestarts(statuses: readonly { readonly restartCount: number }[]): number {
  return statuses.reduce((highest, { restartCount }) => Math.max(highest, restartCount), 0);
}

/** 0 unless it is an int32 without plus sign or leading zeros (`GetDeletionCostFromPodAnnotations`). */
export function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations[deletionCostAnnotation];
  if (text === undefined || !/^(0|[1-9]\d*|-\d+)$/.test(text)) return 0;
  const cost = Number(text);
  return cost >= -2_147_483_648 && cost <= 2_147_483_647 ? cost : 0;
}

/** Equal for exactly those candidates that `preference` cannot tell apart. */
function likeness(candidate: Candidate): string {
  const { pod, cost, crowd, readySince, restarts, sidecarRestarts, createdAt } = candidate;
  const ready = isReady(pod);
  const readiness = ready ? readySince : undefined;
  return [
    hasNode(candidate),
    phaseOf(candidate),
    ready,
    cost,
    crowd,
    readiness,
    restarts,
    sidecarRestarts,
    createdAt,
  ].join();
}

/** Below 0: `a` goes first. 0: nothing tells them apart. */
function preference(a: Candidate, b: Candidate, now: number): number {
  const assigned = Number(hasNode(a)) - Number(hasNode(b));
  if (assigned !== 0) return assigned;
  const phase = phaseOf(a) - phaseOf(b);
  if (phase !== 0) return phase;
  const readyA = isReady(a.pod);
  const ready = Number(readyA) - Number(isReady(b.pod));
  if (ready !== 0) return ready;
  if (a.cost !== b.cost) return a.cost - b.cost;
  if (a.crowd !== b.crowd) return b.crowd - a.crowd;
  if (readyA && a.readySince !== b.readySince) return youngerFirst(a, b, a.readySince, b.readySince, now);
  if (a.restarts !== b.restarts) return b.restarts - a.restarts;
  if (a.sidecarRestarts !== b.sidecarRestarts) return b.sidecarRestarts - a.sidecarRestarts;
  if (a.createdAt !== b.createdAt) return youngerFirst(a, b, a.createdAt, b.createdAt, now);
  return 0;
}

function hasNode({ pod }: Candidate): boolean {
  return pod.spec.nodeName !== undefined && pod.spec.nodeName !== '';
}

function phaseOf({ pod }: Candidate): number {
  return phaseOrder[pod.status.phase] ?? 0;
}

/** Ages within the same power of two count as equal, and the uid decides. No time at all counts as youngest. */
function youngerFirst(
  a: Candidate,
  b: Candidate,
  timeA: number | undefined,
  timeB: number | undefined,
  now: number,
): number {
  if (timeA === undefined) return -1;
  if (timeB === undefined) return 1;
  const bucket = ageBucket(now - timeA) - ageBucket(now - timeB);
  return bucket === 0 ? compareText(a.pod.metadata.uid, b.pod.metadata.uid) : bucket;
}

/** Power of two of the age in nanoseconds, as the controller measures it; -1 for an age that is not positive. */
function ageBucket(milliseconds: number): number {
  return milliseconds > 0 ? Math.floor(Math.log2(milliseconds * 1e6)) : -1;
}
