import * as z from 'zod';
import { ObjectMeta } from './metadata.js';
import { NodeSelector } from './pod-spec.js';
import { count64, defaulted, type Immutable, list, maybe, rawObject } from './wire.js';

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

const exactRequest = {
  tolerations: list(DeviceToleration),
  allocationMode: defaulted(z.string(), 'ExactCount'),
  count: defaulted(count64, 1),
  adminAccess: defaulted(z.boolean(), false),
  selectors: list(z.object({ cel: maybe(z.object({ expression: z.string() })) })),
};

/**
 * `resource.k8s.io` in the shapes of v1, v1beta2 and v1beta1, which has no `exactly`; selectors are CEL and
 * stay text.
 */
const DeviceRequest = z
  .object({
    name: defaulted(z.string(), ''),
    exactly: maybe(z.object({ deviceClassName: defaulted(z.string(), ''), ...exactRequest })),
    firstAvailable: list(rawObject),
    deviceClassName: maybe(z.string()),
    ...exactRequest,
  })
  .transform(({ name, exactly, firstAvailable, deviceClassName, ...flat }) => ({
    name,
    exactly: exactly ?? (deviceClassName === undefined ? undefined : { deviceClassName, ...flat }),
    alternatives: firstAvailable.length,
  }));

const DeviceClaimSpec = z.object({ requests: list(DeviceRequest), constraints: list(rawObject) });

const noDevices: z.output<typeof DeviceClaimSpec> = { requests: [], constraints: [] };

const DeviceAllocation = z.object({
  devices: maybe(
    z.object({
      results: list(
        z.object({
          request: defaulted(z.string(), ''),
          driver: z.string(),
          pool: z.string(),
          device: z.string(),
          adminAccess: defaulted(z.boolean(), false),
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
    })
    .nullish()
    .transform((value) => value ?? { allocation: undefined, reservedFor: [] }),
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

export const ResourceSlice = z.object({
  kind: z.literal('ResourceSlice').default('ResourceSlice'),
  metadata: ObjectMeta,
  spec: z.object({
    driver: z.string(),
    nodeName: maybe(z.string()),
    allNodes: defaulted(z.boolean(), false),
    nodeSelector: maybe(NodeSelector),
    perDeviceNodeSelection: defaulted(z.boolean(), false),
    sharedCounters: list(rawObject),
    pool: z.object({
      name: z.string(),
      generation: defaulted(z.number(), 0),
      resourceSliceCount: defaulted(z.number(), 1),
    }),
    devices: list(
      z.object({
        name: z.string(),
        attributes: maybe(rawObject),
        capacity: maybe(rawObject),
        basic: maybe(rawObject),
        taints: list(DeviceTaint),
        consumesCounters: list(rawObject),
        allowMultipleAllocations: defaulted(z.boolean(), false),
        bindingConditions: list(z.string()),
      }),
    ),
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
