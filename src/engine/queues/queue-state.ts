import type { ClusterIndex } from '../objects/cluster-index.js';
import { type ClusterQueue, kueueMarks, type LocalQueue, type QueuedWorkload } from '../objects/kueue.js';
import { matchesSelector } from '../objects/label-selector.js';
import { type Condition, conditionOf } from '../objects/metadata.js';
import type { Pod } from '../objects/pod.js';
import { podFromTemplate } from '../scheduler/pod-from-template.js';
import {
  clusterQueueOf,
  hasPodsToWaitFor,
  hasReservation,
  isAdmitted,
  mayEvict,
  pendingIn,
  queuedWorkloadOf,
  queueOf,
  reservingIn,
} from './queued-workload.js';
import {
  assignFlavors,
  difference,
  type FlavorAmounts,
  podSetRequestsOf,
  requestsOfPod,
  type Shortage,
  sumOf,
  usageIn,
  usageOf,
  viewWith,
} from './quota-assignment.js';

/** What a pod at Kueue's gate waits for, as far as the objects of Kueue show it. */
export type Wait =
  /** Kueue has made no Workload for it. `found` of `total` pods of its group exist, where it has one. */
  | { readonly kind: 'no-workload'; readonly found?: number; readonly total?: number }
  | { readonly kind: 'no-local-queue' }
  | { readonly kind: 'no-cluster-queue' }
  | { readonly kind: 'stopped'; readonly by: 'LocalQueue' | 'ClusterQueue'; readonly policy: string }
  /** The queue reports itself as inactive. */
  | { readonly kind: 'inactive'; readonly by: 'LocalQueue' | 'ClusterQueue'; readonly condition: Condition }
  /** The ClusterQueue takes no Workloads of the namespace. */
  | { readonly kind: 'namespace' }
  /** `spec.active` is false. */
  | { readonly kind: 'deactivated' }
  /** An annotation names a controller that has to let it into the queue. */
  | { readonly kind: 'held-by'; readonly controllers: string }
  /** It has quota and waits for these checks. */
  | {
      readonly kind: 'checks';
      readonly checks: readonly { readonly name: string; readonly state: string; readonly message: string }[];
    }
  /** It is admitted: its gate is about to go, or a topology is being assigned. */
  | { readonly kind: 'admitted' }
  /**
   * Kueue waits until the pods of these Workloads, which it admitted before, are ready: it reports so, or it
   * is configured with `blockAdmission`.
   */
  | {
      readonly kind: 'pods-ready';
      readonly isReported: boolean;
      readonly workloads: readonly QueuedWorkload[];
    }
  /** There is quota for it, and Kueue finds no place for its pods in the topology of these flavors. */
  | { readonly kind: 'topology'; readonly flavors: readonly string[] }
  | { readonly kind: 'no-flavor'; readonly flavors: readonly string[] }
  /** The ClusterQueue has no quota of these resources at all. */
  | { readonly kind: 'uncovered'; readonly resources: readonly string[] }
  /** More than the ClusterQueue and its cohort can ever give. */
  | { readonly kind: 'beyond-maximum'; readonly shortages: readonly Shortage[] }
  /**
   * Its preemption policy lets Kueue evict these, which is enough; none where Kueue reports that it evicts
   * some already.
   */
  | {
      readonly kind: 'preemption';
      readonly shortages: readonly Shortage[];
      readonly evicted: readonly QueuedWorkload[];
    }
  | { readonly kind: 'quota'; readonly shortages: readonly [Shortage, ...Shortage[]] }
  /** There is quota for it. Others are before it in the queue, or Kueue has not tried it since. */
  | { readonly kind: 'turn' };

/** A waiting pod in Kueue's queue. */
export interface Queued {
  readonly pod: Pod;
  readonly wait: Wait;
  /** '' where the pod names none. */
  readonly queue: string;
  readonly localQueue?: LocalQueue;
  readonly clusterQueue?: ClusterQueue;
  readonly workload?: QueuedWorkload;
  /** What Kueue says of the quota. */
  readonly condition?: Condition;
  /** The Workload of which it says that: one of equal shape, where Kueue evaluates no second one. */
  readonly reporter?: QueuedWorkload;
  /** Workloads before it in the queue, the first one first. */
  readonly ahead: readonly QueuedWorkload[];
}

/** `undefined` where no object of Kueue was read. */
export function queuedOf(index: ClusterIndex, pod: Pod): Queued | undefined {
  const { Workload, LocalQueue, ClusterQueue } = index.objects;
  if (Workload.length + LocalQueue.length + ClusterQueue.length === 0) return undefined;
  const workload = queuedWorkloadOf(index, pod);
  const { namespace, labels } = pod.metadata;
  const queue = workload?.spec.queueName || (labels[kueueMarks.queue] ?? '');
  const localQueue = queueOf(index, namespace, queue);
  const clusterQueue = localQueue && clusterQueueOf(index, localQueue.spec.clusterQueue);
  const reporter = workload && reporterFor(index, clusterQueue, workload);
  const condition = reporter && conditionOf(reporter.status, 'QuotaReserved');
  const base = {
    pod,
    queue,
    ahead: [],
    ...(localQueue === undefined ? {} : { localQueue }),
    ...(clusterQueue === undefined ? {} : { clusterQueue }),
    ...(workload === undefined ? {} : { workload }),
    ...(condition === undefined ? {} : { condition }),
    ...(reporter === undefined ? {} : { reporter }),
  };
  if (workload === undefined) return { ...base, wait: withoutWorkload(index, pod) };
  if (isAdmitted(workload)) return { ...base, wait: { kind: 'admitted' } };
  const refused = refusedBy(index, workload, localQueue, clusterQueue);
  const isQueueUnread = refused?.kind === 'no-local-queue' || refused?.kind === 'no-cluster-queue';
  if (isQueueUnread && isSaidToExceed(condition)) {
    return { ...base, wait: { kind: 'beyond-maximum', shortages: [] } };
  }
  if (refused !== undefined) return { ...base, wait: refused };
  if (clusterQueue === undefined) return { ...base, wait: { kind: 'no-cluster-queue' } };
  const pending = pendingIn(index, clusterQueue);
  const position = pending.indexOf(workload);
  const ahead = position < 0 ? [] : pending.slice(0, position);
  return { ...base, wait: waitForQuota(index, clusterQueue, reporter ?? workload), ahead };
}

function withoutWorkload({ objects }: ClusterIndex, pod: Pod): Wait {
  const total = Number(pod.metadata.annotations[kueueMarks.groupTotal] ?? '');
  const group = pod.metadata.labels[kueueMarks.group];
  if (group === undefined || !Number.isSafeInteger(total) || total <= 0) return { kind: 'no-workload' };
  const found = objects.Pod.filter(
    ({ metadata }) =>
      metadata.namespace === pod.metadata.namespace && metadata.labels[kueueMarks.group] === group,
  ).length;
  return { kind: 'no-workload', found, total };
}

/** What keeps the Workload out of any queue, or from starting with its quota. */
function refusedBy(
  index: ClusterIndex,
  workload: QueuedWorkload,
  localQueue: LocalQueue | undefined,
  clusterQueue: ClusterQueue | undefined,
): Wait | undefined {
  const { spec, status, metadata } = workload;
  if (!spec.active) return { kind: 'deactivated' };
  const controllers = metadata.annotations[kueueMarks.admissionGatedBy] ?? '';
  if (controllers !== '') return { kind: 'held-by', controllers };
  if (hasReservation(workload)) {
    return { kind: 'checks', checks: status.admissionChecks.filter(({ state }) => state !== 'Ready') };
  }
  if (localQueue === undefined) return { kind: 'no-local-queue' };
  if (localQueue.spec.stopPolicy !== 'None') {
    return { kind: 'stopped', by: 'LocalQueue', policy: localQueue.spec.stopPolicy };
  }
  if (clusterQueue === undefined) return { kind: 'no-cluster-queue' };
  if (clusterQueue.spec.stopPolicy !== 'None') {
    return { kind: 'stopped', by: 'ClusterQueue', policy: clusterQueue.spec.stopPolicy };
  }
  const condition = conditionOf(clusterQueue.status, 'Active');
  if (condition?.status === 'False') return { kind: 'inactive', by: 'ClusterQueue', condition };
  return isNamespaceRefused(index, workload, clusterQueue) ? { kind: 'namespace' } : undefined;
}

/** A namespace that was not read counts as selected; without a selector no namespace is. */
function isNamespaceRefused(
  { objects }: ClusterIndex,
  { metadata }: QueuedWorkload,
  { spec }: ClusterQueue,
): boolean {
  if (spec.namespaceSelector === undefined) return true;
  const namespace = objects.Namespace.find(({ metadata: { name } }) => name === metadata.namespace);
  return namespace !== undefined && !matchesSelector(spec.namespaceSelector, namespace.metadata.labels);
}

function waitForQuota(index: ClusterIndex, queue: ClusterQueue, workload: QueuedWorkload): Wait {
  const condition = conditionOf(workload.status, 'QuotaReserved');
  if (condition?.reason === 'WaitingForPodsReady' || condition?.reason === 'Waiting')
    return { kind: 'pods-ready', isReported: true, workloads: unreadyIn(index) };
  const requests = podSetRequestsOf(workload);
  const usage = usageIn(index, queue);
  const assigned = assignFlavors(index, queue, viewWith(index, queue, usage), requests);
  if (assigned.kind === 'no-flavor' || assigned.kind === 'uncovered') return assigned;
  if (assigned.kind === 'fits') return waitWithQuota(index, assigned.usage, condition);
  const { shortages } = assigned;
  if (isPreempting(condition)) return { kind: 'preemption', shortages, evicted: [] };
  if (isBeyondMaximum(shortages)) return { kind: 'beyond-maximum', shortages };
  const evicted = evictable(index, queue, workload, usage);
  if (evicted.length > 0) return { kind: 'preemption', shortages, evicted };
  return { kind: 'quota', shortages };
}

/** With `blockAdmission` Kueue evaluates nothing until the pods of each admitted Workload are ready. */
function unreadyIn({ objects }: ClusterIndex): readonly QueuedWorkload[] {
  return objects.Workload.filter((each) => isAdmitted(each) && hasPodsToWaitFor(each));
}

/** There is quota for it: what else keeps Kueue from admitting it. */
function waitWithQuota(index: ClusterIndex, usage: FlavorAmounts, condition: Condition | undefined): Wait {
  const unready = unreadyIn(index);
  if (condition === undefined && unready.length > 0) {
    return { kind: 'pods-ready', isReported: false, workloads: unready };
  }
  const flavors = index.objects.ResourceFlavor.filter(
    ({ metadata, spec }) =>
      spec.topologyName !== undefined && [...usage.keys()].some((key) => key.startsWith(`${metadata.name}/`)),
  );
  return condition?.status === 'False' && flavors.length > 0
    ? { kind: 'topology', flavors: flavors.map(({ metadata }) => metadata.name) }
    : { kind: 'turn' };
}

/**
 * Of Workloads of equal shape in one ClusterQueue, Kueue evaluates the first, and writes no condition into
 * the others while the first has no quota (kueue 0.18, `SchedulingEquivalenceHashing`). With StrictFIFO it
 * evaluates only the first of all.
 */
function reporterFor(
  index: ClusterIndex,
  clusterQueue: ClusterQueue | undefined,
  workload: QueuedWorkload,
): QueuedWorkload {
  const isEvaluated = (each: QueuedWorkload) => conditionOf(each.status, 'QuotaReserved') !== undefined;
  if (isEvaluated(workload) || clusterQueue?.spec.queueingStrategy !== 'BestEffortFIFO') return workload;
  const shape = shapeOf(workload);
  const alike = pendingIn(index, clusterQueue).find((each) => isEvaluated(each) && shapeOf(each) === shape);
  return alike ?? workload;
}

function shapeOf({ metadata, spec }: QueuedWorkload): string {
  const podSets = spec.podSets.map(({ count, template }) => {
    const pod = podFromTemplate(template, metadata);
    const { nodeSelector, affinity, tolerations } = pod.spec;
    const requests = [...requestsOfPod(pod)].map(([resource, nano]) => [resource, String(nano)]).sort();
    return [count, requests, Object.entries(nodeSelector).sort(), affinity?.nodeAffinity, tolerations];
  });
  return JSON.stringify([spec.priority, podSets]);
}

/** kueue `pkg/scheduler/scheduler.go`: the message of every version, and the reason since 0.19. */
function isPreempting(condition: Condition | undefined): boolean {
  return (
    condition?.status === 'False' &&
    (condition.reason === 'WaitingForPreemptedWorkloads' ||
      condition.message.includes('Pending the preemption of'))
  );
}

/**
 * Kueue itself worked out that no usage leaves enough for it. It writes this reason since 0.19, with its gate
 * UnadmittedWorkloadsObservability (off by default). Where the queue was read, what it has now decides: the
 * reason of a Workload that waits for its turn may be older.
 */
function isSaidToExceed(condition: Condition | undefined): boolean {
  return condition?.status === 'False' && condition.reason === 'ExceedsMaxQuota';
}

/** Each flavor has something of which the request is more than the ClusterQueue can have. */
function isBeyondMaximum(shortages: readonly Shortage[]): boolean {
  const flavors = new Set(shortages.map(({ flavor }) => flavor));
  return [...flavors].every((flavor) =>
    shortages.some((each) => each.flavor === flavor && each.requested > each.atMost),
  );
}

/**
 * Workloads of the same ClusterQueue that Kueue may evict for this one; none where that is not enough. Kueue
 * evicts none of another ClusterQueue that keeps to its own quota.
 */
function evictable(
  index: ClusterIndex,
  queue: ClusterQueue,
  workload: QueuedWorkload,
  usage: FlavorAmounts,
): readonly QueuedWorkload[] {
  const policy = queue.spec.preemption.withinClusterQueue;
  const candidates = reservingIn(index, queue).filter((each) => mayEvict(policy, workload, each));
  if (candidates.length === 0) return [];
  const left = difference(usage, sumOf(candidates.map(usageOf)));
  const assigned = assignFlavors(index, queue, viewWith(index, queue, left), podSetRequestsOf(workload));
  return assigned.kind === 'fits' ? candidates : [];
}
