import * as z from 'zod';
import { autoscalerStatusMap, parseAutoscalerStatus } from './autoscaler-status.js';
import { LabelSelector } from './label-selector.js';
import { Condition, ObjectMeta } from './metadata.js';
import { Taint } from './node.js';
import { NodeSelectorRequirement } from './pod-spec.js';
import {
  count32,
  defaulted,
  type Immutable,
  intOrString,
  list,
  maybe,
  message,
  resourceList,
  stringMap,
  time,
} from './wire.js';

export const PodDisruptionBudget = z.object({
  kind: z.literal('PodDisruptionBudget').default('PodDisruptionBudget'),
  metadata: ObjectMeta,
  spec: z
    .object({
      selector: maybe(LabelSelector),
      minAvailable: maybe(intOrString),
      maxUnavailable: maybe(intOrString),
      /** `IfHealthyBudget` or `AlwaysAllow`; absent is the former. */
      unhealthyPodEvictionPolicy: maybe(z.string()),
    })
    .nullish()
    .transform(
      (value) =>
        value ?? {
          selector: undefined,
          minAvailable: undefined,
          maxUnavailable: undefined,
          unhealthyPodEvictionPolicy: undefined,
        },
    ),
  status: z
    .object({
      disruptionsAllowed: defaulted(z.number(), 0),
      currentHealthy: defaulted(z.number(), 0),
      desiredHealthy: defaulted(z.number(), 0),
    })
    .nullish()
    .transform((value) => value ?? { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0 }),
});
export type PodDisruptionBudget = Immutable<z.output<typeof PodDisruptionBudget>>;

const ScalingRules = z.object({ selectPolicy: maybe(z.string()) });

export const HorizontalPodAutoscaler = z.object({
  kind: z.literal('HorizontalPodAutoscaler').default('HorizontalPodAutoscaler'),
  metadata: ObjectMeta,
  spec: z.object({
    scaleTargetRef: z.object({ kind: z.string(), name: z.string() }),
    minReplicas: maybe(z.number()),
    maxReplicas: defaulted(z.number(), 1),
    /** `selectPolicy: Disabled` keeps it from changing the replicas in that direction. */
    behavior: maybe(z.object({ scaleDown: maybe(ScalingRules), scaleUp: maybe(ScalingRules) })),
    metrics: list(z.object({ external: maybe(z.object({ metric: z.object({ name: z.string() }) })) })),
  }),
});
export type HorizontalPodAutoscaler = Immutable<z.output<typeof HorizontalPodAutoscaler>>;

/** `autoscaling.k8s.io/v1`. */
export const VerticalPodAutoscaler = z.object({
  kind: z.literal('VerticalPodAutoscaler').default('VerticalPodAutoscaler'),
  metadata: ObjectMeta,
  spec: z
    .object({
      targetRef: maybe(z.object({ kind: z.string(), name: z.string() })),
      updatePolicy: maybe(z.object({ updateMode: maybe(z.string()) })),
    })
    .nullish()
    .transform((value) => value ?? { targetRef: undefined, updatePolicy: undefined }),
});
export type VerticalPodAutoscaler = Immutable<z.output<typeof VerticalPodAutoscaler>>;

const LeaseSpec = z.object({
  holderIdentity: maybe(z.string()),
  leaseDurationSeconds: maybe(z.number()),
  acquireTime: maybe(time),
  renewTime: maybe(time),
});

export const Lease = z.object({
  kind: z.literal('Lease').default('Lease'),
  metadata: ObjectMeta,
  spec: LeaseSpec.nullish().transform(
    (value) =>
      value ?? {
        holderIdentity: undefined,
        leaseDurationSeconds: undefined,
        acquireTime: undefined,
        renewTime: undefined,
      },
  ),
});
export type Lease = Immutable<z.output<typeof Lease>>;

export const Namespace = z.object({
  kind: z.literal('Namespace').default('Namespace'),
  metadata: ObjectMeta,
  status: z
    .object({ conditions: list(Condition) })
    .nullish()
    .transform((value) => value ?? { conditions: [] }),
});
export type Namespace = Immutable<z.output<typeof Namespace>>;

/** The record of an election (client-go `resourcelock.LeaderElectionRecordAnnotationKey`). */
export const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';

/**
 * `kubectl apply` keeps a copy of the data in an annotation, so that annotations are left out like the data.
 */
const metadataOfData = ObjectMeta.extend({
  annotations: z
    .object({ [leaderAnnotation]: message })
    .optional()
    .catch(undefined)
    .transform((value): Record<string, string> => value ?? {}),
});

/** The holder of a lock that is no Lease; `undefined` for anything else. */
function parseLeader(record: string | undefined): z.output<typeof LeaseSpec> | undefined {
  if (record === undefined) return undefined;
  try {
    return LeaseSpec.safeParse(JSON.parse(record)).data;
  } catch {
    return undefined;
  }
}

/** The same with the record of its election, where it has one. */
function withLeader<Kept extends { readonly metadata: z.output<typeof metadataOfData> }>(
  kept: Kept,
): Kept & { readonly leader?: z.output<typeof LeaseSpec> } {
  const leader = parseLeader(kept.metadata.annotations[leaderAnnotation]);
  return leader === undefined ? kept : { ...kept, leader };
}

/** The kind by its name, or as an answer of the metadata alone calls it. */
const kindOrPartial = <Kind extends string>(kind: Kind) =>
  z
    .union([z.literal(kind), z.literal('PartialObjectMetadata')])
    .optional()
    .transform((): Kind => kind);

/** Only the status of cluster-autoscaler is kept of any data. */
const statusOnly = z.object({ status: z.string().optional() }).nullish().catch(undefined);

/** What is kept of a ConfigMap: its metadata, which says when its data was written, and who leads by it. */
export const ConfigMap = z
  .object({ kind: kindOrPartial('ConfigMap'), metadata: metadataOfData, data: statusOnly })
  .transform(({ data, ...rest }) => {
    const { namespace, name } = rest.metadata;
    const isStatus = namespace === autoscalerStatusMap.namespace && name === autoscalerStatusMap.name;
    const autoscaler = isStatus ? parseAutoscalerStatus(data?.status ?? '') : undefined;
    return { ...withLeader(rest), ...(autoscaler === undefined ? {} : { autoscaler }) };
  });

/**
 * What is kept of Endpoints: its metadata, and who leads by it. Older clients record a leader there
 * (client-go `resourcelock.EndpointsResourceLock`, until 0.23).
 */
export const Endpoints = z
  .object({ kind: kindOrPartial('Endpoints'), metadata: metadataOfData })
  .transform((each) => withLeader(each));

/** What is kept of a Secret: the same. */
export const Secret = z.object({ kind: kindOrPartial('Secret'), metadata: metadataOfData });

/** Karpenter's request for a node. */
export const NodeClaim = z.object({
  kind: z.literal('NodeClaim').default('NodeClaim'),
  metadata: ObjectMeta,
  spec: z
    .object({
      /** A Go duration, or `Never`. */
      expireAfter: maybe(z.string()),
      terminationGracePeriod: maybe(z.string()),
    })
    .nullish()
    .transform((value) => value ?? { expireAfter: undefined, terminationGracePeriod: undefined }),
  status: z
    .object({ nodeName: maybe(z.string()), conditions: list(Condition) })
    .nullish()
    .transform((value) => value ?? { nodeName: undefined, conditions: [] }),
});
export type NodeClaim = Immutable<z.output<typeof NodeClaim>>;

const Template = z.object({
  metadata: z
    .object({ labels: stringMap })
    .nullish()
    .transform((value) => value ?? { labels: {} }),
  spec: z.object({ requirements: list(NodeSelectorRequirement), taints: list(Taint) }),
});

/** Karpenter's limits for a kind of node, and what its nodes have of them already (`karpenter.sh/v1`). */
export const NodePool = z.object({
  kind: z.literal('NodePool').default('NodePool'),
  metadata: ObjectMeta,
  spec: z.object({
    template: Template,
    /** By resource, also `nodes`; empty: no limit. */
    limits: resourceList,
    /** A static pool has so many nodes, whatever the pods need. */
    replicas: maybe(count32),
  }),
  status: z
    .object({ resources: resourceList, conditions: list(Condition) })
    .nullish()
    .transform((value) => value ?? { resources: {}, conditions: [] }),
});
export type NodePool = Immutable<z.output<typeof NodePool>>;

export const ResourceQuota = z.object({
  kind: z.literal('ResourceQuota').default('ResourceQuota'),
  metadata: ObjectMeta,
  spec: z
    .object({
      hard: resourceList,
      scopes: list(z.string()),
      scopeSelector: maybe(
        z.object({
          matchExpressions: list(
            z.object({ scopeName: z.string(), operator: z.string(), values: list(z.string()) }),
          ),
        }),
      ),
    })
    .nullish()
    .transform((value) => value ?? { hard: {}, scopes: [], scopeSelector: undefined }),
  status: z
    .object({ hard: resourceList, used: resourceList })
    .nullish()
    .transform((value) => value ?? { hard: {}, used: {} }),
});
export type ResourceQuota = Immutable<z.output<typeof ResourceQuota>>;

/** Defaults and bounds that admission applies to new pods. */
export const LimitRange = z.object({
  kind: z.literal('LimitRange').default('LimitRange'),
  metadata: ObjectMeta,
  spec: z.object({
    limits: list(
      z.object({
        type: z.string(),
        max: resourceList,
        min: resourceList,
        default: resourceList,
        defaultRequest: resourceList,
        maxLimitRequestRatio: resourceList,
      }),
    ),
  }),
});
export type LimitRange = Immutable<z.output<typeof LimitRange>>;

export const PriorityClass = z.object({
  kind: z.literal('PriorityClass').default('PriorityClass'),
  metadata: ObjectMeta,
  value: defaulted(z.number(), 0),
  globalDefault: defaulted(z.boolean(), false),
  preemptionPolicy: maybe(z.string()),
});
export type PriorityClass = Immutable<z.output<typeof PriorityClass>>;
