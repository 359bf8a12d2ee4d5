import { z } from 'zod';
import { LabelSelector } from './label-selector.js';
import { Condition, ObjectMeta } from './metadata.js';
import { PodTemplate } from './pod-spec.js';
import { defaulted, type Immutable, intOrString, list, maybe, rawObject } from './wire.js';

export const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet'] as const;
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
  maxSurge: defaulted(intOrString, '25%'),
  maxUnavailable: defaulted(intOrString, '25%'),
});

/** Defaults: `pkg/apis/apps/v1/defaults.go: SetDefaults_Deployment`. `rollingUpdate` is absent under Recreate. */
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
  observedGeneration: defaulted(z.number(), 0),
  replicas: defaulted(z.number(), 0),
  updatedReplicas: defaulted(z.number(), 0),
  readyReplicas: defaulted(z.number(), 0),
  availableReplicas: defaulted(z.number(), 0),
  unavailableReplicas: defaulted(z.number(), 0),
  terminatingReplicas: maybe(z.number()),
  conditions: list(Condition),
});

export const Deployment = z.object({
  kind: z.literal('Deployment').default('Deployment'),
  metadata: ObjectMeta,
  spec: z.object({
    replicas: defaulted(z.number(), 1),
    selector: LabelSelector,
    template: PodTemplate,
    strategy: DeploymentStrategy,
    minReadySeconds: defaulted(z.number(), 0),
    progressDeadlineSeconds: defaulted(z.number(), 600),
    revisionHistoryLimit: defaulted(z.number(), 10),
    paused: defaulted(z.boolean(), false),
  }),
  status: DeploymentStatus.nullish().transform((value) => value ?? DeploymentStatus.parse({})),
});
export type Deployment = Immutable<z.output<typeof Deployment>>;

const ReplicaSetStatus = z.object({
  observedGeneration: defaulted(z.number(), 0),
  replicas: defaulted(z.number(), 0),
  fullyLabeledReplicas: defaulted(z.number(), 0),
  readyReplicas: defaulted(z.number(), 0),
  availableReplicas: defaulted(z.number(), 0),
  terminatingReplicas: maybe(z.number()),
  conditions: list(Condition),
});

export const ReplicaSet = z.object({
  kind: z.literal('ReplicaSet').default('ReplicaSet'),
  metadata: ObjectMeta,
  spec: z.object({
    replicas: defaulted(z.number(), 1),
    minReadySeconds: defaulted(z.number(), 0),
    selector: LabelSelector,
    template: PodTemplate,
  }),
  status: ReplicaSetStatus.nullish().transform((value) => value ?? ReplicaSetStatus.parse({})),
});
export type ReplicaSet = Immutable<z.output<typeof ReplicaSet>>;

const StatefulSetStatus = z.object({
  observedGeneration: defaulted(z.number(), 0),
  replicas: defaulted(z.number(), 0),
  readyReplicas: defaulted(z.number(), 0),
  availableReplicas: defaulted(z.number(), 0),
  currentReplicas: defaulted(z.number(), 0),
  updatedReplicas: defaulted(z.number(), 0),
  currentRevision: defaulted(z.string(), ''),
  updateRevision: defaulted(z.string(), ''),
  conditions: list(Condition),
});

export const StatefulSet = z.object({
  kind: z.literal('StatefulSet').default('StatefulSet'),
  metadata: ObjectMeta,
  spec: z.object({
    replicas: defaulted(z.number(), 1),
    selector: LabelSelector,
    template: PodTemplate,
    serviceName: defaulted(z.string(), ''),
    podManagementPolicy: defaulted(z.string(), 'OrderedReady'),
    minReadySeconds: defaulted(z.number(), 0),
    ordinals: maybe(z.object({ start: defaulted(z.number(), 0) })),
    updateStrategy: z
      .object({
        type: defaulted(z.string(), 'RollingUpdate'),
        rollingUpdate: maybe(
          z.object({ partition: defaulted(z.number(), 0), maxUnavailable: maybe(intOrString) }),
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
  observedGeneration: defaulted(z.number(), 0),
  currentNumberScheduled: defaulted(z.number(), 0),
  desiredNumberScheduled: defaulted(z.number(), 0),
  updatedNumberScheduled: defaulted(z.number(), 0),
  numberAvailable: defaulted(z.number(), 0),
  numberUnavailable: defaulted(z.number(), 0),
  numberMisscheduled: defaulted(z.number(), 0),
  numberReady: defaulted(z.number(), 0),
  conditions: list(Condition),
});

export const DaemonSet = z.object({
  kind: z.literal('DaemonSet').default('DaemonSet'),
  metadata: ObjectMeta,
  spec: z.object({
    selector: LabelSelector,
    template: PodTemplate,
    minReadySeconds: defaulted(z.number(), 0),
    updateStrategy: z
      .object({
        type: defaulted(z.string(), 'RollingUpdate'),
        rollingUpdate: maybe(
          z.object({ maxSurge: defaulted(intOrString, 0), maxUnavailable: defaulted(intOrString, 1) }),
        ),
      })
      .nullish()
      .transform((value) => value ?? { type: 'RollingUpdate', rollingUpdate: undefined }),
  }),
  status: DaemonSetStatus.nullish().transform((value) => value ?? DaemonSetStatus.parse({})),
});
export type DaemonSet = Immutable<z.output<typeof DaemonSet>>;

/** The object under diagnosis. */
export type Workload = Deployment | StatefulSet | DaemonSet;

/** A revision of a StatefulSet or DaemonSet; `data` holds the template as a patch. */
export const ControllerRevision = z.object({
  kind: z.literal('ControllerRevision').default('ControllerRevision'),
  metadata: ObjectMeta,
  revision: defaulted(z.number(), 0),
  data: maybe(rawObject),
});
export type ControllerRevision = Immutable<z.output<typeof ControllerRevision>>;
