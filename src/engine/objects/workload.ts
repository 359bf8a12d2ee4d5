import * as z from 'zod';
import { argoRolloutKind, Rollout } from './argo-rollout.js';
import { DynamoGraphDeployment, dynamoGraphDeploymentKind } from './dynamo-graph-deployment.js';
import { KnativeService, knativeServiceKind } from './knative-service.js';
import { LabelSelector } from './label-selector.js';
import { LeaderWorkerSet, leaderWorkerSetKind } from './leader-worker-set.js';
import { Condition, controllerOf, ObjectMeta, restartedAtAnnotation } from './metadata.js';
import { PodTemplate } from './pod-spec.js';
import { RayService, rayServiceKind } from './ray-service.js';
import { revisionNames } from './revisions.js';
import type { Immutable } from './wire.js';
import { count32, count64, countOrPercent, defaulted, list, maybe, rawObject } from './wire.js';

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
const deploymentKind = {
  apiVersion: 'apps/v1',
  formerGroups: ['extensions'],
  plural: 'deployments',
  names: ['deployment', 'deploy'],
  alertLabels: ['deployment', 'kube_deployment', 'k8s_deployment_name', 'k8s.deployment.name'],
  partsRead: [{ kind: 'ReplicaSet', isAlways: true }],
  replaces: 'replica-sets',
  strategy: 'deployment',
  restartedAt: `spec.template.metadata.annotations${restartedAtAnnotation}`,
  templatePaths: ['spec.template'],
} as const;

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
const statefulSetKind = {
  apiVersion: 'apps/v1',
  plural: 'statefulsets',
  names: ['statefulset', 'sts'],
  alertLabels: ['statefulset', 'kube_stateful_set', 'k8s_statefulset_name', 'k8s.statefulset.name'],
  partsRead: [{ kind: 'ControllerRevision', isAlways: false }],
  podSuffix: /^\d+$/,
  replaces: 'ordinals',
  strategy: 'update',
  restartedAt: `spec.template.metadata.annotations${restartedAtAnnotation}`,
  templatePaths: ['spec.template'],
} as const;

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
const daemonSetKind = {
  apiVersion: 'apps/v1',
  formerGroups: ['extensions'],
  plural: 'daemonsets',
  names: ['daemonset', 'ds'],
  alertLabels: ['daemonset', 'kube_daemon_set', 'k8s_daemonset_name', 'k8s.daemonset.name'],
  partsRead: [{ kind: 'ControllerRevision', isAlways: false }],
  podSuffix: /^[a-z0-9]{5}$/,
  replaces: 'nodes',
  strategy: 'update',
  restartedAt: `spec.template.metadata.annotations${restartedAtAnnotation}`,
  templatePaths: ['spec.template'],
} as const;

export type DaemonSet = Immutable<z.output<typeof DaemonSet>>;

/** The controller has acted on the latest spec. The status of a Rollout has the generation as text. */
export function hasObservedSpec({
  metadata,
  status,
}: {
  metadata: Pick<ObjectMeta, 'generation'>;
  status: { readonly observedGeneration: number | string };
}): boolean {
  return Number(status.observedGeneration) >= (metadata.generation ?? 0);
}

type Part = { readonly metadata: Immutable<ObjectMeta> };

/** All that is known of a kind of workload besides its objects: one constant in the file of the kind. */
interface KindOfWorkload {
  readonly apiVersion: string;
  /** Groups in which older clusters served it. */
  readonly formerGroups?: readonly string[];
  readonly plural: string;
  /** Further words that `kubectl api-resources` lists for it: singular and short. */
  readonly names: readonly string[];
  /** Labels of alerts that hold the name of such a workload. */
  readonly alertLabels: readonly string[];
  /** Present of a kind that not every cluster serves: the kind of the controller of its parts. */
  readonly partsBelongTo?: string;
  /** The name of the workload that its pods and their ReplicaSets have in labels, where they have it. */
  readonly nameIn?: (part: Part) => string | undefined;
  /** The same of the revision, where they have its name alone: the status of the workload has it too. */
  readonly revisionIn?: (part: Part) => string | undefined;
  /** What is read beside its pods, by the same labels: always, or where a rule needs it. */
  readonly partsRead: readonly { readonly kind: string; readonly isAlways: boolean }[];
  /** What names of pods have after its own; absent where they have that of a ReplicaSet before it. */
  readonly podSuffix?: RegExp;
  /** What its controller replaces by an update, one after the other or beside each other. */
  readonly replaces: 'replica-sets' | 'ordinals' | 'nodes' | 'groups' | 'revisions';
  /**
   * The form of its strategy: the DeploymentStrategy, an `updateStrategy`, the steps of a canary or two
   * colours, or the two bounds alone.
   */
  readonly strategy: 'deployment' | 'update' | 'steps' | 'bounds' | 'none';
  /** The field that a restart sets; absent where no field restarts the pods alone. */
  readonly restartedAt?: string;
  /** Where it has its pod template: the first of these that it has. */
  readonly templatePaths: readonly string[];
}

/** Every kind under diagnosis: a further one is a line here. */
const kinds = {
  Deployment: deploymentKind,
  StatefulSet: statefulSetKind,
  DaemonSet: daemonSetKind,
  Rollout: argoRolloutKind,
  LeaderWorkerSet: leaderWorkerSetKind,
  KnativeService: knativeServiceKind,
  RayService: rayServiceKind,
  DynamoGraphDeployment: dynamoGraphDeploymentKind,
} as const satisfies Readonly<Record<string, KindOfWorkload>>;

type Kinds = typeof kinds;
/** With the schema that reads each from the API's JSON. */
export const workloadSchemas = {
  Deployment,
  StatefulSet,
  DaemonSet,
  Rollout,
  LeaderWorkerSet,
  KnativeService,
  RayService,
  DynamoGraphDeployment,
} as const satisfies Readonly<Record<WorkloadKind, unknown>>;

export type WorkloadKind = keyof Kinds;
export const workloadKinds = Object.keys(kinds) as readonly WorkloadKind[];
export const WorkloadKind = z.enum(workloadKinds);

/** The kinds whose answers these are. */
type KindsThat<Answers extends Partial<KindOfWorkload>> = {
  [Kind in WorkloadKind]: Kinds[Kind] extends Answers ? Kind : never;
}[WorkloadKind];

/** Kinds of workloads that not every cluster serves. */
export type AddOnKind = KindsThat<{ readonly partsBelongTo: string }>;
export const addOnKinds = workloadKinds.filter((kind) => isAddOn(kind));

export function isAddOn(kind: WorkloadKind): kind is AddOnKind {
  return 'partsBelongTo' in kinds[kind];
}

/** Names one workload in one cluster. */
export const WorkloadRef = z.object({
  cluster: z.string(),
  kind: WorkloadKind,
  namespace: z.string(),
  name: z.string(),
});
export type WorkloadRef = Immutable<z.output<typeof WorkloadRef>>;

export function kindNamed(kind: WorkloadKind): KindOfWorkload {
  return kinds[kind];
}

export function partsReadOf(kind: WorkloadKind): readonly Kinds[WorkloadKind]['partsRead'][number][] {
  return kinds[kind].partsRead;
}

/** Where the API serves the kind: `apps/v1` unless it is a custom resource. */
export function apiVersionOf(kind: string): string {
  return knownKind({ kind })?.apiVersion ?? otherVersions[kind] ?? 'apps/v1';
}

const otherVersions: Readonly<Record<string, string>> = {
  InferenceService: 'serving.kserve.io/v1beta1',
  LLMInferenceService: 'serving.kserve.io/v1alpha2',
};

/** The kind of the add-on's workload that the object is a part of. */
export function addOnAbove(object: { readonly metadata: Immutable<ObjectMeta> }): AddOnKind | undefined {
  const owner = controllerOf(object)?.kind;
  return owner === undefined ? undefined : kindWithParts(owner);
}

/** Where a workload has its pod template; a LeaderWorkerSet that of its leaders. */
export function templatePathOf(workload: Workload): string {
  const { templatePaths } = kindNamed(workload.kind);
  return templatePaths.find((path) => hasField(workload, path)) ?? templatePaths.at(-1) ?? '';
}

function hasField(object: unknown, path: string): boolean {
  return (
    path.split('.').reduce<unknown>((value, name) => {
      const fields = typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
      return fields?.get(name);
    }, object) !== undefined
  );
}

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

/** An object, a state or a reference that has a kind. */
type OfSomeKind = { readonly kind: string };

function knownKind(object: OfSomeKind | undefined): KindOfWorkload | undefined {
  const known: Readonly<Record<string, KindOfWorkload>> = kinds;
  return object !== undefined && Object.hasOwn(known, object.kind) ? known[object.kind] : undefined;
}

/** Whether the kind of something gives these answers. */
function gives<const Answers extends Partial<KindOfWorkload>>(answers: Answers) {
  const those: ReadonlySet<string> = new Set(
    workloadKinds.filter((kind) => {
      const facts = Object.entries(kinds[kind]);
      return Object.entries(answers).every((each) =>
        facts.some(([name, fact]) => name === each[0] && fact === each[1]),
      );
    }),
  );
  return <Item extends OfSomeKind>(
    item: Item | undefined,
  ): item is Item & { readonly kind: KindsThat<Answers> } => item !== undefined && those.has(item.kind);
}

/** Its pods belong to ReplicaSets. */
export const hasReplicaSets = gives({ replaces: 'replica-sets' });

/** Its pods have numbers, and a new one has the name of the old one, which has to be gone before. */
export const hasOrdinals = gives({ replaces: 'ordinals' });

/** Each node has its own pod: nothing scales it, and its pods move nowhere. */
export const hasPodPerNode = gives({ replaces: 'nodes' });

/** Its pods are leaders and workers of groups, which it replaces as a whole. */
export const hasGroups = gives({ replaces: 'groups' });

/** Its update goes by steps, which people may hold, promote, abort and retry. */
export const hasSteps = gives({ strategy: 'steps' });

/** It has a DeploymentStrategy: two bounds, or Recreate. */
export const hasDeploymentStrategy = gives({ strategy: 'deployment' });

export function isRevisioned(workload: Workload): workload is RevisionedService {
  return knownKind(workload)?.replaces === 'revisions';
}

/** The status of the service names this revision. */
export function namesRevision(workload: Workload, revision: string): boolean {
  return isRevisioned(workload) && revisionNames(workload.revisions).includes(revision);
}

/** The kind of workload whose parts belong to objects of that kind. */
export function kindWithParts(kind: string): AddOnKind | undefined {
  return addOnKinds.find((each) => kinds[each].partsBelongTo === kind);
}

/** Its controller replaces no pods until somebody resumes it. */
export function isPaused({ spec }: Workload): boolean {
  return 'paused' in spec && spec.paused;
}

/** A revision of a StatefulSet or DaemonSet; `data` holds the template as a patch. */
export const ControllerRevision = z.object({
  kind: z.literal('ControllerRevision').default('ControllerRevision'),
  metadata: ObjectMeta,
  revision: defaulted(z.int(), 0),
  data: maybe(rawObject),
});
export type ControllerRevision = Immutable<z.output<typeof ControllerRevision>>;
