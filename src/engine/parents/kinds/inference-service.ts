import { kserveGroup } from '../../objects/inference-service.js';
import type { Workload } from '../../objects/workload.js';
import type { Child, OwnerFields, ParentResourceKind, StrategyField } from '../parent-resource-kind.js';

const components = ['predictor', 'transformer', 'explainer'] as const;

interface Part {
  readonly component: string;
  readonly isWorker: boolean;
}

/**
 * KServe in RawDeployment mode. The Deployment of a component is `<name>-<component>`, in versions before
 * 0.11 `<name>-<component>-default`. The workers of several nodes are `<name>-predictor-worker`: a
 * RollingUpdate there always gets maxSurge 100% and maxUnavailable 0. All annotations are copied into the pod
 * templates (kserve `deployment_reconciler.go: createRawDefaultDeployment,
 * createRawWorkerDeployment`, `component.go: ComponentExtensionSpec`).
 */
export const inferenceService: ParentResourceKind = {
  kind: 'InferenceService',
  group: kserveGroup,
  copiesAnnotations: true,
  strategyFieldOf({ kind, metadata, spec }, owner): StrategyField | undefined {
    const part = partOf({ kind, name: metadata.name }, owner);
    if (part === undefined) return undefined;
    const path = ['spec', part.component, 'deploymentStrategy'];
    // One strategy is for the head and the workers of a predictor.
    const isOnlyRecreate = part.isWorker || isOnSeveralNodes({ spec });
    return { path, honours: isOnlyRecreate ? 'recreate' : 'every-strategy' };
  },
  fieldsOf(child, owner): OwnerFields | undefined {
    const part = partOf(child, owner);
    if (part === undefined) return undefined;
    const path = ['spec', part.component];
    const ofPods = part.isWorker ? [...path, 'workerSpec'] : path;
    return {
      strategy: [...path, 'deploymentStrategy'],
      isBounds: false,
      annotations: [...path, 'annotations'],
      affinity: [...ofPods, 'affinity'],
    };
  },
};

/**
 * Pods of a predictor on several nodes have the generation of the InferenceService as a label, so that each
 * change of it replaces them (kserve `constants.go: InferenceServiceGenerationPodLabelKey`,
 * `predictor.go: Reconcile`).
 */
export function isOnSeveralNodes({ spec }: Pick<Workload, 'spec'>): boolean {
  return 'isvc.generation' in spec.template.metadata.labels;
}

function partOf({ kind, name }: Child, owner: string): Part | undefined {
  if (kind !== 'Deployment' || !name.startsWith(`${owner}-`)) return undefined;
  const [component = '', rest, ...more] = name.slice(owner.length + 1).split('-');
  if (!components.some((each) => each === component) || more.length > 0) return undefined;
  if (rest === undefined || rest === 'default') return { component, isWorker: false };
  return rest === 'worker' && component === 'predictor' ? { component, isWorker: true } : undefined;
}
