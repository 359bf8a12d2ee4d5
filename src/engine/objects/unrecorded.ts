import type { ClusterObjects, ResourceKind } from './cluster-objects.js';
import { controllerOf } from './metadata.js';
import { isReady, type Pod } from './pod.js';
import type { Unseen } from './snapshot.js';
import { kindBetweenPods } from './unread.js';
import {
  hasDeploymentStrategy,
  hasOrdinals,
  hasPodPerNode,
  hasReplicaSets,
  type Workload,
} from './workload.js';

/**
 * Kinds of which a recording holds nothing although its other objects speak of some: they were not recorded,
 * which is another thing than that there are none.
 */
export function unrecordedKinds(objects: ClusterObjects): readonly Unseen[] {
  return Object.entries(witnesses).flatMap(([kind, speaksOf]) =>
    objects[kind as Witnessed].length === 0 && speaksOf(objects)
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

/**
 * The same of what one workload is made of: objects of other workloads do not show that all were recorded. A
 * Deployment without any status was not recorded beside its pods either: a manifest looks like it.
 *
 * @param known what is missing already
 * @param takenAt RFC3339, of the recording
 */
export function unrecordedBelow(
  workload: Workload,
  objects: ClusterObjects,
  known: readonly Unseen[],
  takenAt: string,
): readonly Unseen[] {
  const { namespace } = workload.metadata;
  const isKnown = (what: ResourceKind): boolean =>
    known.some((each) => each.what === what && (each.namespace === '' || each.namespace === namespace));
  const missing = (what: ResourceKind): readonly Unseen[] =>
    isKnown(what) ? [] : [{ what, namespace, because: 'not-recorded', message: '' }];
  const between = kindBetweenPods(workload.kind);
  const owns = (what: ResourceKind): boolean =>
    objects[what].some((each) => controllerOf(each)?.uid === workload.metadata.uid);
  const isHalf = hasReplicaSets(workload);
  return [
    ...(isHalf &&
    between !== undefined &&
    (workload.status.replicas > 0 || tellsOfReplicaSet(workload, objects)) &&
    !owns(between)
      ? missing(between)
      : []),
    ...(lacksObserved(workload) || (hasNoStatus(workload) && (owns('Pod') || owns('ReplicaSet')))
      ? missing(workload.kind)
      : []),
    ...((hasNoStatus(workload) && !owns('Pod')) || lacksPods(workload, objects, Date.parse(takenAt))
      ? missing('Pod')
      : []),
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

/**
 * Its status counts more pods, or more unready ones, than were recorded: the missing ones are what people
 * look for, or the pods are of another time. A status that is behind by a moment counts a pod that has just
 * become ready.
 */
function lacksPods(workload: Workload, { Pod, ReplicaSet }: ClusterObjects, takenAt: number): boolean {
  if (!hasDeploymentStrategy(workload) && !hasOrdinals(workload) && !hasPodPerNode(workload)) return false;
  const { metadata } = workload;
  const owners = new Set([metadata.uid]);
  for (const each of ReplicaSet) if (controllerOf(each)?.uid === metadata.uid) owners.add(each.metadata.uid);
  if (hasDeploymentStrategy(workload) && owners.size === 1) return false;
  const pods = Pod.filter((pod) => owners.has(controllerOf(pod)?.uid ?? ''));
  if (hasPodPerNode(workload)) return pods.length < workload.status.currentNumberScheduled;
  const { status } = workload;
  if (pods.length < status.replicas) return true;
  const unready = status.replicas - status.readyReplicas;
  if (unready <= 0) return false;
  if (pods.filter((pod) => !isReady(pod)).length >= unready) return false;
  return !pods.some((pod) => takenAt - becameReadyAt(pod) < behindMs);
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
