import { z } from 'zod';
import { Condition, ObjectMeta } from './metadata.js';
import { defaulted, type Immutable, list, maybe, resourceList, time } from './wire.js';

export const Taint = z.object({
  key: z.string(),
  value: defaulted(z.string(), ''),
  effect: z.string(),
  timeAdded: maybe(time),
});
export type Taint = Immutable<z.output<typeof Taint>>;

export const NodeSystemInfo = z.object({
  bootID: defaulted(z.string(), ''),
  kernelVersion: defaulted(z.string(), ''),
  osImage: defaulted(z.string(), ''),
  containerRuntimeVersion: defaulted(z.string(), ''),
  kubeletVersion: defaulted(z.string(), ''),
  operatingSystem: defaulted(z.string(), ''),
  architecture: defaulted(z.string(), ''),
});

export const NodeStatus = z.object({
  capacity: resourceList,
  allocatable: resourceList,
  conditions: list(Condition),
  nodeInfo: NodeSystemInfo.nullish().transform((value) => value ?? NodeSystemInfo.parse({})),
  declaredFeatures: list(z.string()),
});

export const Node = z.object({
  kind: z.literal('Node').default('Node'),
  metadata: ObjectMeta,
  spec: z
    .object({
      unschedulable: defaulted(z.boolean(), false),
      taints: list(Taint),
      providerID: maybe(z.string()),
    })
    .nullish()
    .transform((value) => value ?? { unschedulable: false, taints: [], providerID: undefined }),
  status: NodeStatus.nullish().transform((value) => value ?? NodeStatus.parse({})),
});
export type Node = Immutable<z.output<typeof Node>>;
