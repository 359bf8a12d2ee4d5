import type { ClusterIndex } from '../../objects/cluster-index.js';
import { type KnativeService, knativeServiceOf } from '../../objects/knative-service.js';
import type { ObjectMeta } from '../../objects/metadata.js';
import { hasNode, isActive, type Pod } from '../../objects/pod.js';
import { type Revisions, revisionNameOf, revisionNames } from '../../objects/revisions.js';
import type { Snapshot } from '../../objects/snapshot.js';
import type { Immutable } from '../../objects/wire.js';
import type { Deployment, RevisionedService, Workload } from '../../objects/workload.js';
import { addOnAbove, isRevisioned } from '../../objects/workload.js';
import { dynamo } from './dynamo.js';
import { knative } from './knative.js';
import { ray } from './ray.js';
import type { RefusedInput, RefusedPods, ServiceKind } from './service-kind.js';

const kinds: Readonly<Record<RevisionedService['kind'], ServiceKind>> = {
  KnativeService: knative,
  RayService: ray,
  DynamoGraphDeployment: dynamo,
};

export function serviceKindOf({ kind }: RevisionedService): ServiceKind {
  return kinds[kind];
}

/** Pods of the revisions that the status of the service names; all workers of a DynamoGraphDeployment. */
export function podsOfRevisions(index: ClusterIndex, service: RevisionedService): readonly Pod[] {
  const pods = podsOfService(index, service);
  if (!serviceKindOf(service).retires) return pods;
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
  if (names.size === 0 || !serviceKindOf(service).retires) return [];
  return podsOfService(index, service).filter((pod) => {
    const name = revisionNameOf(revisions, pod);
    return !names.has(name) || (revisions.isSwitching && revisions.former.includes(name));
  });
}

/**
 * Revisions that the status of a Knative Service no longer names, and whose pods wait for a node: they may
 * still get one.
 */
export function abandonedRevisions(index: ClusterIndex, service: KnativeService): readonly string[] {
  const waiting = podsThatRetire(index, service).filter((pod) => isActive(pod) && !hasNode(pod));
  return [...new Set(waiting.map((pod) => revisionNameOf(service.revisions, pod)))].sort();
}

/** Those of the workload itself; none of a workload of another kind. */
export function ownPodsThatRetire({ workload, index }: Snapshot): readonly Pod[] {
  return isRevisioned(workload) ? podsThatRetire(index, workload) : [];
}

/** The Deployments of all its revisions; of kinds without such Deployments none. */
export function deploymentsOfRevisions({ objects }: ClusterIndex, workload: Workload): readonly Deployment[] {
  const { namespace, name } = workload.metadata;
  return objects.Deployment.filter(
    (each) =>
      each.metadata.namespace === namespace &&
      knativeServiceOf(each) === name &&
      addOnAbove(each) === workload.kind,
  );
}

function podsOfService({ objects }: ClusterIndex, service: RevisionedService): readonly Pod[] {
  const { namespace, name } = service.metadata;
  const kind = serviceKindOf(service);
  return objects.Pod.filter((pod) => pod.metadata.namespace === namespace && kind.owns(name, pod));
}

/** Of the revision that is being started; of all that serve where none is. */
export function refusedPodsOf(input: Omit<RefusedInput, 'revisions'>): readonly RefusedPods[] {
  const { service } = input;
  const { next } = service.revisions;
  const revisions = next === undefined ? revisionNames(service.revisions) : [next];
  return serviceKindOf(service).refusedPods({ ...input, revisions });
}

/** What decides which revision a pod is of. */
type PodsOfRevisions = { readonly service: { readonly revisions: Revisions }; readonly pods: readonly Pod[] };

/** Pods of the revision that is being started; of the one that serves where none is. */
export function newRevisionPods({ service: { revisions }, pods }: PodsOfRevisions): readonly Pod[] {
  const { next } = revisions;
  return next === undefined ? pods : pods.filter((pod) => revisionNameOf(revisions, pod) === next);
}

/** Pods that the controllers stop once the next revision serves. */
export function formerRevisionPods({ service: { revisions }, pods }: PodsOfRevisions): readonly Pod[] {
  return pods.filter((pod) => revisions.former.includes(revisionNameOf(revisions, pod)));
}

/** The part of a revision that an object belongs to; '' where revisions have one. */
export function partNameOf({ metadata }: { metadata: Pick<Immutable<ObjectMeta>, 'labels'> }): string {
  for (const { partLabel = '' } of Object.values(kinds)) {
    const part = metadata.labels[partLabel];
    if (part !== undefined) return part;
  }
  return '';
}
