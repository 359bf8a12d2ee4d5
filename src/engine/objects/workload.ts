import * as z from 'zod';
import type { Rollout } from './argo-rollout.js';
import type { DynamoGraphDeployment } from './dynamo-graph-deployment.js';
import type { KnativeService } from './knative-service.js';
import { LabelSelector } from './label-selector.js';
import type { LeaderWorkerSet } from './leader-worker-set.js';
import { Condition, ObjectMeta } from './metadata.js';
import { PodTemplate } from './pod-spec.js';
import type { RayService } from './ray-service.js';
import {
  count32,
  count64,
  countOrPercent,
  defaulted,
  type Immutable,
  list,
  maybe,
  rawObject,
} from './wire.js';

/** Kinds of workloads that not every cluster serves. */
export const addOnKinds = [
  'Rollout',
  'LeaderWorkerSet',
  'KnativeService',
  'RayService',
  'DynamoGraphDeployment',
] as const;
export type AddOnKind = (typeof addOnKinds)[number];
export const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', ...addOnKinds] as const;
export const WorkloadKind = z.enum(workloadKinds);
export type WorkloadKind = z.output<typeof WorkloadKind>;

/** Names one workload in one cluster. */
export const WorkloadRef = z.object({
  cluster: z.string(),
  kind: WorkloadKind,
  namespace: z.string(),
  name: z.string(),
});
export type WorkloadRef = Immutable<z.output<typeof WorkloadRef>>;

const RollingUpdateDeployment = z.object({
  maxSurge: defaulted(countOrPercent, '25%'),
  maxUnavailable: defaulted(countOrPercent, '25%'),
});

/**
 * Defaults: `pkg/apis/apps/v1/defaults.go: SetDefaults_Deployment`. `rollingUpdate` is absent under Recreate.
 */
export const DeploymentStrategy = z
  .object({ type: defaulted(z.string(), 'RollingUpdate'), rollingUpdate: maybe(RollingUpdateDeployment) })
  .nullish()
  .transform((value) => {
    const strategy = value ?? { type: 'RollingUpdate', rollingUpdate: undefined };
    if (strategy.type !== 'RollingUpdate') return { type: strategy.type, rollingUpdate: undefined };
    return {
      type: strategy.type,
      rollingUpdate: strategy.rollingUpdate ?? RollingUpdateDeployment.parse({}),
    };
  });
export type DeploymentStrategy = Immutable<z.output<typeof DeploymentStrategy>>;

const DeploymentStatus = z.object({
  observedGeneration: defaulted(count64, 0),
  replicas: defaulted(count32, 0),
  updatedReplicas: defaulted(count32, 0),
  readyReplicas: defaulted(count32, 0),
  availableReplicas: defaulted(count32, 0),
  unavailableReplicas: defaulted(count32, 0),
  terminatingReplicas: maybe(count32),
  conditions: list(Condition),
});

export const Deployment = z.object({
  kind: z.literal('Deployment').default('Deployment'),
  metadata: ObjectMeta,
  spec: z.object({
    replicas: defaulted(count32, 1),
    selector: LabelSelector,
    template: PodTemplate,
    strategy: DeploymentStrategy,
    minReadySeconds: defaulted(count32, 0),
    progressDeadlineSeconds: defaulted(count32, 600),
    revisionHistoryLimit: defaulted(count32, 10),
    paused: defaulted(z.boolean(), false),
  }),
  status: DeploymentStatus.nullish().transform((value) => value ?? DeploymentStatus.parse({})),
});
export type Deployment = Immutable<z.output<typeof Deployment>>;

const ReplicaSetStatus = z.object({
  observedGeneration: defaulted(count64, 0),
  replicas: defaulted(count32, 0),
  fullyLabeledReplicas: defaulted(count32, 0),
  readyReplicas: defaulted(count32, 0),
  availableReplicas: defaulted(count32, 0),
  terminatingReplicas: maybe(count32),
  conditions: list(Condition),
});

export const ReplicaSet = z.object({
  kind: z.literal('ReplicaSet').default('ReplicaSet'),
  metadata: ObjectMeta,
  spec: z.object({
    replicas: defaulted(count32, 1),
    minReadySeconds: defaulted(count32, 0),
    selector: LabelSelector,
    template: PodTemplate,
  }),
  status: ReplicaSetStatus.nullish().transform((value) => value ?? ReplicaSetStatus.parse({})),
});
export type ReplicaSet = Immutable<z.output<typeof ReplicaSet>>;

const StatefulSetStatus = z.object({
  observedGeneration: defaulted(count64, 0),
  replicas: defaulted(count32, 0),
  readyReplicas: defaulted(count32, 0),
  availableReplicas: defaulted(count32, 0),
  currentReplicas: defaulted(count32, 0),
  updatedReplicas: defaulted(count32, 0),
  currentRevision: defaulted(z.string(), ''),
  updateRevision: defaulted(z.string(), ''),
  conditions: list(Condition),
});

export const StatefulSet = z.object({
  kind: z.literal('StatefulSet').default('StatefulSet'),
  metadata: ObjectMeta,
  spec: z.object({
    replicas: defaulted(count32, 1),
    selector: LabelSelector,
    template: PodTemplate,
    serviceName: defaulted(z.string(), ''),
    podManagementPolicy: defaulted(z.string(), 'OrderedReady'),
    minReadySeconds: defaulted(count32, 0),
    ordinals: maybe(z.object({ start: defaulted(count32, 0) })),
    updateStrategy: z
      .object({
        type: defaulted(z.string(), 'RollingUpdate'),
        rollingUpdate: maybe(
          z.object({ partition: defaulted(count32, 0), maxUnavailable: maybe(countOrPercent) }),
        ),
      })
      .nullish()
      .transform((value) => value ?? { type: 'RollingUpdate', rollingUpdate: undefined }),
    volumeClaimTemplates: list(z.object({ metadata: ObjectMeta })),
  }),
  status: StatefulSetStatus.nullish().transform((value) => value ?? StatefulSetStatus.parse({})),
});
export type StatefulSet = Immutable<z.output<typeof StatefulSet>>;

const DaemonSetStatus = z.object({
  observedGeneration: defaulted(count64, 0),
  currentNumberScheduled: defaulted(count32, 0),
  desiredNumberScheduled: defaulted(count32, 0),
  updatedNumberScheduled: defaulted(count32, 0),
  numberAvailable: defaulted(count32, 0),
  numberUnavailable: defaulted(count32, 0),
  numberMisscheduled: defaulted(count32, 0),
  numberReady: defaulted(count32, 0),
  conditions: list(Condition),
});

export const DaemonSet = z.object({
  kind: z.literal('DaemonSet').default('DaemonSet'),
  metadata: ObjectMeta,
  spec: z.object({
    selector: LabelSelector,
    template: PodTemplate,
    minReadySeconds: defaulted(count32, 0),
    updateStrategy: z
      .object({
        type: defaulted(z.string(), 'RollingUpdate'),
        rollingUpdate: maybe(
          z.object({ maxSurge: defaulted(countOrPercent, 0), maxUnavailable: defaulted(countOrPercent, 1) }),
        ),
      })
      .nullish()
      .transform((value) => value ?? { type: 'RollingUpdate', rollingUpdate: undefined }),
  }),
  status: DaemonSetStatus.nullish().transform((value) => value ?? DaemonSetStatus.parse({})),
});
export type DaemonSet = Immutable<z.output<typeof DaemonSet>>;

/** The controller has acted on the latest spec. The status of a Rollout has the generation as text. */
export function hasObservedSpec({
  metadata,
  status,
}: {
  readonly metadata: Pick<ObjectMeta, 'generation'>;
  readonly status: { readonly observedGeneration: number | string };
}): boolean {
  return Number(status.observedGeneration) >= (metadata.generation ?? 0);
}

/** Where the API serves the kind: `apps/v1` unless it is a custom resource. */
export function apiVersionOf(kind: string): string {
  return apiVersions[kind] ?? 'apps/v1';
}

const apiVersions: Readonly<Record<string, string>> = {
  Rollout: 'argoproj.io/v1alpha1',
  LeaderWorkerSet: 'leaderworkerset.x-k8s.io/v1',
  KnativeService: 'serving.knative.dev/v1',
  RayService: 'ray.io/v1',
  DynamoGraphDeployment: 'nvidia.com/v1beta1',
  InferenceService: 'serving.kserve.io/v1beta1',
  LLMInferenceService: 'serving.kserve.io/v1alpha2',
};

/** The group and the version of it. */
export function apiGroupOf(kind: string): readonly [group: string, version: string] {
  const [group = '', version = ''] = apiVersionOf(kind).split('/');
  return [group, version];
}

/**
 * A service whose controller starts a new revision beside the one that serves, and stops the former one as it
 * becomes ready.
 */
export type RevisionedService = KnativeService | RayService | DynamoGraphDeployment;

/** The object under diagnosis. */
export type Workload = Deployment | StatefulSet | DaemonSet | Rollout | LeaderWorkerSet | RevisionedService;

const revisioned: ReadonlySet<string> = new Set<RevisionedService['kind']>([
  'KnativeService',
  'RayService',
  'DynamoGraphDeployment',
]);

export function isRevisioned(workload: Workload): workload is RevisionedService {
  return revisioned.has(workload.kind);
}

/** Its controller replaces no pods until somebody resumes it. */
export function isPaused(workload: Workload): boolean {
  return (workload.kind === 'Deployment' || workload.kind === 'Rollout') && workload.spec.paused;
}

/** A revision of a StatefulSet or DaemonSet; `data` holds the template as a patch. */
export const ControllerRevision = z.object({
  kind: z.literal('ControllerRevision').default('ControllerRevision'),
  metadata: ObjectMeta,
  revision: defaulted(z.int(), 0),
  data: maybe(rawObject),
});
export type ControllerRevision = Immutable<z.output<typeof ControllerRevision>>;
