import { kserveGroup } from '../../objects/inference-service.js';
import type { Child, OwnerFields, ParentResourceKind, StrategyField } from '../parent-resource-kind.js';

/**
 * The workers are a Deployment, or on several nodes a LeaderWorkerSet, and those that prefill are another
 * one. Releases after 0.20 have `rolloutStrategy` with the two bounds (kserve `workload_single_node.go:
 * mainDeploymentName, prefillDeploymentName, applyDeploymentRolloutStrategy`, `workload_multi_node.go:
 * mainLWSName, prefillLWSName`). The router's scheduler has no field of its own.
 */
export const llmInferenceService: ParentResourceKind = {
  kind: 'LLMInferenceService',
  group: kserveGroup,
  strategyFieldOf({ kind, metadata }, owner): StrategyField | undefined {
    const fields = fieldsOf({ kind, name: metadata.name }, owner);
    return fields && { path: fields.strategy, form: 'bounds', honours: 'rolling-update' };
  },
  fieldsOf,
};

const suffixes: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Deployment: { '-kserve': ['spec'], '-kserve-prefill': ['spec', 'prefill'] },
  LeaderWorkerSet: { '-kserve-mn': ['spec'], '-kserve-mn-prefill': ['spec', 'prefill'] },
};

function fieldsOf({ kind, name }: Child, owner: string): OwnerFields | undefined {
  if (!name.startsWith(owner)) return undefined;
  const path = suffixes[kind]?.[name.slice(owner.length)];
  return (
    path && {
      strategy: [...path, 'rolloutStrategy'],
      isBounds: true,
      annotations: [...path, 'annotations'],
      affinity: [...path, 'template', 'affinity'],
    }
  );
}
