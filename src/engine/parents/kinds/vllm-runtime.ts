import type { ParentResourceKind, StrategyField } from '../parent-resource-kind.js';

const group = 'production-stack.vllm.ai';

/**
 * The operator of vLLM production-stack. A VLLMRuntime names the type of the strategy only, and its
 * controller compares other fields: it writes the Deployment when one of those differs (production-stack
 * `vllmruntime_controller.go: deploymentForVLLMRuntime, deploymentNeedsUpdate`).
 */
export const vllmRuntime: ParentResourceKind = {
  kind: 'VLLMRuntime',
  group,
  strategyFieldOf({ kind, metadata }, owner): StrategyField | undefined {
    if (kind !== 'Deployment' || metadata.name !== owner) return undefined;
    const path = ['spec', 'deploymentConfig'];
    return { path, form: 'type', honours: 'recreate', applies: 'with-another-change' };
  },
};

/**
 * Their Deployments have the defaults of Kubernetes, whatever `deploymentStrategy` of a CacheServer is
 * (production-stack `vllmrouter_controller.go: deploymentForVLLMRouter`,
 * `cacheserver_controller.go: deploymentForCacheServer`).
 */
export const vllmRouter: ParentResourceKind = { kind: 'VLLMRouter', group, strategyFieldOf: () => undefined };
export const vllmCacheServer: ParentResourceKind = {
  kind: 'CacheServer',
  group,
  strategyFieldOf: () => undefined,
};
