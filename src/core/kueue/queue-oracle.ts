import type { ClusterIndex } from '../cluster/cluster-index.js';
import { type ClusterQueue, kueueMarks, type QueuedWorkload } from '../cluster/kueue.js';
import type { ObjectRef } from '../cluster/metadata.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { Contest, PodOracle } from '../rollout/pod-oracle.js';
import { isSimulated } from '../rollout/simulated-pods.js';
import {
  difference,
  type FlavorAmounts,
  podSetRequestsOf,
  requestsOfPod,
  sumOf,
  usageOf,
} from './flavor-amounts.js';
import { byQueueOrder, hasReservation, pendingIn, queuedWorkloadOf } from './queued-workload.js';
import { type Assignment, assignFlavors, usageIn, viewWith } from './quota-assignment.js';

type PlacementOf = PodOracle['placementOf'];

/**
 * Answers for a rollout whose pods Kueue admits one by one: a pod finds a node only once the ClusterQueue has quota for
 * it, and a pod that is gone gives its quota back. Other Workloads compete that come before it in the queue. Kueue evicts
 * nobody here.
 *
 * @param like a Workload that waits; those of pods that are created later are like it, and younger
 */
export function queueOracle(
  index: ClusterIndex,
  queue: ClusterQueue,
  base: PodOracle,
  like: QueuedWorkload,
): PodOracle {
  const before = usageIn(index, queue);
  const ungated = withoutGates();
  let work = 0;

  const assign = (podSets: Parameters<typeof assignFlavors>[3], usage: FlavorAmounts): Assignment => {
    // The view has every queue of the cluster.
    work += 1 + index.objects.ClusterQueue.length;
    return assignFlavors(index, queue, viewWith(index, queue, usage), podSets);
  };

  const placing = (place: PlacementOf, ahead: Ahead | undefined): PlacementOf => {
    const assigned = new Map<string, FlavorAmounts>();
    return (pod, changed) => {
      if (!isQueued(pod)) return place(pod, changed);
      const { gone, placed } = changed;
      work += gone.length + placed.length;
      const usage = sumOf([
        difference(before, sumOf(gone.flatMap((each) => reservedBy(index, each)))),
        ...placed.flatMap((each) => assigned.get(podKey(each)) ?? []),
      ]);
      const left = ahead === undefined ? usage : ahead.serve(pod, usage, assign);
      if (left === undefined) return undefined;
      const free = ungated(pod);
      const found = assign([{ requests: requestsOfPod(free), count: 1, spec: free.spec }], left);
      if (found.kind !== 'fits') return undefined;
      const node = place(free, changed);
      if (node !== undefined) assigned.set(podKey(pod), found.usage);
      return node;
    };
  };

  return {
    becomesReady: base.becomesReady,
    ...(base.admits === undefined ? {} : { admits: base.admits }),
    ...(base.work === undefined ? {} : { work: base.work }),
    placementOf: placing(base.placementOf, undefined),
    takeWork() {
      const spent = work + (base.takeWork?.() ?? 0);
      work = 0;
      return spent;
    },
    contest(own) {
      const others = base.contest?.(own);
      const ahead = aheadOf(index, queue, own, like);
      if (ahead === undefined && others === undefined) return undefined;
      return contestOf(placing(others?.oracle.placementOf ?? base.placementOf, ahead), ahead, others);
    },
  };
}

function contestOf(placementOf: PlacementOf, ahead: Ahead | undefined, others: Contest | undefined): Contest {
  return {
    oracle: { ...others?.oracle, placementOf },
    competitors: [...(ahead?.competitors ?? []), ...(others?.competitors ?? [])],
    takers: () => [...(ahead?.takers() ?? []), ...(others?.takers() ?? [])],
  };
}

/** A pod that Kueue has not admitted, or a simulated one of a template that Kueue manages. */
function isQueued(pod: Pod): boolean {
  const { metadata, spec } = pod;
  const isGated = spec.schedulingGates.some(({ name }) => name.startsWith(kueueMarks.prefix));
  const isManaged = kueueMarks.queue in metadata.labels || kueueMarks.managed in metadata.labels;
  return isGated || (isManaged && isSimulated(pod));
}

/** What the pod's own Workload has reserved. */
function reservedBy(index: ClusterIndex, pod: Pod): readonly FlavorAmounts[] {
  const workload = queuedWorkloadOf(index, pod);
  return workload !== undefined && hasReservation(workload) && isOwnedBy(workload, pod)
    ? [usageOf(workload)]
    : [];
}

function isOwnedBy({ metadata }: QueuedWorkload, pod: Pod): boolean {
  return metadata.ownerReferences.some(({ uid }) => uid === pod.metadata.uid);
}

/** The same object for the same pod, since engines remember what they worked out for a pod. */
function withoutGates(): (pod: Pod) => Pod {
  const known = new WeakMap<Pod, Pod>();
  return (pod) => {
    const gates = pod.spec.schedulingGates.filter(({ name }) => !name.startsWith(kueueMarks.prefix));
    if (gates.length === pod.spec.schedulingGates.length) return pod;
    const made = known.get(pod) ?? { ...pod, spec: { ...pod.spec, schedulingGates: gates } };
    known.set(pod, made);
    return made;
  };
}

interface Ahead {
  readonly competitors: readonly ObjectRef[];
  readonly takers: () => readonly ObjectRef[];
  /** What is used once those before the pod were served; `undefined` where one of them keeps everybody waiting. */
  readonly serve: (
    pod: Pod,
    usage: FlavorAmounts,
    assign: (podSets: Parameters<typeof assignFlavors>[3], usage: FlavorAmounts) => Assignment,
  ) => FlavorAmounts | undefined;
}

/** Workloads of others that come before those of the workload's waiting pods; `undefined` where there are none. */
function aheadOf(
  index: ClusterIndex,
  queue: ClusterQueue,
  own: readonly Pod[],
  like: QueuedWorkload,
): Ahead | undefined {
  const ofOwn = new Set(own.flatMap((pod) => queuedWorkloadOf(index, pod) ?? []));
  const others = pendingIn(index, queue).filter((each) => !ofOwn.has(each));
  if (others.length === 0) return undefined;
  const taken = new Map<QueuedWorkload, FlavorAmounts>();
  return {
    competitors: others.map(refOfQueued),
    takers: () => [...taken.keys()].map(refOfQueued),
    serve(pod, usage, assign) {
      const workload = queuedWorkloadOf(index, pod);
      let used = sumOf([usage, ...taken.values()]);
      for (const other of others) {
        if (taken.has(other)) continue;
        const isBefore =
          workload === undefined
            ? other.spec.priority >= like.spec.priority
            : byQueueOrder(other, workload) < 0;
        if (!isBefore) continue;
        const found = assign(podSetRequestsOf(other), used);
        if (found.kind === 'fits') {
          taken.set(other, found.usage);
          used = sumOf([used, found.usage]);
        } else if (queue.spec.queueingStrategy === 'StrictFIFO') return undefined;
      }
      return used;
    },
  };
}

function refOfQueued({ metadata }: QueuedWorkload): ObjectRef {
  return { kind: 'Workload', namespace: metadata.namespace, name: metadata.name };
}
