import * as z from 'zod';
import { Condition, ManagedFieldsEntry, ObjectMeta } from './metadata.js';
import { defaulted, type Immutable, list, maybe, resourceList, stringMap, time } from './wire.js';

export const Taint = z.object({
  key: z.string(),
  value: defaulted(z.string(), ''),
  effect: z.string(),
  timeAdded: maybe(time),
});
export type Taint = Immutable<z.output<typeof Taint>>;

const NodeSystemInfo = z.object({
  kernelVersion: defaulted(z.string(), ''),
  osImage: defaulted(z.string(), ''),
  containerRuntimeVersion: defaulted(z.string(), ''),
  kubeletVersion: defaulted(z.string(), ''),
  operatingSystem: defaulted(z.string(), ''),
  architecture: defaulted(z.string(), ''),
});

/** Every kubelet writes a heartbeat of its own into each condition, and no rule reads it. */
const NodeCondition = Condition.extend({
  lastHeartbeatTime: z
    .unknown()
    .optional()
    .transform((): string | undefined => undefined),
});

const NodeStatus = z.object({
  capacity: resourceList,
  allocatable: resourceList,
  conditions: list(NodeCondition),
  nodeInfo: NodeSystemInfo.nullish().transform((value) => value ?? NodeSystemInfo.parse({})),
  declaredFeatures: list(z.string()),
});

/** Only these annotations of a node are kept: cluster-autoscaler `core/scaledown/eligibility`. */
export const clusterAutoscalerAnnotations = 'cluster-autoscaler.kubernetes.io/';

/**
 * There are thousands of nodes, so little is kept of each. Of who wrote which of its fields, which is much
 * text, only who cordoned it is ever asked.
 */
const NodeMeta = ObjectMeta.omit({ finalizers: true, generation: true }).extend({
  annotations: stringMap.transform((all) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => key.startsWith(clusterAutoscalerAnnotations))),
  ),
  managedFields: z
    .unknown()
    .optional()
    .transform((entries) => (Array.isArray(entries) ? entries.filter(tellsOfCordon) : entries))
    .pipe(list(ManagedFieldsEntry)),
});

function tellsOfCordon(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'fieldsV1' in entry && ownsCordon(entry.fieldsV1);
}

/** True for the fields of the writer that cordoned the node (`fieldsV1` of a managedFields entry). */
export function ownsCordon(fieldsV1: unknown): boolean {
  if (typeof fieldsV1 !== 'object' || fieldsV1 === null || !('f:spec' in fieldsV1)) return false;
  const owned = fieldsV1['f:spec'];
  return typeof owned === 'object' && owned !== null && 'f:unschedulable' in owned;
}

export const Node = z.object({
  kind: z.literal('Node').default('Node'),
  metadata: NodeMeta,
  spec: z
    .object({ unschedulable: defaulted(z.boolean(), false), taints: list(Taint) })
    .nullish()
    .transform((value) => value ?? { unschedulable: false, taints: [] }),
  status: NodeStatus.nullish().transform((value) => value ?? NodeStatus.parse({})),
});
export type Node = Immutable<z.output<typeof Node>>;
