import type { KubernetesObject } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { patchObject, type Scene, untilPods } from './played-controllers.js';

/** What is asked of one component of a service, in words of the cluster. */
export interface PodOptions {
  readonly version: number;
  readonly requests?: Readonly<Record<string, string>> | undefined;
  readonly env?: readonly object[];
  /** Its pods never become ready, or their image is never there. */
  readonly start?: 'not-ready' | 'container-creating';
}

export const serviceName = 'llm';

function containerOf(name: string, { version, requests = {}, env = [] }: PodOptions): object {
  const limits = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
  return { name, image: `registry.example/vllm:${version}`, resources: { requests, limits }, env };
}

const annotated = ({ start }: PodOptions): object =>
  start === undefined ? {} : { annotations: { [kubeletAnnotation.start]: start } };

/** The pods of a component, and what is declared beside them. */
export const componentOf = (options: PodOptions, fields: object = {}): object => ({
  containers: [containerOf('kserve-container', options)],
  ...annotated(options),
  ...fields,
});

/** The same for workers of an LLMInferenceService. */
export const workersOf = (options: PodOptions, fields: object = {}): object => ({
  template: { containers: [containerOf('main', options)] },
  ...annotated(options),
  ...fields,
});

/** The same on several nodes: a leader and so many further pods. */
export const groupsOf = (options: PodOptions, size: number, fields: object = {}): object => ({
  ...workersOf(options),
  parallelism: { data: size, dataLocal: 1 },
  worker: { containers: [containerOf('main', options)] },
  ...fields,
});

const kinds = {
  InferenceService: 'serving.kserve.io/v1beta1',
  LLMInferenceService: 'serving.kserve.io/v1alpha2',
} as const;
export type ServiceKind = keyof typeof kinds;

/** Pods of one component, or of one kind of workers. */
export const podsOf = {
  predictor: { app: `isvc.${serviceName}-predictor` },
  transformer: { app: `isvc.${serviceName}-transformer` },
  decode: { 'app.kubernetes.io/component': 'llminferenceservice-workload' },
  prefill: { 'app.kubernetes.io/component': 'llminferenceservice-workload-prefill' },
  leaders: { 'app.kubernetes.io/component': 'llminferenceservice-workload-leader' },
  workers: { 'app.kubernetes.io/component': 'llminferenceservice-workload-worker' },
} as const;
export type Part = keyof typeof podsOf;

/** Creates a service, and changes it. The pods that are waited for are those of the service `llm`. */
export function openService(scene: Scene, kind: ServiceKind, name = serviceName) {
  return {
    async create(spec: object, annotations: object = {}): Promise<void> {
      const metadata = { namespace: scene.shop, name, annotations };
      const model = kind === 'LLMInferenceService' ? { model: { uri: 'hf://example/llm' } } : {};
      const service = { apiVersion: kinds[kind], kind, metadata, spec: { ...model, ...spec } };
      await scene.cluster.create(service as KubernetesObject);
    },
    update: (spec: object): Promise<KubernetesObject> => patchObject(scene, kind, name, { spec }),
    until: (part: Part, wanted: Parameters<typeof untilPods>[2]): Promise<string[]> =>
      untilPods(scene, podsOf[part], wanted),
  };
}
