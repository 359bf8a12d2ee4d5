import type { ResourceKind } from './cluster-objects.js';
import type { Snapshot, Unseen } from './snapshot.js';
import type { Workload, WorkloadKind } from './workload.js';
import { hasObservedSpec, hasPodPerNode, isRevisioned, partsReadOf } from './workload.js';

type Read = Pick<Snapshot, 'unseen' | 'workload'>;

/**
 * Kinds whose objects concern workloads of their own namespace only. Pods, claims and workloads of other
 * namespaces use the same nodes, their autoscalers may stop such pods, and a Lease may be anywhere.
 */
const ownNamespaceOnly: ReadonlySet<Unseen['what']> = new Set<ResourceKind>([
  'ConfigMap',
  'ControllerRevision',
  'EndpointSlice',
  'Endpoints',
  'Event',
  'LimitRange',
  'ResourceClaimTemplate',
  'ResourceQuota',
  'Secret',
  'Service',
]);

/** What owns the pods of a workload, where the workload does not: the first part that is always read. */
export function kindBetweenPods(kind: WorkloadKind): ResourceKind | undefined {
  return partsReadOf(kind).find(({ isAlways }) => isAlways)?.kind;
}

/** Where Events about nodes are (`client-go tools/record/event.go: makeEvent`). */
const namespaceOfNodeEvents = 'default';

/** Whether what could not be read may concern the workload. */
export function bearsOn({ workload }: Pick<Snapshot, 'workload'>, { what, namespace }: Unseen): boolean {
  return (
    namespace === '' ||
    namespace === workload.metadata.namespace ||
    !ownNamespaceOnly.has(what) ||
    (what === 'Event' && namespace === namespaceOfNodeEvents)
  );
}

/**
 * What an empty list of these kinds means: `undefined` where they were read, so that there are none, else the
 * read that is missing, so that nothing is known. Whatever states that something is absent asks here first.
 */
export function unreadOf(snapshot: Read, ...kinds: readonly Unseen['what'][]): Unseen | undefined {
  return snapshot.unseen.find(
    (each) => kinds.includes(each.what) && isMissing(each) && bearsOn(snapshot, each),
  );
}

/**
 * Whether objects of the kind were read as text that leaves the field out. What the model holds there is no
 * statement: whatever states that such a field is empty asks here first.
 */
export function isUnrecorded(
  { unrecorded = [] }: Pick<Snapshot, 'unrecorded'>,
  kind: ResourceKind,
  field: string,
): boolean {
  return unrecorded.some(({ what, fields = [] }) => what === kind && fields.includes(field));
}

/** A kind that is not served has no objects; objects that are known in part were read. */
function isMissing({ because }: Unseen): boolean {
  return because !== 'not-served' && because !== 'partly-recorded';
}

/** True where objects of one of these kinds may exist that were not read. */
export function isUnread(snapshot: Read, ...kinds: readonly Unseen['what'][]): boolean {
  return unreadOf(snapshot, ...kinds) !== undefined;
}

/** The same of objects in the namespace of the workload, and of those without a namespace. */
export function isUnreadNearby(snapshot: Read, kind: Unseen['what']): boolean {
  const { namespace } = snapshot.workload.metadata;
  return snapshot.unseen.some(
    (each) =>
      each.what === kind && isMissing(each) && (each.namespace === '' || each.namespace === namespace),
  );
}

/** Whether all pods that the workload wants are ready and of its newest revision, by its own status. */
export function isComplete(workload: Workload): boolean {
  if (!hasObservedSpec(workload)) return false;
  if (hasPodPerNode(workload)) {
    const { desiredNumberScheduled, numberReady, updatedNumberScheduled } = workload.status;
    return numberReady >= desiredNumberScheduled && updatedNumberScheduled >= desiredNumberScheduled;
  }
  if (isRevisioned(workload)) return workload.revisions.next === undefined;
  const { readyReplicas, updatedReplicas, replicas } = workload.status;
  const wanted = workload.spec.replicas;
  return readyReplicas >= wanted && updatedReplicas >= wanted && replicas <= wanted;
}
