import { compareText } from '../collections/collections.js';
import { isActive, type Pod } from '../objects/pod.js';
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
 * Active pods in the order in which their ReplicaSet would delete them. `relatedPods`: pods of all
 * ReplicaSets of the same Deployment; those that are active raise the rank of pods on the same node. `now` in
 * epoch milliseconds: ages are compared by powers of two (kubernetes
 * `controller_utils.go: ActivePodsWithRanks`, `replica_set.go: getPodsToDelete`). Pods that no rule tells
 * apart come by uid.
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
  return victimsAmong(pods.filter(isActive), ranksOf(relatedPods), count, now);
}

/** The same with the active related pods counted by node: '' for those without a node. */
export function victimsAmong(
  active: Iterable<Pod>,
  ranks: ReadonlyMap<string, number>,
  count: number,
  now: number,
): Victims {
  const candidates = [...active].map((pod) => candidate(pod, ranks));
  if (count <= 0) return { pods: [], orElse: [] };
  if (count > maxSelected || candidates.length <= maxSelected) {
    const all = sorted(candidates, now);
    const taken = new Set(all.slice(0, count).map(likeness));
    const orElse = all.slice(count).filter((other) => taken.has(likeness(other)));
    return { pods: all.slice(0, count).map(podOf), orElse: orElse.map(podOf) };
  }
  const taken: Candidate[] = [];
  const left = new Set(candidates);
  while (taken.length < count) {
    let first: Candidate | undefined;
    for (const other of left) {
      if (first === undefined || inOrder(other, first, now) < 0) first = other;
    }
    if (first === undefined) break;
    left.delete(first);
    taken.push(first);
  }
  const orElse = [...left].filter((other) => taken.some((victim) => isAlike(victim, other)));
  return { pods: taken.map(podOf), orElse: sorted(orElse, now).map(podOf) };
}

/**
 * All pods that the ReplicaSet may delete where it sees the first of two sizes that the Deployment controller
 * writes in one sync before it sees the second: it counts the pods on each node again in between (kubernetes
 * `rolling.go: reconcileOldReplicaSets`, `replica_set.go: getPodsRankedByRelatedPodsOnSameNode`).
 *
 * @param first how many go for the first size
 * @param count how many go for both
 */
export function victimsInTwoSteps(
  active: readonly Pod[],
  ranks: ReadonlyMap<string, number>,
  first: number,
  count: number,
  now: number,
): readonly Pod[] {
  const before = victimsAmong(active, ranks, first, now);
  const gone = new Set(before.pods);
  const left = new Map(ranks);
  for (const { spec } of before.pods) {
    const node = spec.nodeName ?? '';
    left.set(node, (left.get(node) ?? 0) - 1);
  }
  const rest = active.filter((pod) => !gone.has(pod));
  const after = victimsAmong(rest, left, count - before.pods.length, now);
  return [...before.pods, ...before.orElse, ...after.pods, ...after.orElse];
}

/** True when a rule puts `a` before `b`, with so many active related pods on the node of each. */
function goesBefore(a: Pod, rankOfA: number, b: Pod, rankOfB: number, now: number): boolean {
  const first = candidateOf(a);
  const second = candidateOf(b);
  first.rank = rankOfA;
  second.rank = rankOfB;
  return preference(first, second, now) < 0;
}

/** A few victims are found sooner by looking for each than by sorting everybody. */
const maxSelected = 8;

interface Candidate {
  /** Active related pods on its node, itself included; written anew by each question. */
  rank: number;
  readonly pod: Pod;
  readonly isAssigned: boolean;
  readonly phase: number;
  readonly isReady: boolean;
  readonly cost: number;
  readonly readySince: number | undefined;
  readonly createdAt: number | undefined;
  readonly restarts: number;
  readonly sidecarRestarts: number;
}

function podOf({ pod }: Candidate): Pod {
  return pod;
}

function ranked(pods: readonly Pod[], relatedPods: readonly Pod[], now: number): readonly Candidate[] {
  const ranks = ranksOf(relatedPods);
  return sorted(
    pods.filter(isActive).map((pod) => candidate(pod, ranks)),
    now,
  );
}

function ranksOf(relatedPods: readonly Pod[]): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const pod of relatedPods.filter(isActive)) {
    const node = pod.spec.nodeName ?? '';
    ranks.set(node, (ranks.get(node) ?? 0) + 1);
  }
  return ranks;
}

function sorted(candidates: readonly Candidate[], now: number): readonly Candidate[] {
  return [...candidates].sort(byUid).sort((a, b) => preference(a, b, now));
}

function byUid(a: Candidate, b: Candidate): number {
  return compareText(a.pod.metadata.uid, b.pod.metadata.uid);
}

function inOrder(a: Candidate, b: Candidate, now: number): number {
  return preference(a, b, now) || byUid(a, b);
}

function candidate(pod: Pod, ranks: ReadonlyMap<string, number>): Candidate {
  const known = candidateOf(pod);
  known.rank = ranks.get(pod.spec.nodeName ?? '') ?? 0;
  return known;
}

const knownCandidates = new WeakMap<Pod, Candidate>();

/** Worked out once for each pod: in a long rollout the same pods are ranked at every step. */
function candidateOf(pod: Pod): Candidate {
  const known = knownCandidates.get(pod);
  if (known !== undefined) return known;
  const sidecars = new Set(
    pod.spec.initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const ready = pod.status.conditions.find(({ type, status }) => type === 'Ready' && status === 'True');
  const made: Candidate = {
    rank: 0,
    pod,
    isAssigned: pod.spec.nodeName !== undefined && pod.spec.nodeName !== '',
    phase: phaseOrder[pod.status.phase] ?? 0,
    isReady: ready !== undefined,
    cost: deletionCost(pod),
    readySince: epochOf(ready?.lastTransitionTime),
    createdAt: epochOf(pod.metadata.creationTimestamp),
    restarts: maxRestarts(pod.status.containerStatuses),
    sidecarRestarts: maxRestarts(pod.status.initContainerStatuses.filter(({ name }) => sidecars.has(name))),
  };
  knownCandidates.set(pod, made);
  return made;
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

/** Equal for exactly those candidates that `isAlike` finds alike. */
function likeness(candidate: Candidate): string {
  const { isAssigned, phase, isReady, cost, rank, readySince, restarts, sidecarRestarts, createdAt } =
    candidate;
  const readiness = isReady ? readySince : undefined;
  return [isAssigned, phase, isReady, cost, rank, readiness, restarts, sidecarRestarts, createdAt].join();
}

/** True for exactly those candidates that `preference` cannot tell apart. */
function isAlike(a: Candidate, b: Candidate): boolean {
  return (
    a.isAssigned === b.isAssigned &&
    a.phase === b.phase &&
    a.isReady === b.isReady &&
    a.cost === b.cost &&
    a.rank === b.rank &&
    (!a.isReady || a.readySince === b.readySince) &&
    a.restarts === b.restarts &&
    a.sidecarRestarts === b.sidecarRestarts &&
    a.createdAt === b.createdAt
  );
}

/** Below 0: `a` goes first. 0: nothing tells them apart. */
function preference(a: Candidate, b: Candidate, now: number): number {
  if (a.isAssigned !== b.isAssigned) return Number(a.isAssigned) - Number(b.isAssigned);
  if (a.phase !== b.phase) return a.phase - b.phase;
  if (a.isReady !== b.isReady) return Number(a.isReady) - Number(b.isReady);
  if (a.cost !== b.cost) return a.cost - b.cost;
  if (a.rank !== b.rank) return b.rank - a.rank;
  if (a.isReady && a.readySince !== b.readySince) return youngerFirst(a, b, a.readySince, b.readySince, now);
  if (a.restarts !== b.restarts) return b.restarts - a.restarts;
  if (a.sidecarRestarts !== b.sidecarRestarts) return b.sidecarRestarts - a.sidecarRestarts;
  if (a.createdAt !== b.createdAt) return youngerFirst(a, b, a.createdAt, b.createdAt, now);
  return 0;
}

/**
 * Ages within the same power of two count as equal, and the uid decides. No time at all counts as youngest.
 */
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

/**
 * Power of two of the age in nanoseconds, as the controller measures it; -1 for an age that is not positive.
 */
function ageBucket(milliseconds: number): number {
  return milliseconds > 0 ? Math.floor(Math.log2(milliseconds * 1e6)) : -1;
}

/** A ReplicaSet that deletes pods at the same moment as others of its Deployment. */
export interface Shrinking {
  /** Its uid. */
  readonly owner: string;
  /** Its active pods before it deletes the victims. */
  readonly active: readonly Pod[];
  readonly victims: Victims;
}

/**
 * Pods of one ReplicaSet that are compared with each other. Beyond it, all of them count as possible victims.
 */
const maxCompared = 500;
/** Rounds in which one ReplicaSet's alternatives make another one's possible. */
const maxRounds = 8;

/**
 * All pods that the ReplicaSets may delete, in whatever order they are synced. Several workers sync them at
 * the same time, and each counts the pods of its Deployment on a node as its cache shows them (kubernetes
 * `replica_set.go: getPodsRankedByRelatedPodsOnSameNode`), so each may or may not have seen any deletion of
 * the others. Every possible victim is listed. Where one deletion would have to be seen on two nodes, a pod
 * too many may be listed. Empty where fewer than two ReplicaSets shrink.
 *
 * @param left active pods by node once all victims are gone
 * @param now epoch milliseconds
 * @param spend receives the number of pods compared
 */
export function victimsInAnyOrder(
  shrinking: readonly Shrinking[],
  left: ReadonlyMap<string, number>,
  now: number,
  spend: (units: number) => void,
): readonly Pod[] {
  if (new Set(shrinking.map(({ owner }) => owner)).size < 2) return [];
  let possible = shrinking.map(({ victims }): readonly Pod[] => [...victims.pods, ...victims.orElse]);
  for (let round = 0; round < maxRounds; round += 1) {
    const next = shrinking.map((one) => {
      spend(one.active.length);
      const fewest = ranksWhereAll(one, shrinking, possible, left);
      const most = ranksWhereNone(one, shrinking, left);
      return possibleVictims(one, fewest, most, now, spend);
    });
    if (next.every((pods, index) => pods.length === possible[index]?.length)) return next.flat();
    possible = next;
  }
  return shrinking.flatMap(({ active }) => active);
}

/** Active pods by node. */
type Ranks = ReadonlyMap<string, number>;

/** As the ReplicaSet counts them where it has seen no deletion of another one. */
function ranksWhereNone(one: Shrinking, shrinking: readonly Shrinking[], left: Ranks): Ranks {
  const ranks = new Map(left);
  const first = shrinking.indexOf(one);
  shrinking.forEach(({ owner, victims }, index) => {
    // It waits until it has seen its own deletions before it is synced again.
    if (owner === one.owner && index < first) return;
    for (const pod of victims.pods) add(ranks, pod, 1);
  });
  return ranks;
}

/** As it counts them at least: every other ReplicaSet has deleted as many as it can on each node. */
function ranksWhereAll(
  one: Shrinking,
  shrinking: readonly Shrinking[],
  possible: readonly (readonly Pod[])[],
  left: Ranks,
): Ranks {
  const ranks = new Map(ranksWhereNone(one, shrinking, left));
  shrinking.forEach(({ owner, victims }, index) => {
    if (owner === one.owner) return;
    const counts = new Map<string, number>();
    for (const pod of possible[index] ?? []) add(counts, pod, 1);
    for (const [node, count] of counts) {
      ranks.set(node, (ranks.get(node) ?? 0) - Math.min(count, victims.pods.length));
    }
  });
  return ranks;
}

function add(ranks: Map<string, number>, pod: Pod, by: number): void {
  const node = nodeOf(pod);
  ranks.set(node, (ranks.get(node) ?? 0) + by);
}

/** A pod may go where, at its best, fewer pods than are deleted are certain to go before it. */
function possibleVictims(
  { active, victims }: Shrinking,
  fewest: Ranks,
  most: Ranks,
  now: number,
  spend: (units: number) => void,
): readonly Pod[] {
  const nodes = new Set(active.map(nodeOf));
  if ([...nodes].every((node) => fewest.get(node) === most.get(node))) {
    return [...victims.pods, ...victims.orElse];
  }
  if (active.length > maxCompared) return active;
  spend(active.length * active.length);
  return active.filter((pod) => {
    const node = nodeOf(pod);
    const rank = most.get(node) ?? 0;
    const before = active.filter((other) => {
      if (other === pod) return false;
      const otherRank = nodeOf(other) === node ? rank : (fewest.get(nodeOf(other)) ?? 0);
      return goesBefore(other, otherRank, pod, rank, now);
    });
    return before.length < victims.pods.length;
  });
}

function nodeOf({ spec }: Pod): string {
  return spec.nodeName ?? '';
}
