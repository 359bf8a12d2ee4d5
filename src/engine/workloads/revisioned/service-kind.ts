import type { ClusterIndex } from '../../objects/cluster-index.js';
import type { Event } from '../../objects/event.js';
import { controllerOf, type ObjectMeta, type ObjectRef } from '../../objects/metadata.js';
import { isActive, type Pod } from '../../objects/pod.js';
import { type RevisionPart, type Revisions, revisionNameOf } from '../../objects/revisions.js';
import type { Immutable } from '../../objects/wire.js';
import type { ReplicaSet, RevisionedService } from '../../objects/workload.js';
import { hasDeploymentStrategy } from '../../objects/workload.js';

type Labelled = { readonly metadata: Immutable<ObjectMeta> };

/** What a changed spec makes of the revisions of a service. */
export type SpecChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'new-revision' }
  /** It would make a new revision, and the service says that none is made. */
  | { readonly kind: 'kept' }
  /** Numbers of pods alone: they count from the next other change on. */
  | { readonly kind: 'numbers' }
  /** The revision that serves gets these further parts. */
  | { readonly kind: 'added-groups'; readonly groups: readonly string[] };

/**
 * All that the controllers of such services do in different ways. One file a kind; the list is in `pods.ts`.
 * Methods, so that the model of one kind counts as that of any of them.
 */
export interface ServiceKind<Service extends RevisionedService = RevisionedService> {
  /** The label of pods with the part of their revision; absent where revisions have one part. */
  readonly partLabel?: string;
  /** Containers that its controllers add to pods, with requests of their own. */
  readonly sidecars: readonly string[];
  /** Its controllers stop the pods of revisions that its status no longer names. */
  readonly retires: boolean;
  /** Whether the pod is of the service of this name in the namespace of the pod. */
  owns(service: string, pod: Pod): boolean;
  /** Labels of the pods of a part, as far as the model reads them. */
  podLabels(service: string, revision: string, part: string): Readonly<Record<string, string>>;
  /** Pods of these revisions that the API server does not create. */
  refusedPods(input: RefusedInput<Service>): readonly RefusedPods[];
  changeOf(live: Service, planned: Service): SpecChange;
  /** Whether something that is not among the cluster's objects decides whether a revision is made. */
  isGated(planned: Service): boolean;
  /** The revisions once the controller has made one of this name for the planned spec. */
  nextRevisions(before: Service, planned: Service, next: string): Revisions;
}

export interface RefusedInput<Service extends RevisionedService = RevisionedService> {
  readonly index: ClusterIndex;
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly revisions: readonly string[];
  readonly now: number;
}

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

/** Of a service whose pods belong to ReplicaSets. */
export function refusedByReplicaSets(
  { index, service, revisions }: RefusedInput,
  { serviceOf, partLabel = '' }: { serviceOf: (object: Labelled) => string | undefined; partLabel?: string },
): readonly RefusedPods[] {
  const { namespace, name } = service.metadata;
  return index.objects.ReplicaSet.flatMap((replicaSet): readonly RefusedPods[] => {
    const { metadata, spec, status } = replicaSet;
    if (metadata.namespace !== namespace || metadata.deletionTimestamp !== undefined) return [];
    if (!hasDeploymentStrategy(controllerOf(replicaSet)) || serviceOf(replicaSet) !== name) return [];
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
        part: { name: metadata.labels[partLabel] ?? '', template: spec.template },
        wanted: spec.replicas,
        missing,
        replicaSet,
        event: undefined,
      },
    ];
  });
}
