import { fewestOf } from '../../../engine/creation/quota-block.js';
import type { ClusterQueue, QueuedWorkload } from '../../../engine/objects/kueue.js';
import type { Condition } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { queuedOf } from '../../../engine/queues/queue-state.js';
import { isHeldByKueue, mayStart, queuedWorkloadOf } from '../../../engine/queues/queued-workload.js';
import type { Charge, FlavorAmounts, Shortage } from '../../../engine/queues/quota-assignment.js';
import {
  assignFlavors,
  chargesOf,
  flavorKey,
  podSetRequestsOf,
  sumOf,
  usageIn,
  usageOf,
  viewAfter,
} from '../../../engine/queues/quota-assignment.js';
import type { PlaceOf } from '../../findings/escapes/contract.js';
import { isAdmittedWithout, workloadsOf } from '../../findings/escapes/queue-quota.js';
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
  /** What the new pod waits for. */
  readonly place: PlaceOf<'queue'>;
}

/** A queue admits in seconds. */
const patienceSeconds = 60;

/**
 * The proof that Kueue cannot admit the new pod beside the rollout's own old pods and could without some of
 * them, while the Deployment's controller rests. `undefined` where any part of that does not hold: the
 * rollout moves, something else than quota keeps the pod, Kueue may evict a Workload for it, or the old pods
 * are not enough.
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
  const holders = rollout.holding.filter((pod) => usesAny(usageOfPods(snapshot, [pod]), shortages));
  const release = fewestOf(holders, (pods) => isAdmittedWithout(snapshot, { queue, workload }, pods));
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
    place: { kind: 'queue', holders, queue, workload, usage, own },
  };
}

function isLate(snapshot: Snapshot, { metadata }: Pod): boolean {
  const since = Date.parse(metadata.creationTimestamp ?? '');
  return Number.isNaN(since) || nowOf(snapshot) - since >= patienceSeconds * 1000;
}

function chargesOfPods(snapshot: Snapshot, pods: readonly Pod[]): readonly Charge[] {
  return chargesOf(workloadsOf(snapshot, pods));
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
