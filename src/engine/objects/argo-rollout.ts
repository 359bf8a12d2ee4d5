import * as z from 'zod';
import { LabelSelector } from './label-selector.js';
import { Condition, ObjectMeta } from './metadata.js';
import { PodTemplate } from './pod-spec.js';
import { count32, countOrPercent, defaulted, type Immutable, list, maybe, rawObject, time } from './wire.js';

/** A step that only its own controller decides: an analysis, an experiment, a plugin. */
const opaqueStep = maybe(rawObject);

const CanaryStep = z.object({
  setWeight: maybe(count32),
  pause: maybe(z.object({ duration: maybe(z.union([z.int32(), z.string()])) })),
  setCanaryScale: maybe(
    z.object({
      weight: maybe(count32),
      replicas: maybe(count32),
      matchTrafficWeight: defaulted(z.boolean(), false),
    }),
  ),
  experiment: opaqueStep,
  analysis: opaqueStep,
  plugin: opaqueStep,
  setHeaderRoute: maybe(rawObject),
  setMirrorRoute: maybe(rawObject),
});
export type CanaryStep = Immutable<z.output<typeof CanaryStep>>;

/**
 * maxSurge and maxUnavailable are not stored by the API server: where they are absent, the controller takes
 * 25 % (argo-rollouts `utils/defaults/defaults.go: GetMaxSurgeOrDefault`).
 */
const Canary = z.object({
  maxSurge: maybe(countOrPercent),
  maxUnavailable: maybe(countOrPercent),
  steps: list(CanaryStep),
  /** Present: a router splits the traffic, by weights beside the numbers of pods. */
  trafficRouting: maybe(z.looseObject({ maxTrafficWeight: maybe(count32) })),
  canaryService: defaulted(z.string(), ''),
  stableService: defaulted(z.string(), ''),
  dynamicStableScale: defaulted(z.boolean(), false),
  minPodsPerReplicaSet: maybe(count32),
  replicaProgressThreshold: maybe(z.object({ type: defaulted(z.string(), ''), value: z.int32() })),
  scaleDownDelaySeconds: maybe(count32),
  scaleDownDelayRevisionLimit: maybe(count32),
  abortScaleDownDelaySeconds: maybe(count32),
  analysis: maybe(rawObject),
  antiAffinity: maybe(rawObject),
});
export type Canary = Immutable<z.output<typeof Canary>>;

const BlueGreen = z.object({
  activeService: defaulted(z.string(), ''),
  previewService: defaulted(z.string(), ''),
  previewReplicaCount: maybe(count32),
  autoPromotionEnabled: defaulted(z.boolean(), true),
  autoPromotionSeconds: defaulted(count32, 0),
  maxUnavailable: maybe(countOrPercent),
  scaleDownDelaySeconds: maybe(count32),
  scaleDownDelayRevisionLimit: maybe(count32),
  abortScaleDownDelaySeconds: maybe(count32),
  prePromotionAnalysis: maybe(rawObject),
  postPromotionAnalysis: maybe(rawObject),
  antiAffinity: maybe(rawObject),
});
export type BlueGreen = Immutable<z.output<typeof BlueGreen>>;

const Weight = z.object({ weight: defaulted(count32, 0), podTemplateHash: defaulted(z.string(), '') });
export const TrafficWeights = z.object({ canary: Weight, stable: Weight });
export type TrafficWeights = Immutable<z.output<typeof TrafficWeights>>;

const AnalysisState = maybe(z.object({ name: defaulted(z.string(), ''), status: defaulted(z.string(), '') }));

const RolloutStatus = z.object({
  /** A text, unlike that of other kinds. */
  observedGeneration: defaulted(z.string(), ''),
  workloadObservedGeneration: defaulted(z.string(), ''),
  phase: defaulted(z.string(), ''),
  stableRS: defaulted(z.string(), ''),
  currentPodHash: defaulted(z.string(), ''),
  currentStepHash: defaulted(z.string(), ''),
  currentStepIndex: maybe(count32),
  abort: defaulted(z.boolean(), false),
  abortedAt: maybe(time),
  promoteFull: defaulted(z.boolean(), false),
  controllerPause: defaulted(z.boolean(), false),
  pauseConditions: list(z.object({ reason: defaulted(z.string(), ''), startTime: maybe(time) })),
  restartedAt: maybe(time),
  replicas: defaulted(count32, 0),
  updatedReplicas: defaulted(count32, 0),
  readyReplicas: defaulted(count32, 0),
  availableReplicas: defaulted(count32, 0),
  HPAReplicas: defaulted(count32, 0),
  canary: defaulted(
    z.object({
      weights: maybe(TrafficWeights),
      currentStepAnalysisRunStatus: AnalysisState,
      currentBackgroundAnalysisRunStatus: AnalysisState,
      currentExperiment: defaulted(z.string(), ''),
    }),
    {
      weights: undefined,
      currentStepAnalysisRunStatus: undefined,
      currentBackgroundAnalysisRunStatus: undefined,
      currentExperiment: '',
    },
  ),
  blueGreen: defaulted(
    z.object({
      activeSelector: defaulted(z.string(), ''),
      previewSelector: defaulted(z.string(), ''),
      scaleUpPreviewCheckPoint: defaulted(z.boolean(), false),
      prePromotionAnalysisRunStatus: AnalysisState,
      postPromotionAnalysisRunStatus: AnalysisState,
    }),
    {
      activeSelector: '',
      previewSelector: '',
      scaleUpPreviewCheckPoint: false,
      prePromotionAnalysisRunStatus: undefined,
      postPromotionAnalysisRunStatus: undefined,
    },
  ),
  conditions: list(Condition),
});

/** `argoproj.io/v1alpha1` Rollout (argo-rollouts `pkg/apis/rollouts/v1alpha1/types.go`). */
export const Rollout = z.object({
  kind: z.literal('Rollout').default('Rollout'),
  metadata: ObjectMeta,
  spec: z.object({
    replicas: defaulted(count32, 1),
    /** Empty under `workloadRef`, until the reader has filled in what the referenced workload has. */
    selector: LabelSelector.nullish().transform((value) => value ?? LabelSelector.parse({})),
    template: PodTemplate.nullish().transform((value) => value ?? PodTemplate.parse({})),
    workloadRef: maybe(
      z.object({
        kind: defaulted(z.string(), ''),
        name: defaulted(z.string(), ''),
        scaleDown: defaulted(z.string(), 'never'),
      }),
    ),
    strategy: defaulted(z.object({ canary: maybe(Canary), blueGreen: maybe(BlueGreen) }), {
      canary: undefined,
      blueGreen: undefined,
    }),
    minReadySeconds: defaulted(count32, 0),
    progressDeadlineSeconds: defaulted(count32, 600),
    progressDeadlineAbort: defaulted(z.boolean(), false),
    revisionHistoryLimit: defaulted(count32, 10),
    rollbackWindow: maybe(z.object({ revisions: defaulted(count32, 0) })),
    paused: defaulted(z.boolean(), false),
    restartAt: maybe(time),
    analysis: maybe(rawObject),
  }),
  status: RolloutStatus.nullish().transform((value) => value ?? RolloutStatus.parse({})),
});
/** See `KindOfWorkload`. */
export const argoRolloutKind = {
  apiVersion: 'argoproj.io/v1alpha1',
  plural: 'rollouts',
  names: ['rollout', 'ro'],
  alertLabels: ['rollout', 'kube_argo_rollout'],
  partsBelongTo: 'Rollout',
  partsRead: [{ kind: 'ReplicaSet', isAlways: true }],
  replaces: 'replica-sets',
  strategy: 'steps',
  restartedAt: 'spec.restartAt',
  templatePaths: ['spec.template'],
} as const;

export type Rollout = Immutable<z.output<typeof Rollout>>;

/** Whether maxSurge and maxUnavailable are used: of a canary without a traffic router. */
export function hasCanaryBounds({ spec }: Pick<Rollout, 'spec'>): boolean {
  const { canary } = spec.strategy;
  return canary !== undefined && canary.trafficRouting === undefined;
}

/** The label with the hash of its template, on the ReplicaSets and pods of a Rollout. */
export const rolloutHashLabel = 'rollouts-pod-template-hash';
