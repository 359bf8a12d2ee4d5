import type {
  V1Container,
  V1DeviceClass,
  V1PodSpec,
  V1ResourceClaimTemplate,
  V1ResourceSlice,
} from '@kubernetes/client-node';

const driver = 'gpu.dra.example';
const apiVersion = 'resource.k8s.io/v1';

export const deviceClass: V1DeviceClass = {
  apiVersion,
  kind: 'DeviceClass',
  metadata: { name: driver },
  spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] },
};

/** One device on node `gpu-a`. */
export const deviceSlice: V1ResourceSlice = {
  apiVersion,
  kind: 'ResourceSlice',
  metadata: { name: 'gpu-a-devices' },
  spec: {
    driver,
    nodeName: 'gpu-a',
    pool: { name: 'gpu-a', generation: 1, resourceSliceCount: 1 },
    devices: [{ name: 'gpu-0' }],
  },
};

export const deviceClaimTemplate = (namespace: string): V1ResourceClaimTemplate => ({
  apiVersion,
  kind: 'ResourceClaimTemplate',
  metadata: { namespace, name: 'one-gpu' },
  spec: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: driver } }] } } },
});

/** The container and pod fields of a workload whose every pod claims one device. */
export const withOneDevice: {
  readonly container: Partial<V1Container>;
  readonly pod: Partial<V1PodSpec>;
} = {
  container: { resources: { claims: [{ name: 'gpu' }] } },
  pod: { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }] },
};
