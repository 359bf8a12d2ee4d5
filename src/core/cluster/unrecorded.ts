import type { ClusterObjects, ResourceKind } from './cluster-objects.js';
import type { Unseen } from './snapshot.js';

/**
 * Kinds of which a recording holds nothing although its other objects speak of some: they were not recorded, which is
 * another thing than that there are none.
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
  | 'ResourceClaim'
  | 'Workload'
  | 'LocalQueue'
  | 'ClusterQueue'
>;

const witnesses: Readonly<Record<Witnessed, (objects: ClusterObjects) => boolean>> = {
  Node: ({ Pod }) => Pod.some(({ spec }) => (spec.nodeName ?? '') !== ''),
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
  // A pod with a node had its claims; what a waiting one names may well not exist.
  PersistentVolumeClaim: ({ Pod }) =>
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
