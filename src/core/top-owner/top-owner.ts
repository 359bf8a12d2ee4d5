import { controllerOf, type ObjectRef } from '../cluster/metadata.js';
import type { Workload } from '../cluster/workload.js';
import { dynamoComponent } from './kinds/dynamo-component.js';
import { inferenceService } from './kinds/inference-service.js';
import { knativeRevision } from './kinds/knative-revision.js';
import { vllmCacheServer, vllmRouter, vllmRuntime } from './kinds/vllm-runtime.js';
import type { StrategyField, TopOwnerKind } from './top-owner-kind.js';

/** The object that people own, where its controller makes the workload and writes it. */
export interface TopOwner {
  readonly object: ObjectRef;
  /** Its field for the strategy of this workload; `undefined` where the kind has none. */
  readonly strategyField: StrategyField | undefined;
}

const kinds: readonly TopOwnerKind[] = [
  inferenceService,
  knativeRevision,
  dynamoComponent,
  vllmRuntime,
  vllmRouter,
  vllmCacheServer,
];

/** `undefined` where no controller is above the workload, or one of a kind that is not known. */
export function topOwnerOf(workload: Workload): TopOwner | undefined {
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
