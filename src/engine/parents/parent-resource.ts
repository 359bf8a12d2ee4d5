import type { ClusterObjects } from '../objects/cluster-objects.js';
import { hasKserveLabels, type KserveKind } from '../objects/inference-service.js';
import { isOfKnativeRevision } from '../objects/knative-service.js';
import { controllerOf, type ObjectRef } from '../objects/metadata.js';
import { isComplete } from '../objects/unread.js';
import type { Workload } from '../objects/workload.js';
import { isRevisioned } from '../objects/workload.js';
import type { Child, OwnerFields, ParentResourceKind, StrategyField } from './parent-resource-kinds.js';
import {
  disaggregatedSet,
  dynamoComponent,
  inferenceService,
  isOnSeveralNodes,
  knativeRevision,
  llmInferenceService,
  vllmCacheServer,
  vllmRouter,
  vllmRuntime,
} from './parent-resource-kinds.js';

/** The object that people own, where its controller makes the workload and writes it. */
interface ParentResource {
  readonly object: ObjectRef;
  /** Its field for the strategy of this workload; `undefined` where the kind has none. */
  readonly strategyField: StrategyField | undefined;
}

const kinds: readonly ParentResourceKind[] = [
  inferenceService,
  llmInferenceService,
  knativeRevision,
  dynamoComponent,
  disaggregatedSet,
  vllmRuntime,
  vllmRouter,
  vllmCacheServer,
];

/** `undefined` where no controller is above the workload, or one of a kind that is not known. */
export function parentResourceOf(workload: Workload): ParentResource | undefined {
  const controller = controllerOf(workload);
  if (controller === undefined) return undefined;
  const [group] = controller.apiVersion.split('/');
  const known = kinds.find((each) => each.kind === controller.kind && each.group === group);
  if (known === undefined) return undefined;
  const { namespace } = workload.metadata;
  return {
    object: { namespace, ...(known.declaredBy?.(workload) ?? { kind: known.kind, name: controller.name }) },
    strategyField: known.strategyFieldOf(workload, controller.name),
  };
}

/** The object that people name in place of the workload, and in which its changes are made. */
export function namedOwnerOf(workload: Workload): ObjectRef | undefined {
  const owner = parentResourceOf(workload)?.object;
  return owner !== undefined && isNamedKind(owner.kind) ? owner : undefined;
}

/** Whether the owner's controller replaces the pods of all its workloads at each change of the owner. */
export function isReplacedByEachChange(workload: Workload): boolean {
  return namedOwnerOf(workload) !== undefined && isOnSeveralNodes(workload);
}

/** Whether people name objects of this kind in place of their workloads. */
export function isNamedKind(kind: string): boolean {
  return kinds.some((each) => each.kind === kind && each.fieldsOf !== undefined);
}

/** The fields of such an object for one of its workloads. */
export function ownerFieldsOf(owner: Child, child: Child): OwnerFields | undefined {
  return kinds.find(({ kind }) => kind === owner.kind)?.fieldsOf?.(child, owner.name);
}

/** Whether a new annotation of an object of this kind starts a rollout. */
export function copiesAnnotations(kind: string): boolean {
  return kinds.some((each) => each.kind === kind && each.copiesAnnotations === true);
}

/** Kinds of workloads that controllers of KServe make. */
export const kindsBelow = ['Deployment', 'LeaderWorkerSet', 'KnativeService'] as const;
type Below = Pick<ClusterObjects, (typeof kindsBelow)[number]>;

/**
 * Which of the workloads are meant. `unfinished`: see `meant`. `every`: all of them. `changeable`: those that
 * its controller makes from fields of their own, or all where there is none.
 */
export const belowParts = ['unfinished', 'every', 'changeable'] as const;
export type BelowParts = (typeof belowParts)[number];

/** An object of KServe, by its name. */
interface NamedOwner {
  readonly kind: KserveKind;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/**
 * The workloads that people mean when they name an InferenceService or LLMInferenceService, in each namespace
 * by itself.
 */
export function workloadsBelow(
  objects: Below,
  owner: NamedOwner,
  parts: BelowParts = 'unfinished',
): readonly Workload[] {
  const all = kindsBelow
    .flatMap((kind): readonly Workload[] => objects[kind])
    .filter(({ metadata }) => owner.namespace === undefined || metadata.namespace === owner.namespace)
    .filter((workload) => isBelow(workload, owner));
  const namespaces = [...new Set(all.map(({ metadata }) => metadata.namespace))];
  return namespaces.flatMap((namespace) =>
    chosen(withoutRevisions(all.filter(({ metadata }) => metadata.namespace === namespace)), owner, parts),
  );
}

function chosen(workloads: readonly Workload[], owner: NamedOwner, parts: BelowParts): readonly Workload[] {
  if (parts === 'every') return workloads;
  if (parts === 'unfinished') return meant(workloads);
  const changeable = workloads.filter(
    ({ kind, metadata }) => ownerFieldsOf(owner, { kind, name: metadata.name }) !== undefined,
  );
  return changeable.length > 0 ? changeable : workloads;
}

/** In serverless mode, the Deployments belong to revisions, which have the labels of the service. */
function isBelow(workload: Workload, { kind, name }: NamedOwner): boolean {
  const owner = namedOwnerOf(workload);
  if (owner !== undefined) return owner.kind === kind && owner.name === name;
  return isOfKnativeRevision(workload) && hasKserveLabels(workload.metadata, kind, name);
}

/** A Knative Service stands for the Deployments of its revisions, where it could be read. */
function withoutRevisions(workloads: readonly Workload[]): readonly Workload[] {
  const isRead = workloads.some(isRevisioned);
  return isRead ? workloads.filter((each) => !isOfKnativeRevision(each)) : workloads;
}

/** Those that are not complete. Where all are, the one that answers requests. */
function meant(workloads: readonly Workload[]): readonly Workload[] {
  const unfinished = workloads.filter((each) => !isComplete(each));
  if (unfinished.length > 0 || workloads.length < 2) return unfinished.length > 0 ? unfinished : workloads;
  const [first] = [...workloads].sort((a, b) => Number(isHelper(a)) - Number(isHelper(b)));
  return first === undefined ? [] : [first];
}

/** A part that works for another one. */
function isHelper({ metadata }: Workload): boolean {
  return !/-(?:predictor|predictor-default|kserve|kserve-mn)$/u.test(metadata.name);
}
