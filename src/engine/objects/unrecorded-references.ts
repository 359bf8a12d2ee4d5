import { rolloutHashLabel } from './argo-rollout.js';
import type { ClusterObjects, ResourceKind } from './cluster-objects.js';
import { matchesSelector } from './label-selector.js';
import { controllerOf, type ObjectMeta } from './metadata.js';
import { hasNode, isReady, isTerminating, type Pod } from './pod.js';
import { hasDeploymentStrategy, hasOrdinals, hasPodPerNode, hasSteps, type Workload } from './workload.js';

/**
 * Kinds of which a recording lacks objects that the workload or its pods name. No cluster keeps such a name
 * for more than a minute: the garbage collector deletes what has lost its owner, claims and volumes stay
 * while they are in use, and the pods of a node that is gone are deleted.
 *
 * @returns each kind, and the namespace of the missing objects; '' for a kind without one
 */
export function unrecordedReferences(
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
