import type { ClusterIndex } from '../../objects/cluster-index.js';
import { dynamoGraphOf, dynamoLabels } from '../../objects/dynamo-graph-deployment.js';
import { knativeServiceOf } from '../../objects/knative-service.js';
import { controllerOf, type ObjectMeta } from '../../objects/metadata.js';
import { hasNode, isActive, type Pod } from '../../objects/pod.js';
import { rayClusterOf, rayLabels } from '../../objects/ray-service.js';
import { revisionNameOf, revisionNames } from '../../objects/revisions.js';
import type { Snapshot } from '../../objects/snapshot.js';
import type { Immutable } from '../../objects/wire.js';
import { isRevisioned, type RevisionedService } from '../../objects/workload.js';

/** Pods of the revisions that the status of the service names; all workers of a DynamoGraphDeployment. */
export function podsOfRevisions(index: ClusterIndex, service: RevisionedService): readonly Pod[] {
  const pods = podsOfService(index, service);
  // What the Dynamo operator leaves behind stays.
  if (service.kind === 'DynamoGraphDeployment') return pods;
  const names = new Set(revisionNames(service.revisions));
  return pods.filter((pod) => names.has(revisionNameOf(service.revisions, pod)));
}

/**
 * Pods of revisions that the status no longer names: Knative scales a revision without traffic to zero once
 * the stable window is over, and KubeRay deletes a RayCluster that it has replaced after a minute. Also those
 * of the former revision where the controller is about to switch.
 */
export function podsThatRetire(index: ClusterIndex, service: RevisionedService): readonly Pod[] {
  const { revisions } = service;
  const names = new Set(revisionNames(revisions));
  if (names.size === 0 || service.kind === 'DynamoGraphDeployment') return [];
  return podsOfService(index, service).filter((pod) => {
    const name = revisionNameOf(revisions, pod);
    return !names.has(name) || (revisions.isSwitching && revisions.former.includes(name));
  });
}

/**
 * Revisions that the status of a Knative Service no longer names, and whose pods wait for a node: they may
 * still get one.
 */
export function abandonedRevisions(index: ClusterIndex, service: RevisionedService): readonly string[] {
  if (service.kind !== 'KnativeService') return [];
  const waiting = podsThatRetire(index, service).filter((pod) => isActive(pod) && !hasNode(pod));
  return [...new Set(waiting.map((pod) => revisionNameOf(service.revisions, pod)))].sort();
}

/** Those of the workload itself; none of a workload of another kind. */
export function ownPodsThatRetire({ workload, index }: Snapshot): readonly Pod[] {
  return isRevisioned(workload) ? podsThatRetire(index, workload) : [];
}

/** Anybody may set a label, so the controller of the pod has to be of the right kind as well. */
function podsOfService({ objects }: ClusterIndex, { kind, metadata }: RevisionedService): readonly Pod[] {
  const { namespace, name } = metadata;
  return objects.Pod.filter((pod) => {
    if (pod.metadata.namespace !== namespace) return false;
    if (kind === 'KnativeService') {
      return controllerOf(pod)?.kind === 'ReplicaSet' && knativeServiceOf(pod) === name;
    }
    if (kind === 'DynamoGraphDeployment') return dynamoGraphOf(pod) === name;
    return isClusterOf(name, rayClusterOf(pod) ?? '');
  });
}

/**
 * KubeRay names a RayCluster after its RayService, with five random characters (kuberay
 * `util.go: GenerateRayClusterName`).
 */
function isClusterOf(service: string, cluster: string): boolean {
  return (
    cluster.startsWith(`${service}-`) &&
    /^(?:raycluster-)?[a-z0-9]{5}$/u.test(cluster.slice(service.length + 1))
  );
}

/**
 * The part of a revision that an object belongs to: a group of Ray, a component of Dynamo; '' where revisions
 * have one.
 */
export function partNameOf({
  metadata,
}: {
  readonly metadata: Pick<Immutable<ObjectMeta>, 'labels'>;
}): string {
  return metadata.labels[rayLabels.group] ?? metadata.labels[dynamoLabels.component] ?? '';
}
