import type { ClusterIndex } from '../../objects/cluster-index.js';
import { dynamoGraphOf } from '../../objects/dynamo-graph-deployment.js';
import type { Event } from '../../objects/event.js';
import { knativeServiceOf } from '../../objects/knative-service.js';
import { controllerOf, type ObjectRef } from '../../objects/metadata.js';
import { isActive, type Pod } from '../../objects/pod.js';
import { headGroup, type RayService } from '../../objects/ray-service.js';
import { type RevisionPart, revisionNameOf, revisionNames } from '../../objects/revisions.js';
import type { ReplicaSet, RevisionedService } from '../../objects/workload.js';
import { failureEvent } from '../creation-events.js';
import { partNameOf } from './pods.js';

/** Pods of a part of a revision that the API server does not create. */
export interface RefusedPods {
  /** The ReplicaSet or RayCluster that creates them. */
  readonly creator: ObjectRef;
  readonly uid: string;
  readonly part: Pick<RevisionPart, 'name' | 'template'>;
  /** Pods of this creator and part that are declared, those that exist included. */
  readonly wanted: number;
  readonly missing: number;
  readonly replicaSet: ReplicaSet | undefined;
  /** Of a RayCluster, which has no condition for it. */
  readonly event: Event | undefined;
}

/**
 * KubeRay tries to create the refused pod of a RayCluster again and again, and does not get as far as a later
 * change of the spec (seen with 1.5.0).
 */
export function isHeldUp(refused: readonly RefusedPods[]): boolean {
  return refused.some(({ event }) => event !== undefined);
}

/** Of the revision that is being started; of all that serve where none is. */
export function refusedPodsOf(
  index: ClusterIndex,
  service: RevisionedService,
  pods: readonly Pod[],
  now: number,
): readonly RefusedPods[] {
  const { next } = service.revisions;
  const revisions = next === undefined ? revisionNames(service.revisions) : [next];
  return service.kind === 'RayService'
    ? revisions.flatMap((cluster) => ofRayCluster(index, service, pods, { cluster, now }))
    : ofReplicaSets(index, service, revisions);
}

function ofReplicaSets(
  index: ClusterIndex,
  service: Exclude<RevisionedService, RayService>,
  revisions: readonly string[],
): readonly RefusedPods[] {
  const { namespace, name } = service.metadata;
  const serviceOf = service.kind === 'KnativeService' ? knativeServiceOf : dynamoGraphOf;
  return index.objects.ReplicaSet.flatMap((replicaSet): readonly RefusedPods[] => {
    const { metadata, spec, status } = replicaSet;
    if (metadata.namespace !== namespace || metadata.deletionTimestamp !== undefined) return [];
    if (controllerOf(replicaSet)?.kind !== 'Deployment' || serviceOf(replicaSet) !== name) return [];
    if (!revisions.includes(revisionNameOf(service.revisions, replicaSet))) return [];
    const isRefused = status.conditions.some(
      ({ type, status: value }) => type === 'ReplicaFailure' && value === 'True',
    );
    const existing = (index.podsByOwner.get(metadata.uid) ?? []).filter(isActive).length;
    const missing = Math.max(0, spec.replicas - existing);
    if (!isRefused || missing === 0) return [];
    return [
      {
        creator: { kind: 'ReplicaSet', namespace, name: metadata.name },
        uid: metadata.uid,
        part: { name: partNameOf(replicaSet), template: spec.template },
        wanted: spec.replicas,
        missing,
        replicaSet,
        event: undefined,
      },
    ];
  });
}

/**
 * KubeRay creates the head first, then the workers, and stops at the first failure (kuberay
 * `raycluster_controller.go`).
 */
function ofRayCluster(
  index: ClusterIndex,
  { metadata: { namespace }, parts }: RayService,
  pods: readonly Pod[],
  { cluster, now }: { readonly cluster: string; readonly now: number },
): readonly RefusedPods[] {
  const about = index.objects.Event.find(
    ({ involvedObject: { kind, ...object } }) =>
      kind === 'RayCluster' && object.namespace === namespace && object.name === cluster,
  );
  const uid = about?.involvedObject.uid ?? '';
  const creator = { kind: 'RayCluster', namespace, name: cluster };
  const existingOf = (group: string): number =>
    pods.filter((pod) => isActive(pod) && controllerOf(pod)?.name === cluster && partNameOf(pod) === group)
      .length;
  const isMissing = ({ name, count }: RevisionPart): boolean => count > existingOf(name);
  const head = parts.find((part) => part.name === headGroup && isMissing(part));
  const [role, candidates] =
    head === undefined ? (['Worker', parts.filter(isMissing)] as const) : (['Head', [head]] as const);
  const reasons = { failed: `FailedToCreate${role}Pod`, created: `Created${role}Pod` };
  const event = failureEvent(index, now, uid, reasons);
  const part = candidates.find(({ name }) => event?.message.includes(`-${name}-worker-`)) ?? candidates[0];
  if (event === undefined || part === undefined) return [];
  const missing = part.count - existingOf(part.name);
  return [{ creator, uid, part, wanted: part.count, missing, replicaSet: undefined, event }];
}
