import type { KubernetesObject, V1Deployment, V1DeploymentStrategy } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { controlledBy, define, type Scene, untilPods } from './played-controllers.js';

const apiVersion = 'production-stack.vllm.ai/v1alpha1';

export const defineProductionStack = (cluster: Cluster): Promise<void> =>
  define(cluster, [
    {
      group: 'production-stack.vllm.ai',
      kind: 'VLLMRuntime',
      plural: 'vllmruntimes',
      version: 'v1alpha1',
    },
  ]);

export interface StackOptions {
  readonly strategy: V1DeploymentStrategy;
  readonly replicas?: number;
  readonly requests: Readonly<Record<string, string>>;
  /** The type that a VLLMRuntime declares; absent: the Deployment is made by the Helm chart. */
  readonly runtime?: 'RollingUpdate' | 'Recreate';
}

/** The defaults of the chart (production-stack `helm/templates/_helpers.tpl: chart.engineStrategy`). */
export const chartStrategy: V1DeploymentStrategy = {
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 },
};

/**
 * Makes the Deployment `llm` as the Helm chart of vLLM production-stack does, or plays its operator, where
 * the real one cannot run (production-stack `vllmruntime_controller.go: deploymentForVLLMRuntime`). The
 * Deployment controller is real.
 */
export function playProductionStack(scene: Scene, options: StackOptions) {
  const { cluster, shop } = scene;
  const name = 'llm';
  const labels = { app: name };
  const templateOf = (version: number, isSlow: boolean) => {
    const { requests } = options;
    const limits = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
    return {
      metadata: {
        labels,
        annotations: isSlow ? { [kubeletAnnotation.start]: 'not-ready' } : {},
      },
      spec: {
        containers: [
          { name: 'vllm', image: `registry.example/vllm:${version}`, resources: { requests, limits } },
        ],
      },
    };
  };
  const podsOf = (wanted: Parameters<typeof untilPods>[2]) => untilPods(scene, labels, wanted);

  return {
    podsOf,
    /** Returns the pods of the first revision, once all are ready. */
    async start(): Promise<readonly string[]> {
      await this.create();
      return podsOf({ ready: options.replicas ?? 1 });
    },
    async create(): Promise<void> {
      const { strategy, replicas = 1, runtime } = options;
      const spec = { deploymentConfig: { replicas, deploymentStrategy: runtime } };
      const owner =
        runtime === undefined
          ? undefined
          : await cluster.create({
              apiVersion,
              kind: 'VLLMRuntime',
              metadata: { namespace: shop, name },
              spec,
            } as KubernetesObject);
      const references =
        owner === undefined
          ? []
          : [controlledBy({ apiVersion, kind: 'VLLMRuntime', metadata: owner.metadata ?? {} })];
      await cluster.create<V1Deployment>({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: shop, name, labels, ownerReferences: references },
        spec: { replicas, selector: { matchLabels: labels }, strategy, template: templateOf(1, false) },
      });
    },
    async update(isSlow = false): Promise<void> {
      const template = templateOf(2, isSlow);
      await cluster.patch({ kind: 'Deployment', namespace: shop, name }, { spec: { template } });
    },
  };
}
