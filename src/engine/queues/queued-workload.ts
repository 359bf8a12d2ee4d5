import { compareText } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { type ClusterQueue, kueueMarks, type LocalQueue, type QueuedWorkload } from '../objects/kueue.js';
import { conditionOf } from '../objects/metadata.js';
import { hasNode, isActive, type Pod } from '../objects/pod.js';

/** True where Kueue keeps the scheduler from looking at the pod. */
export function isHeldByKueue(pod: Pod): boolean {
  return (
    isActive(pod) &&
    !hasNode(pod) &&
    pod.spec.schedulingGates.some(({ name }) => name.startsWith(kueueMarks.prefix))
  );
}

/**
 * The Workload that Kueue admits for the pod: its own, or that of its group, which has the group's name
 * (kueue `pkg/controller/jobs/pod/pod_controller.go: workloadName`).
 */
export function queuedWorkloadOf(
  { objects }: Pick<ClusterIndex, 'objects'>,
  pod: Pod,
): QueuedWorkload | undefined {
  const { namespace, uid } = pod.metadata;
  const { byOwner, byName } = indexOf(objects.Workload);
  const own = byOwner.get(uid);
  if (own?.metadata.namespace === namespace) return own;
  return groupNames(pod)
    .map((name) => byName.get(`${namespace}/${name}`))
    .find((each) => each !== undefined);
}

interface WorkloadIndex {
  /** By the uid of an object that owns it. */
  readonly byOwner: ReadonlyMap<string, QueuedWorkload>;
  /** By `namespace/name`. */
  readonly byName: ReadonlyMap<string, QueuedWorkload>;
  /** Those with a reservation, by the name of the ClusterQueue. */
  readonly reserving: ReadonlyMap<string, readonly QueuedWorkload[]>;
  /** Kueue evicted a Workload because its pods were not ready in time. */
  readonly hasReadyTimeout: boolean;
}

const indexes = new WeakMap<readonly QueuedWorkload[], WorkloadIndex>();

/** In one walk: a cluster has thousands of Workloads, and each pod and queue asks. */
function indexOf(workloads: readonly QueuedWorkload[]): WorkloadIndex {
  const known = indexes.get(workloads);
  if (known !== undefined) return known;
  const byOwner = new Map<string, QueuedWorkload>();
  const byName = new Map<string, QueuedWorkload>();
  const reserving = new Map<string, QueuedWorkload[]>();
  for (const each of workloads) {
    const { namespace, name, ownerReferences } = each.metadata;
    for (const { uid } of ownerReferences) if (!byOwner.has(uid)) byOwner.set(uid, each);
    byName.set(`${namespace}/${name}`, each);
    const queue = hasReservation(each) ? each.status.admission?.clusterQueue : undefined;
    if (queue === undefined) continue;
    const ofQueue = reserving.get(queue) ?? [];
    reserving.set(queue, ofQueue);
    ofQueue.push(each);
  }
  const hasReadyTimeout = workloads.some(
    ({ status }) => conditionOf(status, 'Evicted')?.reason === 'PodsReadyTimeout',
  );
  const made = { byOwner, byName, reserving, hasReadyTimeout };
  indexes.set(workloads, made);
  return made;
}

function groupNames({ metadata: { labels, annotations } }: Pod): readonly string[] {
  return [kueueMarks.prebuilt, kueueMarks.group].flatMap((mark) => labels[mark] ?? annotations[mark] ?? []);
}

export function queueOf(
  { objects }: Pick<ClusterIndex, 'objects'>,
  namespace: string,
  name: string,
): LocalQueue | undefined {
  return objects.LocalQueue.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
}

export function clusterQueueOf(
  { objects }: Pick<ClusterIndex, 'objects'>,
  name: string,
): ClusterQueue | undefined {
  return objects.ClusterQueue.find(({ metadata }) => metadata.name === name);
}

/** kueue `pkg/workload/workload.go: HasQuotaReservation`. */
export function hasReservation(workload: QueuedWorkload): boolean {
  return (
    conditionOf(workload.status, 'QuotaReserved')?.status === 'True' &&
    workload.status.admission !== undefined &&
    !isFinished(workload)
  );
}

/** It has quota: its gate is about to go, or waits for admission checks. */
export function mayStart(index: Pick<ClusterIndex, 'objects'>, pod: Pod): boolean {
  const workload = queuedWorkloadOf(index, pod);
  return workload !== undefined && (isAdmitted(workload) || hasReservation(workload));
}

/**
 * True where Kueue takes the quota of an admitted Workload back: it evicts it, or waits only a time for its
 * pods to be ready. Each Workload reports `PodsReady`, whether Kueue is configured with such a time or not.
 * Only an eviction shows that it is (kueue
 * `pkg/controller/core/workload_controller.go: reconcileNotReadyTimeout`).
 */
export function isOnItsWayOut({ objects }: Pick<ClusterIndex, 'objects'>, workload: QueuedWorkload): boolean {
  return (
    workload.metadata.deletionTimestamp !== undefined ||
    conditionOf(workload.status, 'Evicted')?.status === 'True' ||
    (hasPodsToWaitFor(workload) && indexOf(objects.Workload).hasReadyTimeout)
  );
}

/** Its pods are not ready yet. */
export function hasPodsToWaitFor({ status }: QueuedWorkload): boolean {
  return conditionOf(status, 'PodsReady')?.status === 'False';
}

export function isAdmitted({ status }: QueuedWorkload): boolean {
  return conditionOf(status, 'Admitted')?.status === 'True';
}

function isFinished({ status }: QueuedWorkload): boolean {
  return conditionOf(status, 'Finished')?.status === 'True';
}

/** kueue `pkg/workload/workload.go: IsAdmissible`. */
function isPending(workload: QueuedWorkload): boolean {
  return (
    workload.metadata.deletionTimestamp === undefined &&
    workload.spec.active &&
    !isFinished(workload) &&
    conditionOf(workload.status, 'QuotaReserved')?.status !== 'True' &&
    conditionOf(workload.status, 'WaitingForReplacementPods')?.status !== 'True' &&
    (workload.metadata.annotations[kueueMarks.admissionGatedBy] ?? '') === ''
  );
}

/** Workloads with a reservation in the ClusterQueue. */
export function reservingIn(
  { objects }: Pick<ClusterIndex, 'objects'>,
  queue: ClusterQueue,
): readonly QueuedWorkload[] {
  return indexOf(objects.Workload).reserving.get(queue.metadata.name) ?? [];
}

/** Workloads that wait in the ClusterQueue, in the order of its queue. */
export function pendingIn(
  { objects }: Pick<ClusterIndex, 'objects'>,
  queue: ClusterQueue,
): readonly QueuedWorkload[] {
  const known = pending.get(objects) ?? pendingByQueue(objects);
  pending.set(objects, known);
  return known.get(queue.metadata.name) ?? [];
}

const pending = new WeakMap<ClusterIndex['objects'], ReadonlyMap<string, readonly QueuedWorkload[]>>();

/** In one walk: a forecast asks for every ClusterQueue of a cohort. */
function pendingByQueue({
  LocalQueue: queues,
  Workload: workloads,
}: ClusterIndex['objects']): ReadonlyMap<string, readonly QueuedWorkload[]> {
  const clusterQueues = new Map(
    queues
      .filter(({ spec }) => spec.stopPolicy === 'None')
      .map(({ metadata, spec }) => [`${metadata.namespace}/${metadata.name}`, spec.clusterQueue]),
  );
  const found = new Map<string, QueuedWorkload[]>();
  for (const each of workloads) {
    const queue = clusterQueues.get(`${each.metadata.namespace}/${each.spec.queueName}`);
    if (queue === undefined || !isPending(each)) continue;
    const ofQueue = found.get(queue) ?? [];
    found.set(queue, ofQueue);
    ofQueue.push(each);
  }
  for (const ofQueue of found.values()) ofQueue.sort(byQueueOrder);
  return found;
}

/** Higher priority first, then the older one (kueue `pkg/cache/queue/cluster_queue.go: baseCompareFunc`). */
export function byQueueOrder(a: QueuedWorkload, b: QueuedWorkload): number {
  return (
    b.spec.priority - a.spec.priority ||
    queuedSince(a) - queuedSince(b) ||
    compareText(a.metadata.uid, b.metadata.uid)
  );
}

const requeuing: ReadonlySet<string> = new Set(['PodsReadyTimeout', 'AdmissionCheck']);

/** kueue `pkg/workload/workload.go: GetQueueOrderTimestamp`, with the default configuration. */
function queuedSince({ metadata, status }: QueuedWorkload): number {
  const evicted = conditionOf(status, 'Evicted');
  const since =
    evicted?.status === 'True' && requeuing.has(evicted.reason)
      ? evicted.lastTransitionTime
      : metadata.creationTimestamp;
  return Date.parse(since ?? '') || 0;
}

/**
 * True where this preemption policy lets one Workload evict the other (kueue
 * `preemption_policy.go: SatisfiesPreemptionPolicy`).
 */
export function mayEvict(policy: string, preemptor: QueuedWorkload, candidate: QueuedWorkload): boolean {
  const isLower = preemptor.spec.priority > candidate.spec.priority;
  if (policy === 'LowerPriority') return isLower;
  if (policy === 'LowerOrNewerEqualPriority') {
    const isEqual = preemptor.spec.priority === candidate.spec.priority;
    return isLower || (isEqual && queuedSince(preemptor) < queuedSince(candidate));
  }
  return policy === 'Any';
}

/** `namespace/name`. */
export function nameOfQueued({ metadata }: QueuedWorkload): string {
  return `${metadata.namespace}/${metadata.name}`;
}
