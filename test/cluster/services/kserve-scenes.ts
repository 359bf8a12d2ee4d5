import type { KubernetesObject } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { patchObject, type Scene, untilPods } from './played-controllers.js';
import { type PlayedKserve, playKserve } from './played-kserve.js';

/** What is asked of one component of a service, in words of the cluster. */
export interface PodOptions {
  readonly version: number;
  readonly requests?: Readonly<Record<string, string>>;
  /** Its pods never become ready, or their image is never there. */
  readonly start?: 'not-ready' | 'container-creating';
}

export const serviceName = 'llm';

function containersOf({ version, requests = {} }: PodOptions): readonly object[] {
  const limits = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
  const image = `registry.example/vllm:${version}`;
  return [{ name: 'kserve-container', image, resources: { requests, limits } }];
}

/** The pods of a component, and what is declared beside them. */
export function componentOf(options: PodOptions, fields: object = {}): object {
  const { start } = options;
  const annotations = start === undefined ? {} : { annotations: { [kubeletAnnotation.start]: start } };
  return { containers: containersOf(options), ...annotations, ...fields };
}

/** The same for workers of an LLMInferenceService. */
export function workersOf(options: PodOptions, fields: object = {}): object {
  const { start } = options;
  const annotations = start === undefined ? {} : { annotations: { [kubeletAnnotation.start]: start } };
  return { template: { containers: containersOf(options) }, ...annotations, ...fields };
}

/** The same on several nodes: a leader and so many further pods. */
export function groupsOf(options: PodOptions, size: number, fields: object = {}): object {
  const worker = { containers: containersOf(options) };
  return { ...workersOf(options), parallelism: { pipeline: size }, worker, ...fields };
}

export const kinds = {
  InferenceService: 'serving.kserve.io/v1beta1',
  LLMInferenceService: 'serving.kserve.io/v1alpha2',
} as const;
export type ServiceKind = keyof typeof kinds;

/** Pods of one component, or of one kind of workers. */
export const podsOf = {
  predictor: { app: `isvc.${serviceName}-predictor` },
  worker: { app: `isvc.${serviceName}-predictor-worker` },
  transformer: { app: `isvc.${serviceName}-transformer` },
  decode: { 'app.kubernetes.io/component': 'llminferenceservice-workload' },
  prefill: { 'app.kubernetes.io/component': 'llminferenceservice-workload-prefill' },
  leaders: { 'app.kubernetes.io/component': 'llminferenceservice-workload-leader' },
  workers: { 'app.kubernetes.io/component': 'llminferenceservice-workload-worker' },
  'prefill-leaders': { 'app.kubernetes.io/component': 'llminferenceservice-workload-leader-prefill' },
} as const;
export type Part = keyof typeof podsOf;

/** Creates the service `llm`, and changes it. Its controller is played until `stop`. */
export function openService(scene: Scene, kind: ServiceKind) {
  const played: PlayedKserve = playKserve(scene);
  return {
    async create(spec: object): Promise<void> {
      const metadata = { namespace: scene.shop, name: serviceName };
      await scene.cluster.create({ apiVersion: kinds[kind], kind, metadata, spec } as KubernetesObject);
    },
    update: (spec: object): Promise<KubernetesObject> => patchObject(scene, kind, serviceName, { spec }),
    until: (part: Part, wanted: Parameters<typeof untilPods>[2]): Promise<string[]> =>
      untilPods(scene, podsOf[part], wanted),
    stop: (): Promise<void> => played.stop(),
  };
}
