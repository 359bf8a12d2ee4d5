import { deviceClaimTemplate, deviceClass, deviceSlice, withOneDevice } from './device-manifests.js';
import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';

const messages = ['cannot allocate all claims'];
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
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('surge-dra');
    await cluster.createNodes({ name: 'gpu-a' }, { name: 'cpu-a' });
    await cluster.create(deviceClass);
    await cluster.create(deviceSlice);
    await cluster.create(deviceClaimTemplate(namespace));
    const holders = await rollOut(cluster, {
      namespace,
      name: 'inference',
      ...withOneDevice,
    });
    await update(cluster, namespace, 'inference');
    const stuck = await untilUnschedulable(cluster, namespace, 'inference', holders, messages);
    return { workload: deployment(namespace, 'inference'), holders, ...stuck };
  },
};
