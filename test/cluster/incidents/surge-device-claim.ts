import type { V1DeviceClass, V1ResourceClaimTemplate, V1ResourceSlice } from '@kubernetes/client-node';
import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

const messages = ['cannot allocate all claims'];
const driver = 'gpu.dra.example';
const apiVersion = 'resource.k8s.io/v1';

const deviceClass: V1DeviceClass = {
  apiVersion,
  kind: 'DeviceClass',
  metadata: { name: driver },
  spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] },
};

const slice: V1ResourceSlice = {
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

const claimTemplate = (namespace: string): V1ResourceClaimTemplate => ({
  apiVersion,
  kind: 'ResourceClaimTemplate',
  metadata: { namespace, name: 'one-gpu' },
  spec: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: driver } }] } } },
});

export const surgeDeviceClaim: Incident = {
  id: 'surge-device-claim',
  title: 'the only device is allocated to the claim of the old pod',
  known: {
    cause: 'surge-deadlock',
    resource: 'deviceClaim',
    nodes: ['gpu-a'],
    messages,
    freedByStrategy: true,
  },
  bringAbout: async (cluster) => {
    const namespace = await cluster.createNamespace('surge-dra');
    await cluster.createNodes({ name: 'gpu-a' }, { name: 'cpu-a' });
    await cluster.create(deviceClass);
    await cluster.create(slice);
    await cluster.create(claimTemplate(namespace));
    const holders = await rollOut(cluster, {
      namespace,
      name: 'inference',
      container: { resources: { claims: [{ name: 'gpu' }] } },
      pod: { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }] },
    });
    await update(cluster, namespace, 'inference');
    const stuck = await untilUnschedulable(cluster, namespace, 'inference', holders, messages);
    return { workload: deployment(namespace, 'inference'), holders, ...stuck };
  },
};
