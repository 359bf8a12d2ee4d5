import type { z } from 'zod';
import { compareText } from '../collections/collections.js';
import type { Rollout } from './argo-rollout.js';
import {
  DeviceClass,
  DeviceTaintRule,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from './device.js';
import { dynamoGraphOf } from './dynamo-graph-deployment.js';
import { Event } from './event.js';
import { Application, GitRepository, HelmRelease, Kustomization } from './gitops.js';
import { InferenceService, LLMInferenceService } from './inference-service.js';
import { isOfKnativeRevision, knativeGroup, knativeServiceOf, Revision } from './knative-service.js';
import { ClusterQueue, Cohort, LocalQueue, QueuedWorkload, ResourceFlavor } from './kueue.js';
import { leaderWorkerSetOf } from './leader-worker-set.js';
import type { ObjectMeta } from './metadata.js';
import { Node } from './node.js';
import { Pod } from './pod.js';
import { PodGroup } from './pod-group.js';
import {
  ConfigMap,
  Endpoints,
  HorizontalPodAutoscaler,
  Lease,
  LimitRange,
  Namespace,
  NodeClaim,
  NodePool,
  PodDisruptionBudget,
  PriorityClass,
  ResourceQuota,
  Secret,
  VerticalPodAutoscaler,
} from './policy.js';
import { EndpointSlice, Service } from './service.js';
import {
  CSIDriver,
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from './storage.js';
import type { Immutable } from './wire.js';
import {
  ControllerRevision,
  type Deployment,
  hasDeploymentStrategy,
  hasOrdinals,
  ReplicaSet,
  type Workload,
  workloadKinds,
  workloadSchemas,
} from './workload.js';

/** Every kind the model knows, with the schema that reads it from the API's JSON. */
export const schemas = {
  ...workloadSchemas,
  Revision,
  ReplicaSet,
  ControllerRevision,
  Pod,
  Node,
  Event,
  Namespace,
  ConfigMap,
  Secret,
  Service,
  Endpoints,
  EndpointSlice,
  PersistentVolumeClaim,
  PersistentVolume,
  StorageClass,
  VolumeAttachment,
  CSINode,
  CSIDriver,
  ResourceQuota,
  LimitRange,
  PriorityClass,
  PodDisruptionBudget,
  HorizontalPodAutoscaler,
  Lease,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  DeviceClass,
  DeviceTaintRule,
  NodeClaim,
  NodePool,
  Workload: QueuedWorkload,
  LocalQueue,
  ClusterQueue,
  Cohort,
  ResourceFlavor,
  PodGroup,
  VerticalPodAutoscaler,
  Application,
  Kustomization,
  HelmRelease,
  GitRepository,
  InferenceService,
  LLMInferenceService,
} as const;

export type ResourceKind = keyof typeof schemas;
export const resourceKinds = Object.keys(schemas) as readonly ResourceKind[];

export function isResourceKind(kind: string): kind is ResourceKind {
  return Object.hasOwn(schemas, kind);
}

/** The API names this kind as another one; the model needs a name of its own for it. */
const apiNames: Readonly<Record<string, string>> = { KnativeService: 'Service' };

/** The kind as the API spells it. */
export function apiKindOf(kind: string): string {
  return apiNames[kind] ?? kind;
}

/** The kind in the model of an object as the API has it. */
export function modelKindOf(kind: string, apiVersion: unknown): string {
  const isKnative = typeof apiVersion === 'string' && apiVersion.startsWith(`${knativeGroup}/`);
  return isKnative && kind === apiKindOf('KnativeService') ? 'KnativeService' : kind;
}

export type ObjectOf<Kind extends ResourceKind> = Immutable<z.output<(typeof schemas)[Kind]>>;

/** Objects by kind, each list sorted by namespace and name, so that equal input gives equal output. */
export type ClusterObjects = { readonly [Kind in ResourceKind]: readonly ObjectOf<Kind>[] };

type Named = { readonly metadata: { readonly namespace: string; readonly name: string } };

export function byNamespaceAndName(a: Named, b: Named): number {
  return (
    compareText(a.metadata.namespace, b.metadata.namespace) || compareText(a.metadata.name, b.metadata.name)
  );
}

/** Objects in any order, with absent kinds left out, as sorted `ClusterObjects`. */
export function clusterObjects(objects: Partial<ClusterObjects>): ClusterObjects {
  const entries = resourceKinds.map((kind) => [kind, [...(objects[kind] ?? [])].sort(byNamespaceAndName)]);
  return Object.fromEntries(entries) as ClusterObjects;
}

/** Every workload, parts of other workloads included, in the order of the kinds. */
export function workloadsIn(objects: ClusterObjects): readonly Workload[] {
  return workloadKinds.flatMap((kind): readonly Workload[] => objects[kind]);
}

/**
 * The workloads that people own. StatefulSets of a LeaderWorkerSet, and Deployments of a Knative Service or
 * of the workers of a DynamoGraphDeployment, are parts of it; where it could not be read, they stay workloads
 * of their own.
 */
export function ownedWorkloads(objects: ClusterObjects): readonly Workload[] {
  const groups = keysOf(objects.LeaderWorkerSet);
  const services = keysOf(objects.KnativeService);
  const graphs = keysOf(objects.DynamoGraphDeployment);
  return workloadsIn(objects).filter((workload) => {
    const { metadata } = workload;
    if (hasOrdinals(workload)) return !isIn(groups, metadata, leaderWorkerSetOf(workload));
    if (!hasDeploymentStrategy(workload)) return true;
    const isOfService = isIn(services, metadata, serviceOfDeployment(metadata));
    return !isOfService && !isIn(graphs, metadata, dynamoGraphOf(workload));
  });
}

/** Anybody may set a label, so the Deployment counts only where it belongs to a Revision. */
function serviceOfDeployment(metadata: ObjectMeta): string | undefined {
  return isOfKnativeRevision({ metadata }) ? knativeServiceOf({ metadata }) : undefined;
}

function keysOf(objects: readonly Named[]): ReadonlySet<string> {
  return new Set(objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
}

function isIn(keys: ReadonlySet<string>, { namespace }: ObjectMeta, name: string | undefined): boolean {
  return name !== undefined && keys.has(`${namespace}/${name}`);
}

/**
 * Name of the Deployment in its namespace that holds the template of a Rollout; `undefined` where it has its
 * own.
 */
export function referencedDeployment({ spec }: Rollout): string | undefined {
  const { workloadRef } = spec;
  return hasDeploymentStrategy(workloadRef) ? workloadRef.name : undefined;
}

/**
 * The Rollout with the template and the selector of the Deployment that it refers to, as its controller reads
 * it (argo-rollouts `rollout/templateref.go: Resolve`). The Deployment has no pods of its own any more.
 */
export function withReferencedTemplate(rollout: Rollout, deployments: readonly Deployment[]): Rollout {
  const name = referencedDeployment(rollout);
  const deployment = deployments.find(
    ({ metadata }) => metadata.name === name && metadata.namespace === rollout.metadata.namespace,
  );
  if (deployment === undefined) return rollout;
  const { template, selector } = deployment.spec;
  return { ...rollout, spec: { ...rollout.spec, template, selector } };
}

/** The same for all Rollouts among the objects. */
export function withReferencedTemplates(objects: ClusterObjects): ClusterObjects {
  if (objects.Rollout.length === 0) return objects;
  const { Deployment } = objects;
  return {
    ...objects,
    Rollout: objects.Rollout.map((rollout) => withReferencedTemplate(rollout, Deployment)),
  };
}
