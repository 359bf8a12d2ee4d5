import type { ClusterObjects } from '../objects/cluster-objects.js';
import { hasKserveLabels, type KserveKind } from '../objects/inference-service.js';
import { controllerOf } from '../objects/metadata.js';
import { isComplete } from '../objects/unread.js';
import type { Workload } from '../objects/workload.js';
import { namedOwnerOf, ownerFieldsOf } from './parent-resource.js';

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
  return controllerOf(workload)?.kind === 'Revision' && hasKserveLabels(workload.metadata, kind, name);
}

/** A Knative Service stands for the Deployments of its revisions, where it could be read. */
function withoutRevisions(workloads: readonly Workload[]): readonly Workload[] {
  const isRead = workloads.some(({ kind }) => kind === 'KnativeService');
  return isRead ? workloads.filter((each) => controllerOf(each)?.kind !== 'Revision') : workloads;
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
