import * as z from 'zod';
import { Condition, ObjectMeta } from './metadata.js';
import { NodeSelector } from './pod-spec.js';
import type { Immutable } from './wire.js';
import { count64, defaulted, list, maybe, quantity, rawObject, resourceList, time } from './wire.js';

const DeviceTaint = z.object({
  key: z.string(),
  value: defaulted(z.string(), ''),
  effect: defaulted(z.string(), ''),
});
export type DeviceTaint = Immutable<z.output<typeof DeviceTaint>>;

const DeviceToleration = z.object({
  key: defaulted(z.string(), ''),
  operator: defaulted(z.string(), 'Equal'),
  value: defaulted(z.string(), ''),
  effect: defaulted(z.string(), ''),
});
export type DeviceToleration = Immutable<z.output<typeof DeviceToleration>>;

const requested = {
  tolerations: list(DeviceToleration),
  allocationMode: defaulted(z.string(), 'ExactCount'),
  count: defaulted(count64, 1),
  adminAccess: defaulted(z.boolean(), false),
  selectors: list(z.object({ cel: maybe(z.object({ expression: z.string() })) })),
  capacity: maybe(z.object({ requests: resourceList })),
  derivedAttributes: list(rawObject),
};

/**
 * `resource.k8s.io` in the shapes of v1, v1beta2 and v1beta1, which has no `exactly`; selectors are CEL and
 * stay text. `alternatives` are those of `firstAvailable`, the first of which is preferred; any other request
 * has one without a name.
 */
const DeviceRequest = z
  .object({
    name: defaulted(z.string(), ''),
    exactly: maybe(z.object({ deviceClassName: defaulted(z.string(), ''), ...requested })),
    firstAvailable: list(
      z.object({ name: defaulted(z.string(), ''), deviceClassName: defaulted(z.string(), ''), ...requested }),
    ),
    deviceClassName: maybe(z.string()),
    ...requested,
  })
  .transform(({ name, exactly, firstAvailable, deviceClassName, ...flat }) => {
    const only = exactly ?? (deviceClassName === undefined ? undefined : { deviceClassName, ...flat });
    return { name, alternatives: only === undefined ? firstAvailable : [{ name: '', ...only }] };
  });
export type RequestedDevices = Immutable<z.output<typeof DeviceRequest>>['alternatives'][number];

/** Devices of one claim that have an attribute in common, or that all differ in one. */
const DeviceConstraint = z.object({
  requests: list(z.string()),
  matchAttribute: maybe(z.string()),
  distinctAttribute: maybe(z.string()),
});
export type DeviceConstraint = Immutable<z.output<typeof DeviceConstraint>>;

const DeviceClaimSpec = z.object({ requests: list(DeviceRequest), constraints: list(DeviceConstraint) });

const noDevices: z.output<typeof DeviceClaimSpec> = { requests: [], constraints: [] };

const DeviceAllocation = z.object({
  allocationTimestamp: maybe(time),
  devices: maybe(
    z.object({
      results: list(
        z.object({
          request: defaulted(z.string(), ''),
          driver: z.string(),
          pool: z.string(),
          device: z.string(),
          adminAccess: defaulted(z.boolean(), false),
          /** Of a device that several claims may have. */
          shareID: maybe(z.string()),
          consumedCapacity: resourceList,
          bindingConditions: list(z.string()),
          bindingFailureConditions: list(z.string()),
        }),
      ),
    }),
  ),
  nodeSelector: maybe(NodeSelector),
});

export const ResourceClaim = z.object({
  kind: z.literal('ResourceClaim').default('ResourceClaim'),
  metadata: ObjectMeta,
  spec: z
    .object({ devices: defaulted(DeviceClaimSpec, noDevices) })
    .nullish()
    .transform((value) => value ?? { devices: noDevices }),
  status: z
    .object({
      allocation: maybe(DeviceAllocation),
      reservedFor: list(z.object({ resource: z.string(), name: z.string(), uid: defaulted(z.string(), '') })),
      /** What drivers report of the allocated devices. */
      devices: list(
        z.object({ driver: z.string(), pool: z.string(), device: z.string(), conditions: list(Condition) }),
      ),
    })
    .nullish()
    .transform((value) => value ?? { allocation: undefined, reservedFor: [], devices: [] }),
});
export type ResourceClaim = Immutable<z.output<typeof ResourceClaim>>;

export const ResourceClaimTemplate = z.object({
  kind: z.literal('ResourceClaimTemplate').default('ResourceClaimTemplate'),
  metadata: ObjectMeta,
  spec: z.object({
    spec: z
      .object({ devices: defaulted(DeviceClaimSpec, noDevices) })
      .nullish()
      .transform((value) => value ?? { devices: noDevices }),
  }),
});
export type ResourceClaimTemplate = Immutable<z.output<typeof ResourceClaimTemplate>>;

/** Amounts of a pool that partitions of one device share, by name. */
const counters = z
  .record(z.string(), z.object({ value: quantity }))
  .nullish()
  .transform((value): Record<string, { value: string }> => value ?? {});

const DeviceCapacity = z.object({
  value: quantity,
  /** What a claim consumes of it that asks for less, or for nothing. */
  requestPolicy: maybe(
    z.object({
      default: maybe(quantity),
      validValues: list(quantity),
      validRange: maybe(z.object({ min: maybe(quantity), max: maybe(quantity), step: maybe(quantity) })),
    }),
  ),
});
export type DeviceCapacity = Immutable<z.output<typeof DeviceCapacity>>;

const deviceFields = {
  attributes: maybe(rawObject),
  capacity: maybe(z.record(z.string(), DeviceCapacity)),
  taints: list(DeviceTaint),
  consumesCounters: list(
    z.object({ counterSet: z.string(), counters, compatibilityGroups: list(z.string()) }),
  ),
  nodeName: maybe(z.string()),
  nodeSelector: maybe(NodeSelector),
  allNodes: defaulted(z.boolean(), false),
  allowMultipleAllocations: defaulted(z.boolean(), false),
  bindingConditions: list(z.string()),
  nodeAllocatableResources: maybe(rawObject),
};

/** The devices of v1, and those of v1beta1, where all but the name is in `basic`. */
const Device = z
  .object({ name: z.string(), basic: maybe(z.object(deviceFields)), ...deviceFields })
  .transform(({ name, basic, ...flat }) => ({ name, ...(basic ?? flat) }));

export const ResourceSlice = z.object({
  kind: z.literal('ResourceSlice').default('ResourceSlice'),
  metadata: ObjectMeta,
  spec: z.object({
    driver: z.string(),
    nodeName: maybe(z.string()),
    allNodes: defaulted(z.boolean(), false),
    nodeSelector: maybe(NodeSelector),
    perDeviceNodeSelection: defaulted(z.boolean(), false),
    sharedCounters: list(z.object({ name: z.string(), counters })),
    skipNodeOperations: list(z.string()),
    pool: z.object({
      name: z.string(),
      generation: defaulted(z.number(), 0),
      resourceSliceCount: defaulted(z.number(), 1),
    }),
    devices: list(Device),
  }),
});
export type ResourceSlice = Immutable<z.output<typeof ResourceSlice>>;

/** Taints devices that it selects, as if their driver did; none without a selector (since 1.37.1). */
export const DeviceTaintRule = z.object({
  kind: z.literal('DeviceTaintRule').default('DeviceTaintRule'),
  metadata: ObjectMeta,
  spec: z.object({
    deviceSelector: maybe(
      z.object({ driver: maybe(z.string()), pool: maybe(z.string()), device: maybe(z.string()) }),
    ),
    taint: DeviceTaint,
  }),
});
export type DeviceTaintRule = Immutable<z.output<typeof DeviceTaintRule>>;

export const DeviceClass = z.object({
  kind: z.literal('DeviceClass').default('DeviceClass'),
  metadata: ObjectMeta,
  spec: z
    .object({
      selectors: list(z.object({ cel: maybe(z.object({ expression: z.string() })) })),
      extendedResourceName: maybe(z.string()),
    })
    .nullish()
    .transform((value) => value ?? { selectors: [], extendedResourceName: undefined }),
});
export type DeviceClass = Immutable<z.output<typeof DeviceClass>>;
