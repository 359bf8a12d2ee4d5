import { fewestOf } from '../../../engine/creation/quota-block.js';
import { evictablePods } from '../../../engine/neighbours/evicted-by-programs.js';
import type { ClusterQueue, QueuedWorkload } from '../../../engine/objects/kueue.js';
import { type Condition, controllerOf } from '../../../engine/objects/metadata.js';
import { isTerminating, type Pod } from '../../../engine/objects/pod.js';
import { podKey } from '../../../engine/objects/pod-key.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnreadNearby } from '../../../engine/objects/unread.js';
import type { Deployment } from '../../../engine/objects/workload.js';
import {
  difference,
  type FlavorAmounts,
  flavorKey,
  podSetRequestsOf,
  sumOf,
  usageOf,
} from '../../../engine/queues/flavor-amounts.js';
import { queuedOf } from '../../../engine/queues/queue-state.js';
import {
  hasReservation,
  isHeldByKueue,
  isOnItsWayOut,
  mayStart,
  nameOfQueued,
  queuedWorkloadOf,
  reservingIn,
} from '../../../engine/queues/queued-workload.js';
import {
  assignFlavors,
  type Charge,
  chargesOf,
  type Shortage,
  usageIn,
  viewAfter,
  viewWith,
} from '../../../engine/queues/quota-assignment.js';
import { isFixedPoint } from '../../../engine/workloads/fixed-point.js';
import { rolloutStateIn } from '../../../engine/workloads/rollout-state.js';
import { isOverdue } from '../../../engine/workloads/simulated-time.js';
import { autoscalerThatMayShrink } from '../../findings/horizontal-autoscaler.js';
import { isUnschedulable, type StuckRollout, stuckRolloutOf } from '../../findings/stuck-rollout.js';

/**
 * controller → new pod → quota of a ClusterQueue → old pod → controller, and that taking old pods out opens
 * it.
 */
export interface QueueProof {
  readonly rollout: StuckRollout;
  readonly queue: ClusterQueue;
  readonly localQueue: string;
  /** New pods at Kueue's gate. */
  readonly gated: readonly [Pod, ...Pod[]];
  /** The Workload of the first of them. */
  readonly workload: QueuedWorkload;
  readonly condition: Condition | undefined;
  /** The Workload whose condition that is: one of equal shape, where Kueue evaluates no second one. */
  readonly reporter: QueuedWorkload;
  readonly shortages: readonly [Shortage, ...Shortage[]];
  readonly usage: FlavorAmounts;
  /** Old pods whose Workloads use what is missing. */
  readonly holders: readonly Pod[];
  /** The fewest of them without which Kueue admits the new pod. */
  readonly release: readonly Pod[];
  /** Workloads before it in the queue that Kueue admits first once these old pods are gone. */
  readonly ahead: readonly QueuedWorkload[];
  readonly others: OthersDoubts;
}

/** A queue admits in seconds. */
const patienceSeconds = 60;

/**
 * The proof that Kueue cannot admit the new pod beside the rollout's own old pods and could without some of
 * them, while the Deployment's controller rests. `undefined` where any part of that does not hold: the
 * rollout moves, something else than quota keeps the pod, Kueue may evict a Workload for it, a pod that is
 * leaving gives its quota back, or the old pods are not enough.
 */
export function queueProof(snapshot: Snapshot): QueueProof | undefined {
  const { index } = snapshot;
  const rollout = stuckRolloutOf(snapshot);
  if (rollout === undefined) return undefined;
  const [first, ...more] = rollout.blocked.filter((pod) => isHeldByKueue(pod) && isLate(snapshot, pod));
  if (first === undefined) return undefined;
  if (!rollout.blocked.every((pod) => isHeldByKueue(pod) || isUnschedulable(pod))) return undefined;
  // Once it is ready, the controller stops an old pod, which gives quota back.
  if (rollout.blocked.some((pod) => isHeldByKueue(pod) && mayStart(index, pod))) return undefined;
  const queued = queuedOf(index, first);
  if (queued?.wait.kind !== 'quota') return undefined;
  const { clusterQueue: queue, workload, condition, reporter = workload, ahead } = queued;
  if (queue === undefined || workload === undefined || reporter === undefined) return undefined;
  const { shortages } = queued.wait;
  const usage = usageIn(index, queue);
  const isAdmittedWithout = (pods: readonly Pod[]): boolean =>
    fits(snapshot, queue, workload, chargesOfPods(snapshot, pods));
  const now = nowOf(snapshot);
  const leaving = index.terminatingPods.filter((pod) => !isOverdue(pod, now));
  if (leaving.length > 0 && isAdmittedWithout(leaving)) return undefined;
  const holders = rollout.holding.filter((pod) => usesAny(usageOfPods(snapshot, [pod]), shortages));
  const release = fewestOf(holders, isAdmittedWithout);
  if (release === undefined) return undefined;
  const own = new Set(
    [...rollout.holding, ...rollout.state.pods].flatMap((pod) => workloadsOf(snapshot, [pod])),
  );
  // Equal new pods wait in any order: whichever of them starts, the rollout goes on.
  const waiting = new Set(rollout.blocked.flatMap((pod) => queuedWorkloadOf(index, pod) ?? []));
  return {
    rollout,
    queue,
    localQueue: queued.queue,
    gated: [first, ...more],
    workload,
    condition,
    reporter,
    shortages,
    usage,
    holders,
    release,
    ahead: winnersOf(
      snapshot,
      queue,
      ahead.filter((each) => !waiting.has(each)),
      chargesOfPods(snapshot, release),
    ),
    others: othersThatMayFree(snapshot, { queue, workload, usage, own }),
  };
}

function isLate(snapshot: Snapshot, { metadata }: Pod): boolean {
  const since = Date.parse(metadata.creationTimestamp ?? '');
  return Number.isNaN(since) || nowOf(snapshot) - since >= patienceSeconds * 1000;
}

function fits(
  { index }: Snapshot,
  queue: ClusterQueue,
  workload: QueuedWorkload,
  released: readonly Charge[],
): boolean {
  const view = viewAfter(index, queue, { released });
  return assignFlavors(index, queue, view, podSetRequestsOf(workload)).kind === 'fits';
}

function chargesOfPods(snapshot: Snapshot, pods: readonly Pod[]): readonly Charge[] {
  return chargesOf(workloadsOf(snapshot, pods));
}

/** Workloads of single pods that have quota. */
export function workloadsOf({ index }: Snapshot, pods: readonly Pod[]): readonly QueuedWorkload[] {
  return pods.flatMap((pod) => {
    const workload = queuedWorkloadOf(index, pod);
    const isOwn = workload?.metadata.ownerReferences.some(({ uid }) => uid === pod.metadata.uid) === true;
    return isOwn && workload !== undefined && hasReservation(workload) ? [workload] : [];
  });
}

export function usageOfPods(snapshot: Snapshot, pods: readonly Pod[]): FlavorAmounts {
  return sumOf(workloadsOf(snapshot, pods).map(usageOf));
}

function usesAny(usage: FlavorAmounts, shortages: readonly Shortage[]): boolean {
  return shortages.some(({ flavor, resource }) => (usage.get(flavorKey(flavor, resource)) ?? 0n) > 0n);
}

/** Those of the queue that are admitted with what becomes free, in its order. */
function winnersOf(
  { index }: Snapshot,
  queue: ClusterQueue,
  ahead: readonly QueuedWorkload[],
  released: readonly Charge[],
): readonly QueuedWorkload[] {
  const winners: QueuedWorkload[] = [];
  const added: Charge[] = [];
  for (const each of ahead) {
    const view = viewAfter(index, queue, { released, added });
    const found = assignFlavors(index, queue, view, podSetRequestsOf(each));
    if (found.kind === 'fits') {
      winners.push(each);
      added.push({ queue: queue.metadata.name, usage: found.usage });
    } else if (queue.spec.queueingStrategy === 'StrictFIFO') return [...winners, each];
  }
  return winners;
}

/** Who else may give quota back so that the new pod is admitted. Empty lists where that is not enough. */
interface OthersDoubts {
  /** Workloads, as `namespace/name`, that run to completion. */
  readonly finishing: readonly string[];
  /**
   * Workloads whose rollouts may stop pods, or that belong to other namespaces, whose rollouts were not read.
   */
  readonly mayStop: readonly string[];
  /** Quota is in use of which no Workload was read. */
  readonly isUsageUnread: boolean;
  /** ClusterQueues of the cohort whose Workloads use quota that it could lend. */
  readonly lending: readonly string[];
}

const none: OthersDoubts = { finishing: [], mayStop: [], isUsageUnread: false, lending: [] };

/** Deployments of a namespace whose state is worked out. */
const maxDeployments = 50;

function othersThatMayFree(
  snapshot: Snapshot,
  {
    queue,
    workload,
    usage,
    own,
  }: {
    readonly queue: ClusterQueue;
    readonly workload: QueuedWorkload;
    readonly usage: FlavorAmounts;
    readonly own: ReadonlySet<QueuedWorkload>;
  },
): OthersDoubts {
  const { index } = snapshot;
  const reserving = reservingIn(index, queue);
  const finishing = reserving.filter(runsToCompletion);
  const rests = createRests(snapshot);
  const mayStop = reserving.filter((each) => !own.has(each) && !runsToCompletion(each) && !rests(each));
  const known = sumOf(reserving.map(usageOf));
  const unread = new Map([...usage].map(([key, nano]) => [key, nano - (known.get(key) ?? 0n)]));
  const released = sumOf([...[...finishing, ...mayStop].map(usageOf), unread]);
  const requests = podSetRequestsOf(workload);
  const isEnough =
    assignFlavors(index, queue, viewWith(index, queue, difference(usage, released)), requests).kind ===
    'fits';
  const lending = lendersOf(snapshot, { queue, workload, usage, own });
  return {
    ...none,
    lending,
    ...(isEnough
      ? {
          finishing: finishing.map(nameOfQueued),
          mayStop: mayStop.map(nameOfQueued),
          isUsageUnread: [...unread.values()].some((nano) => nano > 0n),
        }
      : {}),
  };
}

/** Pods that are not restarted when they end, as those of a Job, or a limit of its time. */
function runsToCompletion({ spec }: QueuedWorkload): boolean {
  return (
    spec.maximumExecutionTimeSeconds !== undefined ||
    spec.podSets.some(({ template }) => template.spec.restartPolicy !== 'Always')
  );
}

/** Whether the pod of a Workload stays, as far as its own rollout goes. */
function createRests({ index, ...snapshot }: Snapshot): (workload: QueuedWorkload) => boolean {
  const now = nowOf(snapshot);
  const known = new Map<string, boolean>();
  const staysIn = (deployment: Deployment): boolean => {
    if (isUnreadNearby({ ...snapshot, workload: deployment }, 'HorizontalPodAutoscaler')) return false;
    const found = known.get(deployment.metadata.uid);
    if (found !== undefined || known.size >= maxDeployments) return found ?? false;
    const stays =
      isFixedPoint(rolloutStateIn(index, deployment, now)) &&
      autoscalerThatMayShrink({ ...snapshot, index, workload: deployment }) === undefined;
    known.set(deployment.metadata.uid, stays);
    return stays;
  };
  const evictable = new Set(evictablePods(index).map(podKey));
  const podsByUid = new Map(index.objects.Pod.map((pod) => [pod.metadata.uid, pod]));
  return (workload) => {
    if (isOnItsWayOut(index, workload)) return false;
    const pods = workload.metadata.ownerReferences.map(({ uid }) => podsByUid.get(uid));
    return pods.length > 0 && pods.every((pod) => pod !== undefined && isStaying(pod));
  };

  function isStaying(pod: Pod): boolean {
    if (isTerminating(pod) || evictable.has(podKey(pod))) return false;
    const replicaSet = index.replicaSets.get(controllerOf(pod)?.uid ?? '');
    const above = replicaSet && controllerOf(replicaSet)?.uid;
    const deployment = index.objects.Deployment.find(({ metadata }) => metadata.uid === above);
    return deployment !== undefined && staysIn(deployment);
  }
}

/**
 * Other ClusterQueues of the cohort, where the new pod would be admitted if none of them used anything but
 * for the workload's own pods.
 */
function lendersOf(
  { index }: Snapshot,
  { queue, workload, usage, own }: Parameters<typeof othersThatMayFree>[1],
): readonly string[] {
  if (queue.spec.cohort === undefined) return [];
  const ofOwn = (each: ClusterQueue): FlavorAmounts =>
    sumOf(
      reservingIn(index, each)
        .filter((workload) => own.has(workload))
        .map(usageOf),
    );
  const view = viewWith(index, queue, usage, ofOwn);
  if (assignFlavors(index, queue, view, podSetRequestsOf(workload)).kind !== 'fits') return [];
  return index.objects.ClusterQueue.filter(
    (each) =>
      each.metadata.name !== queue.metadata.name &&
      each.spec.cohort !== undefined &&
      [...difference(usageIn(index, each), ofOwn(each)).values()].some((nano) => nano > 0n),
  ).map(({ metadata }) => metadata.name);
}
