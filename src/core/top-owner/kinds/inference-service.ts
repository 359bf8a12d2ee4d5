import type { StrategyField, TopOwnerKind } from '../top-owner-kind.js';

const components = ['predictor', 'transformer', 'explainer'] as const;

/**
 * KServe in RawDeployment mode. The Deployment of a component is `<name>-<component>`, in versions before 0.11
 * `<name>-<component>-default`. The workers of several nodes are `<name>-predictor-worker`: a RollingUpdate there always gets
 * maxSurge 100% and maxUnavailable 0 (kserve `deployment_reconciler.go: createRawDefaultDeployment,
 * createRawWorkerDeployment`, `component.go: ComponentExtensionSpec`).
 */
export const inferenceService: TopOwnerKind = {
  kind: 'InferenceService',
  group: 'serving.kserve.io',
  strategyFieldOf({ kind, metadata }, owner): StrategyField | undefined {
    if (kind !== 'Deployment' || !metadata.name.startsWith(`${owner}-`)) return undefined;
    const [component = '', rest, ...more] = metadata.name.slice(owner.length + 1).split('-');
    if (!components.some((each) => each === component) || more.length > 0) return undefined;
    const path = ['spec', component, 'deploymentStrategy'];
    if (rest === undefined || rest === 'default') return { path, honours: 'every-strategy' };
    return rest === 'worker' && component === 'predictor' ? { path, honours: 'recreate' } : undefined;
  },
};
