import * as z from 'zod';
import { Condition, ObjectMeta } from './metadata.js';
import { Taint } from './node.js';
import { NodeSelectorRequirement } from './pod-spec.js';
import { count32, type Immutable, list, maybe, resourceList, stringMap } from './wire.js';

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
