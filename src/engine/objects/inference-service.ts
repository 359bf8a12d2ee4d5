import * as z from 'zod';
import { Condition, ObjectMeta } from './metadata.js';
import { type Immutable, list, maybe, rawObject } from './wire.js';

/** The API group of KServe. */
export const kserveGroup = 'serving.kserve.io';

/**
 * What plans of changes read of a service of KServe. The rest of its spec describes models and their pods,
 * which the Deployments show.
 */
const Component = maybe(
  z.object({
    deploymentStrategy: maybe(rawObject),
    annotations: maybe(rawObject),
    affinity: maybe(rawObject),
    /** Of a predictor on several nodes. */
    workerSpec: maybe(z.object({ affinity: maybe(rawObject) })),
  }),
);

/** What its controller reports. */
const Status = z
  .object({ conditions: list(Condition) })
  .nullish()
  .transform((value) => value ?? { conditions: [] });

const Components = z.object({ predictor: Component, transformer: Component, explainer: Component });

/** KServe `inference_service.go: InferenceServiceSpec`. */
export const InferenceService = z.object({
  kind: z.literal('InferenceService').default('InferenceService'),
  metadata: ObjectMeta,
  spec: Components.nullish().transform((value) => value ?? Components.parse({})),
  status: Status,
});
export type InferenceService = Immutable<z.output<typeof InferenceService>>;

const LlmWorkload = z.object({
  rolloutStrategy: maybe(rawObject),
  annotations: maybe(rawObject),
  template: maybe(z.object({ affinity: maybe(rawObject) })),
});
const LlmWorkloads = LlmWorkload.extend({ prefill: maybe(LlmWorkload) });

/**
 * KServe `llm_inference_service_types.go: LLMInferenceServiceSpec`, of the workers that generate and of those
 * that prefill.
 */
export const LLMInferenceService = z.object({
  kind: z.literal('LLMInferenceService').default('LLMInferenceService'),
  metadata: ObjectMeta,
  spec: LlmWorkloads.nullish().transform((value) => value ?? LlmWorkloads.parse({})),
  status: Status,
});
export type LLMInferenceService = Immutable<z.output<typeof LLMInferenceService>>;

/**
 * An object of KServe that people own. Its controller makes Deployments or LeaderWorkerSets and writes them.
 */
export type KserveService = InferenceService | LLMInferenceService;
export type KserveKind = KserveService['kind'];
export const kserveKinds = [
  'InferenceService',
  'LLMInferenceService',
] as const satisfies readonly KserveKind[];

/** Their short names in kubectl. */
export const kserveShortNames = { InferenceService: 'isvc', LLMInferenceService: 'llmisvc' } as const;

/** `isvc/llm`, as people type it. */
export function ownerName({ kind, name }: { kind: string; name: string }): string {
  return `${isKserveKind(kind) ? kserveShortNames[kind] : kind}/${name}`;
}

export function isKserveService(object: { readonly kind: string }): object is KserveService {
  return isKserveKind(object.kind);
}

export function isKserveKind(kind: string): kind is KserveKind {
  return kserveKinds.some((each) => each === kind);
}

/**
 * Labels that all objects of a service have. In serverless mode they are also on the Deployments of its
 * Knative revisions (kserve `constants.go: InferenceServicePodLabelKey, LLMInferenceServicePartOfValue`).
 */
export function kserveLabels(kind: KserveKind, name: string): Readonly<Record<string, string>> {
  return kind === 'InferenceService'
    ? { 'serving.kserve.io/inferenceservice': name }
    : { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'llminferenceservice' };
}

/** Whether the object has the labels of this service. */
export function hasKserveLabels(
  { labels }: Pick<ObjectMeta, 'labels'>,
  kind: KserveKind,
  name: string,
): boolean {
  return Object.entries(kserveLabels(kind, name)).every(([key, value]) => labels[key] === value);
}
