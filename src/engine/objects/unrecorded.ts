import { groupBy } from '../collections/collections.js';
import { rolloutHashLabel } from './argo-rollout.js';
import type { ClusterObjects, ResourceKind } from './cluster-objects.js';
import { matchesSelector } from './label-selector.js';
import { controllerOf, isPod, type ObjectMeta } from './metadata.js';
import { hasNode, isActive, isReady, isTerminating, type Pod } from './pod.js';
import { revisionNameOf } from './revisions.js';
import type { Unseen } from './snapshot.js';
import { kindBetweenPods } from './unread.js';
import type { DaemonSet, Deployment, RevisionedService, StatefulSet, Workload } from './workload.js';
import {
  hasDeploymentStrategy,
  hasOrdinals,
  hasPodPerNode,
  hasReplicaSets,
  hasSteps,
  isRevisioned,
} from './workload.js';

/**
 * Kinds of which a recording lacks objects that the workload or its pods name. No cluster keeps such a name
 * for more than a minute: the garbage collector deletes what has lost its owner, claims and volumes stay
 * while they are in use, and the pods of a node that is gone are deleted.
 *
 * @returns each kind, and the namespace of the missing objects; '' for a kind without one
 */
function unrecordedReferences(
  workload: Workload,
  objects: ClusterObjects,
): readonly { readonly what: ResourceKind; readonly namespace: string }[] {
  const { namespace } = workload.metadata;
  const pods = podsOf(workload, objects);
  const inNamespace: readonly (readonly [ResourceKind, boolean])[] = [
    ['ReplicaSet', lacksOwner('ReplicaSet', pods, objects) || lacksReplicaSet(workload, objects)],
    ['StatefulSet', lacksOwner('StatefulSet', pods, objects)],
    ['ControllerRevision', lacksRevision(workload, pods, objects)],
    ['PersistentVolumeClaim', lacksClaim(pods, objects)],
  ];
  return [
    ...inNamespace.flatMap(([what, isLacked]) => (isLacked ? [{ what, namespace }] : [])),
    ...(lacksNode(objects) ? [{ what: 'Node', namespace: '' } as const] : []),
    ...(lacksVolume(namespace, objects) ? [{ what: 'PersistentVolume', namespace: '' } as const] : []),
  ];
}

/**
 * Its selector and its namespace tie a pod to the workload, also where what is between them is missing. A
 * Rollout that refers to a Deployment may have no selector.
 */
function podsOf({ metadata, spec }: Workload, { Pod }: ClusterObjects): readonly Pod[] {
  const { matchLabels, matchExpressions } = spec.selector;
  if (matchExpressions.length === 0 && Object.keys(matchLabels).length === 0) return [];
  return Pod.filter(
    (pod) =>
      pod.metadata.namespace === metadata.namespace &&
      !isTerminating(pod) &&
      matchesSelector(spec.selector, pod.metadata.labels),
  );
}

const groupOfControllers = 'apps/';

function lacksOwner(
  kind: 'ReplicaSet' | 'StatefulSet',
  pods: readonly Pod[],
  objects: ClusterObjects,
): boolean {
  const uids = uidsOf(objects[kind]);
  return pods.some((pod) => {
    const owner = controllerOf(pod);
    return owner?.kind === kind && owner.apiVersion.startsWith(groupOfControllers) && !uids.has(owner.uid);
  });
}

type Identified = { readonly metadata: Pick<ObjectMeta, 'uid'> };

function uidsOf(objects: readonly Identified[]): ReadonlySet<string> {
  return new Set(objects.map(({ metadata }) => metadata.uid));
}

const revisionAnnotation = 'deployment.kubernetes.io/revision';

/**
 * A Deployment has the number of its newest ReplicaSet (`deployment/sync.go: getNewReplicaSet`), a Rollout
 * the hashes of the stable and of the newest one.
 */
function lacksReplicaSet(workload: Workload, { ReplicaSet }: ClusterObjects): boolean {
  const own = ReplicaSet.filter((each) => controllerOf(each)?.uid === workload.metadata.uid);
  if (own.length === 0) return false;
  if (hasDeploymentStrategy(workload)) {
    const numberOf = ({ metadata }: { readonly metadata: Pick<ObjectMeta, 'annotations'> }): number =>
      Number(metadata.annotations[revisionAnnotation] ?? 0);
    return numberOf(workload) > Math.max(...own.map(numberOf));
  }
  if (!hasSteps(workload)) return false;
  const { stableRS, currentPodHash } = workload.status;
  return [stableRS, currentPodHash].some(
    (hash) => hash !== '' && !own.some(({ metadata }) => metadata.labels[rolloutHashLabel] === hash),
  );
}

/** Revisions of which pods exist are kept (`history/controller_history.go`). */
function lacksRevision(
  workload: Workload,
  pods: readonly Pod[],
  { ControllerRevision }: ClusterObjects,
): boolean {
  const own = ControllerRevision.filter((each) => controllerOf(each)?.uid === workload.metadata.uid);
  if (own.length === 0) return false;
  const names = new Set(own.map(({ metadata }) => metadata.name));
  if (hasOrdinals(workload)) {
    const { currentRevision, updateRevision } = workload.status;
    return [currentRevision, updateRevision].some((name) => name !== '' && !names.has(name));
  }
  if (!hasPodPerNode(workload)) return false;
  return pods.some(({ metadata }) => {
    const hash = metadata.labels['controller-revision-hash'];
    return (
      hash !== undefined &&
      metadata.ownerReferences.some(({ uid }) => uid === workload.metadata.uid) &&
      ![...names].some((name) => name.endsWith(`-${hash}`))
    );
  });
}

/** A kubelet starts no pod whose claim does not exist. */
function lacksClaim(pods: readonly Pod[], { PersistentVolumeClaim }: ClusterObjects): boolean {
  const recorded = new Set(
    PersistentVolumeClaim.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
  return pods.some(
    ({ metadata, spec, status }) =>
      status.containerStatuses.some(({ containerID }) => containerID !== undefined) &&
      spec.volumes.some(({ persistentVolumeClaim }) => {
        const claim = persistentVolumeClaim?.claimName ?? '';
        return claim !== '' && !recorded.has(`${metadata.namespace}/${claim}`);
      }),
  );
}

/** A claim whose volume is gone is `Lost` and no longer `Bound`. */
function lacksVolume(namespace: string, objects: ClusterObjects): boolean {
  const recorded = new Set(objects.PersistentVolume.map(({ metadata }) => metadata.name));
  return objects.PersistentVolumeClaim.some(
    ({ metadata, spec, status }) =>
      metadata.namespace === namespace &&
      status.phase === 'Bound' &&
      spec.volumeName !== '' &&
      !recorded.has(spec.volumeName),
  );
}

/** Where a node is gone, the pods on it are deleted within a minute (`podgc/gc_controller.go`). */
function lacksNode({ Node, Pod }: ClusterObjects): boolean {
  const recorded = new Set(Node.map(({ metadata }) => metadata.name));
  return Pod.some(
    (pod) => hasNode(pod) && isReady(pod) && !isTerminating(pod) && !recorded.has(pod.spec.nodeName ?? ''),
  );
}

/**
 * Kinds of which a recording holds nothing although its other objects refer to some: they were not recorded,
 * which is another thing than that there are none.
 *
 * @param isWhole the recording states that it has all that was read: then only what no cluster lacks counts
 */
export function unrecordedKinds(objects: ClusterObjects, isWhole = false): readonly Unseen[] {
  const asked = isWhole ? { ...witnesses, ...inWhole } : witnesses;
  return Object.entries(asked).flatMap(([kind, refersToSome]) =>
    objects[kind as Witnessed].length === 0 && refersToSome(objects)
      ? [{ what: kind as Witnessed, namespace: '', because: 'not-recorded', message: '' } as const]
      : [],
  );
}

type Witnessed = Extract<
  ResourceKind,
  | 'Node'
  | 'Pod'
  | 'ReplicaSet'
  | 'StatefulSet'
  | 'ControllerRevision'
  | 'PersistentVolumeClaim'
  | 'PersistentVolume'
  | 'StorageClass'
  | 'ResourceClaim'
  | 'Workload'
  | 'LocalQueue'
  | 'ClusterQueue'
>;

const witnesses: Readonly<Record<Witnessed, (objects: ClusterObjects) => boolean>> = {
  // A cluster without nodes runs no controllers of its own, which make pods.
  Node: ({ Pod }) => Pod.length > 0,
  Pod: ({ ReplicaSet, Deployment, StatefulSet, DaemonSet, Rollout, LeaderWorkerSet }) =>
    [...ReplicaSet, ...Deployment, ...StatefulSet, ...Rollout, ...LeaderWorkerSet].some(
      ({ status }) => status.replicas > 0,
    ) || DaemonSet.some(({ status }) => status.currentNumberScheduled > 0),
  ReplicaSet: ({ Deployment, Rollout }) =>
    [...Deployment, ...Rollout].some(({ status }) => status.replicas > 0),
  StatefulSet: ({ LeaderWorkerSet }) => LeaderWorkerSet.some(({ status }) => status.replicas > 0),
  ControllerRevision: ({ StatefulSet, DaemonSet }) =>
    StatefulSet.some(({ status }) => status.replicas > 0) ||
    DaemonSet.some(({ status }) => status.currentNumberScheduled > 0),
  // A pod with a node had its claims; what a waiting one names may well not exist. A StatefulSet makes the
  // claims of its templates before their pod.
  PersistentVolumeClaim: ({ Pod, StatefulSet }) =>
    StatefulSet.some(({ spec, status }) => spec.volumeClaimTemplates.length > 0 && status.replicas > 0) ||
    Pod.some(
      ({ spec }) =>
        (spec.nodeName ?? '') !== '' &&
        spec.volumes.some(
          ({ persistentVolumeClaim, ephemeral }) =>
            persistentVolumeClaim !== undefined || ephemeral !== undefined,
        ),
    ),
  PersistentVolume: ({ PersistentVolumeClaim }) =>
    PersistentVolumeClaim.some(({ spec }) => (spec.volumeName ?? '') !== ''),
  // What an unbound claim waits for depends on its class. A missing one is reported again and again.
  StorageClass: ({ PersistentVolumeClaim, Event }) =>
    PersistentVolumeClaim.some(
      ({ metadata, spec, status }) =>
        status.phase === 'Pending' &&
        (spec.storageClassName ?? '') !== '' &&
        !Event.some(
          ({ involvedObject, reason, message }) =>
            involvedObject.uid === metadata.uid &&
            reason === 'ProvisioningFailed' &&
            message.endsWith('not found'),
        ),
    ),
  // Admitted Workloads had both queues, and quota that is in use is that of a Workload.
  LocalQueue: ({ Workload }) => Workload.some(({ status }) => status.admission !== undefined),
  ClusterQueue: ({ Workload }) => Workload.some(({ status }) => status.admission !== undefined),
  Workload: ({ ClusterQueue }) =>
    ClusterQueue.some(({ status }) =>
      status.flavorsReservation.some(({ resources }) => resources.some(({ total }) => /[1-9]/u.test(total))),
    ),
  ResourceClaim: ({ Pod }) =>
    Pod.some(({ spec }) => (spec.nodeName ?? '') !== '' && spec.resourceClaims.length > 0),
};

/** A cluster may have lost its last node, volume, class or queue while other objects still name it. */
const inWhole: Pick<typeof witnesses, 'Node' | 'PersistentVolume' | 'StorageClass' | 'LocalQueue'> = {
  Node: () => false,
  PersistentVolume: () => false,
  StorageClass: () => false,
  LocalQueue: () => false,
};

/**
 * The same of what one workload is made of: objects of other workloads do not show that all were recorded. A
 * Deployment without any status was not recorded beside its pods either: a manifest looks like it.
 *
 * @param known what is missing already
 * @param takenAt RFC3339, of the recording
 * @param isWhole see `unrecordedKinds`: a workload without a status is one that no controller has seen yet
 */
export function unrecordedBelow(
  workload: Workload,
  objects: ClusterObjects,
  known: readonly Unseen[],
  takenAt: string,
  isWhole = false,
): readonly Unseen[] {
  const { namespace } = workload.metadata;
  // Text that leaves out fields of some pods does not state that it has all of them.
  const isKnown = (what: ResourceKind): boolean =>
    known.some(
      (each) =>
        each.what === what &&
        (what !== 'Pod' || each.because !== 'partly-recorded') &&
        (each.namespace === '' || each.namespace === namespace),
    );
  const missing = (what: ResourceKind): readonly Unseen[] =>
    isKnown(what) ? [] : [{ what, namespace, because: 'not-recorded', message: '' }];
  const between = kindBetweenPods(workload.kind);
  const owns = (what: ResourceKind): boolean =>
    objects[what].some((each) => controllerOf(each)?.uid === workload.metadata.uid);
  const isHalf = hasReplicaSets(workload);
  const isBare = !isWhole && hasNoStatus(workload);
  const named = unrecordedReferences(workload, objects).filter(({ what }) => !isKnown(what));
  const isNamed = (what: ResourceKind): boolean => named.some((each) => each.what === what);
  return [
    ...named.map(
      ({ what, namespace: where }): Unseen => ({
        what,
        namespace: where,
        because: 'not-recorded',
        message: '',
      }),
    ),
    ...(isHalf &&
    between !== undefined &&
    !isNamed(between) &&
    (workload.status.replicas > 0 || tellsOfReplicaSet(workload, objects)) &&
    !owns(between)
      ? missing(between)
      : []),
    ...(lacksObserved(workload) || (isBare && (owns('Pod') || owns('ReplicaSet')))
      ? missing(workload.kind)
      : []),
    ...((isBare && !owns('Pod')) || lacksPods(workload, objects, Date.parse(takenAt)) ? missing('Pod') : []),
    ...(lacksEvents(workload, objects, Date.parse(takenAt)) ? missing('Event') : []),
  ];
}

/** The reasons of a Deployment that has a ReplicaSet (`deployment/util/deployment_util.go`). */
const ofReplicaSet: ReadonlySet<string> = new Set([
  'NewReplicaSetCreated',
  'FoundNewReplicaSet',
  'ReplicaSetUpdated',
  'NewReplicaSetAvailable',
  'ProgressDeadlineExceeded',
]);

function tellsOfReplicaSet(workload: Workload, { Namespace }: ClusterObjects): boolean {
  // A namespace that is being deleted may lose its ReplicaSets first.
  const { namespace } = workload.metadata;
  const isLeaving = Namespace.some(
    ({ metadata }) => metadata.name === namespace && metadata.deletionTimestamp !== undefined,
  );
  return (
    hasDeploymentStrategy(workload) &&
    !isLeaving &&
    workload.status.conditions.some(
      ({ type, reason }) => type === 'Progressing' && ofReplicaSet.has(reason ?? ''),
    )
  );
}

/** Controllers write the generation that they observed with the first count of pods. */
function lacksObserved(workload: Workload): boolean {
  if (!hasDeploymentStrategy(workload) && !hasOrdinals(workload)) return false;
  return workload.status.observedGeneration === 0 && workload.status.replicas > 0;
}

/** A controller counts the pods that became ready within about a second. */
const behindMs = 60_000;

/** Its status counts more pods than were recorded. */
export function countsMorePods(workload: Workload, objects: ClusterObjects): boolean {
  if (isRevisioned(workload)) return lacksPodsOfRevisions(workload, objects);
  if (!isCounted(workload)) return false;
  const pods = recordedPodsOf(workload, objects);
  return pods !== undefined && pods.length < countsIn(workload).counted;
}

/**
 * The same, or it counts more unready pods: the missing ones are what people look for, or the pods are of
 * another time. A status that is behind by a moment counts a pod that has just become ready.
 */
function lacksPods(workload: Workload, objects: ClusterObjects, takenAt: number): boolean {
  if (countsMorePods(workload, objects)) return true;
  const pods = isCounted(workload) ? recordedPodsOf(workload, objects) : undefined;
  if (pods === undefined || !isCounted(workload)) return false;
  const { counted, ready } = countsIn(workload);
  const unready = counted - ready;
  if (unready <= 0) return false;
  if (pods.filter((pod) => !isReady(pod) || isTerminating(pod)).length >= unready) return false;
  return !pods.some((pod) => takenAt - becameReadyAt(pod) < behindMs);
}

type Counted = Deployment | StatefulSet | DaemonSet;

function isCounted(workload: Workload): workload is Counted {
  return hasDeploymentStrategy(workload) || hasOrdinals(workload) || hasPodPerNode(workload);
}

/** `undefined` where what is between the workload and its pods was not recorded. */
function recordedPodsOf(workload: Counted, objects: ClusterObjects): readonly Pod[] | undefined {
  const below: readonly { readonly metadata: Pick<ObjectMeta, 'uid'> }[] = hasDeploymentStrategy(workload)
    ? objects.ReplicaSet.filter((each) => controllerOf(each)?.uid === workload.metadata.uid)
    : [workload];
  if (below.length === 0) return undefined;
  const owned = podsByOwner(objects);
  return below.flatMap((each) => owned.get(each.metadata.uid) ?? []);
}

/** Asked for each workload of a recording. */
const known = new WeakMap<ClusterObjects, ReadonlyMap<string, readonly Pod[]>>();

function podsByOwner(objects: ClusterObjects): ReadonlyMap<string, readonly Pod[]> {
  const found = known.get(objects) ?? groupBy(objects.Pod, (pod) => controllerOf(pod)?.uid ?? '');
  known.set(objects, found);
  return found;
}

function countsIn(workload: Counted): { readonly counted: number; readonly ready: number } {
  if (hasPodPerNode(workload)) {
    const { currentNumberScheduled, numberReady } = workload.status;
    return { counted: currentNumberScheduled, ready: numberReady };
  }
  return { counted: workload.status.replicas, ready: workload.status.readyReplicas };
}

/**
 * Its controllers make all pods of a revision at once, and a refusal leaves an event. A revision that is
 * being started and has fewer pods was not recorded as a whole, and neither was a ReplicaSet that counts
 * more.
 */
function lacksPodsOfRevisions(
  { metadata, spec, parts, revisions }: RevisionedService,
  { Pod, ReplicaSet, Event }: ClusterObjects,
): boolean {
  const isOwn = (each: { readonly metadata: Pick<ObjectMeta, 'namespace' | 'labels'> }): boolean =>
    each.metadata.namespace === metadata.namespace && matchesSelector(spec.selector, each.metadata.labels);
  const pods = Pod.filter(isOwn);
  const counted = ReplicaSet.filter(isOwn).reduce((sum, { status }) => sum + status.replicas, 0);
  if (pods.length < counted) return true;
  const wanted = parts.reduce((sum, { count }) => sum + count, 0);
  if (revisions.next === undefined || counted > 0 || wanted === 0) return false;
  const started = pods.filter((pod) => revisionNameOf(revisions, pod) === revisions.next);
  return (
    started.length < wanted &&
    !Event.some(
      ({ type, involvedObject }) =>
        type === 'Warning' && involvedObject.namespace === metadata.namespace && !isPod(involvedObject),
    )
  );
}

/** The API server keeps events for an hour, unless its `--event-ttl` has another value. */
const eventsKeptMs = 3_600_000;
/** A kubelet reports the first step within this time. */
const firstEventMs = 60_000;

/** Kubelets report each step of a new pod. One whose containers wait without a reason has events. */
function lacksEvents({ metadata, spec }: Workload, { Event, Pod }: ClusterObjects, takenAt: number): boolean {
  const { namespace } = metadata;
  if (Event.some(({ involvedObject }) => involvedObject.namespace === namespace)) return false;
  return Pod.some((pod) => {
    const age = takenAt - Date.parse(pod.metadata.creationTimestamp ?? '');
    return (
      pod.metadata.namespace === namespace &&
      hasNode(pod) &&
      !statesMore(pod) &&
      isActive(pod) &&
      age > firstEventMs &&
      age < eventsKeptMs &&
      matchesSelector(spec.selector, pod.metadata.labels)
    );
  });
}

/**
 * Without the time of a recording, only events show whether a container that is ready ended its last run a
 * moment before, or days ago. A run that ended shortly before the newest time left some, unless that was days
 * ago.
 */
export function lacksEventsOfRestarts(
  { metadata: { namespace }, spec }: Workload,
  { Event, Pod }: ClusterObjects,
  takenAt: string,
): readonly Unseen[] {
  if (Event.some(({ involvedObject }) => involvedObject.namespace === namespace)) return [];
  const hasEndedLately = ({ status: { containerStatuses } }: Pod): boolean =>
    containerStatuses.some(
      ({ lastState: { terminated } }) =>
        Date.parse(takenAt) - Date.parse(terminated?.finishedAt ?? '') < eventsKeptMs,
    );
  return Pod.some(
    (pod) =>
      pod.metadata.namespace === namespace &&
      isActive(pod) &&
      hasEndedLately(pod) &&
      matchesSelector(spec.selector, pod.metadata.labels),
  )
    ? [{ what: 'Event', namespace, because: 'not-recorded', message: '' }]
    : [];
}

/** Reasons of a kubelet that state nothing of why a container waits. */
const beforeStart: ReadonlySet<string> = new Set(['', 'ContainerCreating', 'PodInitializing']);

/** A container ran, or its state gives the reason why it does not. */
function statesMore({ status: { containerStatuses, initContainerStatuses } }: Pod): boolean {
  return [...initContainerStatuses, ...containerStatuses].some(
    ({ state: { waiting, running, terminated } }) =>
      running !== undefined ||
      terminated !== undefined ||
      (waiting !== undefined && !beforeStart.has(waiting.reason)),
  );
}

function becameReadyAt({ status }: Pod): number {
  return Date.parse(status.conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '');
}

/** Its controller never wrote a status, or it was left out: a manifest looks like it. */
export function hasNoStatus(workload: Workload): boolean {
  if (hasPodPerNode(workload)) {
    return workload.status.observedGeneration === 0 && workload.status.currentNumberScheduled === 0;
  }
  if (!hasDeploymentStrategy(workload) && !hasOrdinals(workload)) return false;
  const { observedGeneration, replicas, conditions } = workload.status;
  return workload.spec.replicas > 0 && observedGeneration === 0 && replicas === 0 && conditions.length === 0;
}
