import { dynamoLabels } from '../objects/dynamo-graph-deployment.js';
import { kserveGroup } from '../objects/inference-service.js';
import { hasDeploymentStrategy, hasGroups, type Workload } from '../objects/workload.js';

/** Where an owner declares the strategy of one of its workloads. */
export interface StrategyField {
  /** Names from the root: `['spec', 'predictor', 'deploymentStrategy']`. */
  readonly path: readonly string[];
  /** The `name` of the item, where the value at `path[1]` is a list. */
  readonly item?: string;
  /**
   * Absent: the value is a DeploymentStrategy. `type`: a field `deploymentStrategy` with the name of the type
   * alone. `bounds`: the two bounds of a RollingUpdate.
   */
  readonly form?: 'type' | 'bounds' | 'dynamo-annotations';
  /**
   * `recreate`: the controller replaces the values of a RollingUpdate by its own. `rolling-update`: there is
   * no Recreate.
   */
  readonly honours: 'every-strategy' | 'recreate' | 'rolling-update';
  /**
   * Absent: at once, and it reverts changes of the workload. `with-another-change`: it does neither until
   * something else changes. `in-next-revision`: it makes further workloads with it, and never changes this
   * one.
   */
  readonly applies?: 'with-another-change' | 'in-next-revision';
}

/** The parts of a workload that decide which fields of its owner are meant. */
export type Child = { readonly kind: string; readonly name: string };

/** Fields of an owner from which its controller writes fields of one workload. Names from the root. */
export interface OwnerFields {
  readonly strategy: readonly string[];
  /** The strategy is the two bounds of a RollingUpdate alone, and no DeploymentStrategy. */
  readonly isBounds: boolean;
  /** Annotations of the pods. */
  readonly annotations: readonly string[];
  /** The affinity of the pods. */
  readonly affinity: readonly string[];
}

/**
 * A kind of object whose controller makes workloads and writes them: one constant, and a line in
 * `parent-resource.ts`.
 */
export interface ParentResourceKind {
  readonly kind: string;
  readonly group: string;
  /** The object above this one, where people write that. */
  readonly declaredBy?: (workload: Workload) => { readonly kind: string; readonly name: string } | undefined;
  /**
   * `undefined` where the kind has no such field, or the workload is none that its controller is known to
   * make.
   */
  readonly strategyFieldOf: (workload: Workload, owner: string) => StrategyField | undefined;
  /**
   * Present where the object is what people name, and a change is made there and never in its workload.
   * `undefined` for a workload that its controller is not known to make.
   */
  readonly fieldsOf?: (child: Child, owner: string) => OwnerFields | undefined;
  /** Its controller copies its annotations into the pod template, where a new one starts a rollout. */
  readonly copiesAnnotations?: true;
}

const components = ['predictor', 'transformer', 'explainer'] as const;

type Part = { readonly component: string; readonly isWorker: boolean };

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

function partOf(child: Child, owner: string): Part | undefined {
  const { name } = child;
  if (!hasDeploymentStrategy(child) || !name.startsWith(`${owner}-`)) return undefined;
  const [component = '', rest, ...more] = name.slice(owner.length + 1).split('-');
  if (!components.some((each) => each === component) || more.length > 0) return undefined;
  if (rest === undefined || rest === 'default') return { component, isWorker: false };
  return rest === 'worker' && component === 'predictor' ? { component, isWorker: true } : undefined;
}

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

/**
 * Each Revision of a Knative Service is a Deployment of its own with maxUnavailable 0. Neither the Service
 * nor the Revision has a field for the strategy (knative serving
 * `pkg/reconciler/revision/resources/deploy.go: MakeDeployment`).
 */
export const knativeRevision: ParentResourceKind = {
  kind: 'Revision',
  group: 'serving.knative.dev',
  strategyFieldOf: () => undefined,
};

/**
 * A component of a graph of NVIDIA Dynamo, whose Deployment has its strategy from annotations of the
 * component's pod template (dynamo `deployment_strategy.go`, `graph.go: GetDGDComponentResourceAnnotations`).
 * People write the DynamoGraphDeployment above it. A component without one has the annotations itself.
 */
export const dynamoComponent: ParentResourceKind = {
  kind: 'DynamoComponentDeployment',
  group: 'nvidia.com',
  declaredBy({ metadata }) {
    const graph = metadata.labels[dynamoLabels.graph];
    return graph === undefined ? undefined : { kind: 'DynamoGraphDeployment', name: graph };
  },
  strategyFieldOf(workload): StrategyField | undefined {
    if (!hasDeploymentStrategy(workload)) return undefined;
    const { metadata } = workload;
    const { [dynamoLabels.graph]: graph, [dynamoLabels.component]: item } = metadata.labels;
    const template = ['podTemplate', 'metadata', 'annotations'];
    const common = { form: 'dynamo-annotations', honours: 'every-strategy' } as const;
    if (graph === undefined) return { path: ['spec', ...template], ...common };
    return item === undefined ? undefined : { path: ['spec', 'components', ...template], item, ...common };
  },
};

/** On each LeaderWorkerSet that the controller makes (lws 0.9 and 0.10, `disaggregatedset_types.go`). */
const roleLabel = 'disaggregatedset.x-k8s.io/role';

/**
 * A DisaggregatedSet makes a LeaderWorkerSet for each role, slice and revision. A new template of any role
 * begins a revision, with further LeaderWorkerSets beside the old ones. The controller sets the replicas of
 * all and deletes old ones. It writes no strategy into one that exists, so a change made there stays, and the
 * next revision does not have it. New bounds begin no revision (lws 0.10 `lws_manager.go: Create, Scale`,
 * `utils.go: ComputeRevision`).
 */
export const disaggregatedSet: ParentResourceKind = {
  kind: 'DisaggregatedSet',
  group: 'disaggregatedset.x-k8s.io',
  strategyFieldOf(workload): StrategyField | undefined {
    const item = workload.metadata.labels[roleLabel];
    if (!hasGroups(workload) || item === undefined) return undefined;
    return {
      path: ['spec', 'roles', 'spec', 'rolloutStrategy', 'rollingUpdateConfiguration'],
      item,
      form: 'bounds',
      honours: 'rolling-update',
      applies: 'in-next-revision',
    };
  },
};

const group = 'production-stack.vllm.ai';

/**
 * The operator of vLLM production-stack. A VLLMRuntime names the type of the strategy only, and its
 * controller compares other fields: it writes the Deployment when one of those differs (production-stack
 * `vllmruntime_controller.go: deploymentForVLLMRuntime, deploymentNeedsUpdate`).
 */
export const vllmRuntime: ParentResourceKind = {
  kind: 'VLLMRuntime',
  group,
  strategyFieldOf(workload, owner): StrategyField | undefined {
    if (!hasDeploymentStrategy(workload) || workload.metadata.name !== owner) return undefined;
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
