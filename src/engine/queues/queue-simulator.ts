import type { ClusterIndex } from '../objects/cluster-index.js';
import { type ClusterQueue, kueueMarks, type QueuedWorkload } from '../objects/kueue.js';
import type { ObjectRef } from '../objects/metadata.js';
import type { Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod.js';
import type { Workload } from '../objects/workload.js';
import type { Contest, PodSimulator } from '../workloads/pod-simulator.js';
import { isSimulated } from '../workloads/simulated-pods.js';
import { byQueueOrder, hasReservation, pendingIn, queuedWorkloadOf } from './queued-workload.js';
import type { Assignment, Charge, FlavorAmounts, PodSetRequest } from './quota-assignment.js';
import {
  assignFlavors,
  chargesOf,
  podSetLike,
  podSetRequestsOf,
  queuesOfCohort,
  sumOf,
  viewAfter,
} from './quota-assignment.js';

type PlacementOf = PodSimulator['placementOf'];

/**
 * Answers for a rollout whose pods Kueue admits one by one: a pod finds a node only once the ClusterQueue has
 * quota for it. A pod gives its quota back as soon as it is marked for deletion, long before it is gone from
 * its node (kueue `pkg/controller/jobs/pod/pod_controller.go: Load`). Other Workloads compete that come
 * before it in the queue. Kueue evicts nobody here.
 *
 * @param like a Workload that waits; those of pods that are created later are like it, and younger
 */
export function queueSimulator(
  index: ClusterIndex,
  queue: ClusterQueue,
  base: PodSimulator,
  like: QueuedWorkload,
): PodSimulator {
  const ungated = withoutGates();
  let work = 0;

  const assign: Assign = (to, podSets, released, added) => {
    // The view has every queue of the cluster.
    work += 1 + index.objects.ClusterQueue.length;
    return assignFlavors(index, to, viewAfter(index, to, { released, added }), podSets);
  };

  const placing = (place: PlacementOf, ahead: Ahead | undefined): PlacementOf => {
    const assigned = new Map<string, FlavorAmounts>();
    return (pod, changed) => {
      if (!isQueued(pod)) return place(pod, changed);
      // Which quota another queue has is not known here.
      if ((pod.metadata.labels[kueueMarks.queue] ?? like.spec.queueName) !== like.spec.queueName)
        return undefined;
      const { gone, leaving = [], placed } = changed;
      work += gone.length + leaving.length + placed.length;
      const released = chargesOf([...gone, ...leaving].flatMap((each) => reservedBy(index, each)));
      const own: Charge = {
        queue: queue.metadata.name,
        usage: sumOf(placed.flatMap((each) => assigned.get(podKey(each)) ?? [])),
      };
      const added = ahead === undefined ? [own] : ahead.serve(pod, { released, own, assign });
      if (added === undefined) return undefined;
      const free = ungated(pod);
      const found = assign(queue, [podSetLike(like, free)], released, added);
      if (found.kind !== 'fits') return undefined;
      const node = place(free, changed);
      if (node !== undefined) assigned.set(podKey(pod), found.usage);
      return node;
    };
  };

  const { mayBePlaced } = base;
  return {
    becomesReady: base.becomesReady,
    ...(mayBePlaced === undefined ? {} : { mayBePlaced: (pod, gone) => mayBePlaced(ungated(pod), gone) }),
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
      return contestOf(placing(others?.simulator.placementOf ?? base.placementOf, ahead), ahead, others);
    },
  };
}

function contestOf(placementOf: PlacementOf, ahead: Ahead | undefined, others: Contest | undefined): Contest {
  return {
    simulator: { ...others?.simulator, placementOf },
    competitors: [...(ahead?.competitors ?? []), ...(others?.competitors ?? [])],
    winners: () => [...(ahead?.winners() ?? []), ...(others?.winners() ?? [])],
  };
}

/** A pod that Kueue has not admitted, or a simulated one of a template that Kueue manages. */
function isQueued(pod: Pod): boolean {
  const { metadata, spec } = pod;
  const isGated = spec.schedulingGates.some(({ name }) => name.startsWith(kueueMarks.prefix));
  const isManaged = kueueMarks.queue in metadata.labels || kueueMarks.managed in metadata.labels;
  return isGated || (isManaged && isSimulated(pod));
}

/** The pod's own Workload, where it has quota. */
function reservedBy(index: ClusterIndex, pod: Pod): readonly QueuedWorkload[] {
  const workload = queuedWorkloadOf(index, pod);
  return workload !== undefined && hasReservation(workload) && isOwnedBy(workload, pod) ? [workload] : [];
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

type Assign = (
  queue: ClusterQueue,
  podSets: readonly PodSetRequest[],
  released: readonly Charge[],
  added: readonly Charge[],
) => Assignment;

interface Ahead {
  readonly competitors: readonly ObjectRef[];
  readonly winners: () => readonly ObjectRef[];
  /**
   * What is used, beside `own`, once those before the pod were served; `undefined` where one of them keeps
   * everybody waiting.
   */
  readonly serve: (
    pod: Pod,
    to: { readonly released: readonly Charge[]; readonly own: Charge; readonly assign: Assign },
  ) => readonly Charge[] | undefined;
}

/** Workloads of other ClusterQueues of the cohort that may compete; more of them would say nothing new. */
const maxRivals = 50;

/**
 * Workloads of others that come before those of the workload's waiting pods, and those of other ClusterQueues
 * of the cohort: Kueue tries the first of each queue in one round. `undefined` where there are none.
 */
function aheadOf(
  index: ClusterIndex,
  queue: ClusterQueue,
  own: readonly Pod[],
  like: QueuedWorkload,
): Ahead | undefined {
  const ofOwn = new Set(own.flatMap((pod) => queuedWorkloadOf(index, pod) ?? []));
  const pendingOf = (of: ClusterQueue) =>
    pendingIn(index, of).flatMap((workload) => (ofOwn.has(workload) ? [] : [{ workload, of }]));
  const rivals = queuesOfCohort(index.objects, queue).flatMap(pendingOf);
  const others = [...pendingOf(queue), ...rivals.slice(0, maxRivals)];
  if (others.length === 0) return undefined;
  const taken = new Map<QueuedWorkload, Charge>();
  return {
    competitors: others.map(({ workload }) => refOfQueued(workload)),
    winners: () => [...taken.keys()].map(refOfQueued),
    serve(pod, { released, own: placed, assign }) {
      const waiting = queuedWorkloadOf(index, pod);
      const added = [placed, ...taken.values()];
      for (const { workload, of } of others) {
        if (taken.has(workload)) continue;
        const isBefore =
          of !== queue ||
          (waiting === undefined
            ? workload.spec.priority >= like.spec.priority
            : byQueueOrder(workload, waiting) < 0);
        if (!isBefore) continue;
        const found = assign(of, podSetRequestsOf(workload), released, added);
        if (found.kind === 'fits') {
          const charge = { queue: of.metadata.name, usage: found.usage };
          taken.set(workload, charge);
          added.push(charge);
        } else if (of === queue && queue.spec.queueingStrategy === 'StrictFIFO') return undefined;
      }
      return added;
    },
  };
}

function refOfQueued({ metadata }: QueuedWorkload): ObjectRef {
  return { kind: 'Workload', namespace: metadata.namespace, name: metadata.name };
}

/** Kinds whose pods Kueue admits one by one; those of other kinds are groups, which keep their quota. */
const admittedByPod: ReadonlySet<Workload['kind']> = new Set(['Deployment', 'Rollout']);

/**
 * Answers for a rollout in a queue of Kueue whose quota was not read, as no pod waits for it. Each pod that
 * is created later waits at the gate, and another Workload may be admitted first, so that the queue itself
 * counts as a competitor. Pods that exist without the gate have been admitted.
 */
export function besideUnreadQueue(base: PodSimulator, { kind, metadata, spec }: Workload): PodSimulator {
  const name = spec.template.metadata.labels[kueueMarks.queue];
  if (name === undefined || !admittedByPod.has(kind)) return base;
  const queue = { kind: 'LocalQueue', namespace: metadata.namespace, name };
  const { likenessOf } = base;
  return {
    ...base,
    ...(likenessOf === undefined
      ? {}
      : { likenessOf: (pod) => (isYetToBeAdmitted(pod) ? undefined : likenessOf(pod)) }),
    contest(own) {
      const others = base.contest?.(own);
      const place = others?.simulator.placementOf ?? base.placementOf;
      let isAsked = false;
      return {
        simulator: {
          ...others?.simulator,
          placementOf(pod, difference) {
            if (!isYetToBeAdmitted(pod)) return place(pod, difference);
            isAsked = true;
            return undefined;
          },
        },
        competitors: [...(others?.competitors ?? []), queue],
        winners: () => [...(others?.winners() ?? []), ...(isAsked ? [queue] : [])],
      };
    },
  };
}

function isYetToBeAdmitted(pod: Pod): boolean {
  return isSimulated(pod) && kueueMarks.queue in pod.metadata.labels;
}
