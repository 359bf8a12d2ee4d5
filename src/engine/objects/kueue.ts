import * as z from 'zod';
import { LabelSelector } from './label-selector.js';
import { Condition, ObjectMeta } from './metadata.js';
import { Taint } from './node.js';
import { PodTemplate, Toleration } from './pod-spec.js';
import type { Immutable } from './wire.js';
import { count32, defaulted, list, maybe, message, quantity, resourceList, stringMap } from './wire.js';

/**
 * Marks that Kueue and its webhooks put on pods (kueue `pkg/controller/constants`,
 * `pkg/controller/jobs/pod/constants`).
 */
export const kueueMarks = {
  prefix: 'kueue.x-k8s.io/',
  gate: 'kueue.x-k8s.io/admission',
  topologyGate: 'kueue.x-k8s.io/topology',
  queue: 'kueue.x-k8s.io/queue-name',
  managed: 'kueue.x-k8s.io/managed',
  group: 'kueue.x-k8s.io/pod-group-name',
  groupTotal: 'kueue.x-k8s.io/pod-group-total-count',
  prebuilt: 'kueue.x-k8s.io/prebuilt-workload-name',
  admissionGatedBy: 'kueue.x-k8s.io/admission-gated-by',
} as const;

const FlavorOf = z
  .record(z.string(), z.string().nullish())
  .nullish()
  .transform((value) =>
    Object.fromEntries(Object.entries(value ?? {}).map(([resource, flavor]) => [resource, flavor ?? ''])),
  );

const PodSetAssignment = z.object({
  name: defaulted(z.string(), ''),
  /** Flavor by resource. */
  flavors: FlavorOf,
  /** Of all pods of the set. */
  resourceUsage: resourceList,
  count: maybe(count32),
});

const AdmissionCheck = z.object({
  name: defaulted(z.string(), ''),
  /** `Pending`, `Ready`, `Retry` or `Rejected`. */
  state: defaulted(z.string(), ''),
  message: defaulted(message, ''),
});

const WorkloadStatus = z.object({
  conditions: list(Condition),
  admission: maybe(
    z.object({ clusterQueue: defaulted(z.string(), ''), podSetAssignments: list(PodSetAssignment) }),
  ),
  admissionChecks: list(AdmissionCheck),
  /** What pods of a set need no longer, by the name of the set. */
  reclaimablePods: list(z.object({ name: defaulted(z.string(), ''), count: count32 })),
  /** What Kueue counts for a Workload without a reservation, its transformations included. */
  resourceRequests: list(z.object({ name: defaulted(z.string(), ''), resources: resourceList })),
});

/** What Kueue admits: one pod, a group of pods, or a job (`kueue.x-k8s.io/v1beta1` and `v1beta2`). */
export const QueuedWorkload = z.object({
  kind: z.literal('Workload').default('Workload'),
  metadata: ObjectMeta,
  spec: z.object({
    podSets: list(
      z.object({ name: defaulted(z.string(), ''), count: defaulted(count32, 1), template: PodTemplate }),
    ),
    queueName: defaulted(z.string(), ''),
    priority: defaulted(z.number(), 0),
    active: defaulted(z.boolean(), true),
    /** Kueue stops it then. */
    maximumExecutionTimeSeconds: maybe(z.number()),
  }),
  status: WorkloadStatus.nullish().transform(
    (value) =>
      value ?? {
        conditions: [],
        admission: undefined,
        admissionChecks: [],
        reclaimablePods: [],
        resourceRequests: [],
      },
  ),
});
export type QueuedWorkload = Immutable<z.output<typeof QueuedWorkload>>;

const conditions = z
  .object({ conditions: list(Condition) })
  .nullish()
  .transform((value) => value ?? { conditions: [] });

export const LocalQueue = z.object({
  kind: z.literal('LocalQueue').default('LocalQueue'),
  metadata: ObjectMeta,
  spec: z.object({ clusterQueue: defaulted(z.string(), ''), stopPolicy: defaulted(z.string(), 'None') }),
  status: conditions,
});
export type LocalQueue = Immutable<z.output<typeof LocalQueue>>;

const ResourceQuotaOfFlavor = z.object({
  name: z.string(),
  nominalQuota: defaulted(quantity, '0'),
  borrowingLimit: maybe(quantity),
  lendingLimit: maybe(quantity),
});

const ResourceGroup = z.object({
  coveredResources: list(z.string()),
  flavors: list(z.object({ name: z.string(), resources: list(ResourceQuotaOfFlavor) })),
});

const FlavorUsage = z.object({
  name: z.string(),
  resources: list(z.object({ name: z.string(), total: defaulted(quantity, '0') })),
});

const Preemption = z
  .object({
    withinClusterQueue: defaulted(z.string(), 'Never'),
    reclaimWithinCohort: defaulted(z.string(), 'Never'),
    borrowWithinCohort: maybe(z.object({ policy: defaulted(z.string(), 'Never') })),
  })
  .nullish()
  .transform(
    (value) =>
      value ?? { withinClusterQueue: 'Never', reclaimWithinCohort: 'Never', borrowWithinCohort: undefined },
  );

export const ClusterQueue = z.object({
  kind: z.literal('ClusterQueue').default('ClusterQueue'),
  metadata: ObjectMeta,
  spec: z
    .object({
      resourceGroups: list(ResourceGroup),
      /** Of v1beta2. */
      cohortName: maybe(z.string()),
      /** Of v1beta1. */
      cohort: maybe(z.string()),
      queueingStrategy: defaulted(z.string(), 'BestEffortFIFO'),
      /** Absent: no namespace. */
      namespaceSelector: maybe(LabelSelector),
      preemption: Preemption,
      stopPolicy: defaulted(z.string(), 'None'),
    })
    .transform(({ cohort, cohortName, ...rest }) => ({ ...rest, cohort: cohortName || cohort || undefined })),
  status: z
    .object({ conditions: list(Condition), flavorsReservation: list(FlavorUsage) })
    .nullish()
    .transform((value) => value ?? { conditions: [], flavorsReservation: [] }),
});
export type ClusterQueue = Immutable<z.output<typeof ClusterQueue>>;

/** Quota that ClusterQueues share, and its place in a tree of cohorts. */
export const Cohort = z.object({
  kind: z.literal('Cohort').default('Cohort'),
  metadata: ObjectMeta,
  spec: z
    .object({ parentName: maybe(z.string()), resourceGroups: list(ResourceGroup) })
    .nullish()
    .transform((value) => value ?? { parentName: undefined, resourceGroups: [] }),
});
export type Cohort = Immutable<z.output<typeof Cohort>>;

export const ResourceFlavor = z.object({
  kind: z.literal('ResourceFlavor').default('ResourceFlavor'),
  metadata: ObjectMeta,
  spec: z
    .object({
      nodeLabels: stringMap,
      nodeTaints: list(Taint),
      tolerations: list(Toleration),
      /** Kueue chooses the nodes of its pods by this Topology. */
      topologyName: maybe(z.string()),
    })
    .nullish()
    .transform(
      (value) => value ?? { nodeLabels: {}, nodeTaints: [], tolerations: [], topologyName: undefined },
    ),
});
export type ResourceFlavor = Immutable<z.output<typeof ResourceFlavor>>;

export const kueueKinds = ['Workload', 'LocalQueue', 'ClusterQueue', 'Cohort', 'ResourceFlavor'] as const;
