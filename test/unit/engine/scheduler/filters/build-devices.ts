import { type ClusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import {
  node,
  type PodShape,
  placementOf,
  pod,
  type SpecWire,
} from '../../../../support/placement-builders.js';

export const n1 = node('n1');
export const n2 = node('n2');
export const driver = 'gpu.example.com';
export const byDriver = `device.driver == "${driver}"`;

export const deviceClass = (expression: string | undefined = byDriver, more: object = {}) =>
  schemas.DeviceClass.parse({
    metadata: { name: 'gpu' },
    spec: { selectors: expression === '' ? [] : [{ cel: { expression } }], ...more },
  });

export const slice = (on: string, devices: number | readonly object[], more: object = {}) =>
  schemas.ResourceSlice.parse({
    metadata: { name: `slice-${on}` },
    spec: {
      driver,
      nodeName: on,
      pool: { name: on, generation: 1, resourceSliceCount: 1 },
      devices:
        typeof devices === 'number'
          ? Array.from({ length: devices }, (_, i) => ({ name: `d${i}` }))
          : devices,
      ...more,
    },
  });

interface ClaimShape {
  readonly exactly?: object;
  readonly devices?: readonly string[];
  readonly on?: string;
  readonly user?: string;
  readonly spec?: object;
}

/** A claim; with `devices` it has them, on node `on`, reserved for `user`. */
export const deviceClaim = (name: string, { exactly, devices, on = 'n1', user, spec }: ClaimShape = {}) =>
  schemas.ResourceClaim.parse({
    metadata: { name, namespace: 'shop', uid: `uid-${name}` },
    spec: {
      devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', ...exactly } }], ...spec },
    },
    status:
      devices === undefined
        ? {}
        : {
            allocation: {
              devices: { results: devices.map((device) => ({ request: 'r', driver, pool: on, device })) },
              nodeSelector: {
                nodeSelectorTerms: [
                  { matchFields: [{ key: 'metadata.name', operator: 'In', values: [on] }] },
                ],
              },
            },
            reservedFor: user === undefined ? [] : [{ resource: 'pods', name: user, uid: user }],
          },
  });

export const using = (resourceClaimName: string): PodShape => ({
  spec: { resourceClaims: [{ name: 'dev', resourceClaimName }] } as SpecWire,
});
/** One node and the class. */
export const base = { Node: [n1], DeviceClass: [deviceClass()] };

export function verdict(objects: Partial<ClusterObjects>, shape: PodShape = using('mine')) {
  return placementOf({ ...base, ...objects }).check(pod('new', shape), n1);
}
