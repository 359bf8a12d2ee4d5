import { controllerOf, type ObjectRef } from '../objects/metadata.js';
import type { Workload } from '../objects/workload.js';
import { disaggregatedSet } from './kinds/disaggregated-set.js';
import { dynamoComponent } from './kinds/dynamo-component.js';
import { inferenceService, isOnSeveralNodes } from './kinds/inference-service.js';
import { knativeRevision } from './kinds/knative-revision.js';
import { llmInferenceService } from './kinds/llm-inference-service.js';
import { vllmCacheServer, vllmRouter, vllmRuntime } from './kinds/vllm-runtime.js';
import type { Child, OwnerFields, ParentResourceKind, StrategyField } from './parent-resource-kind.js';

/** The object that people own, where its controller makes the workload and writes it. */
export interface ParentResource {
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
