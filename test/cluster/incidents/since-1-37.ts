import type { V1Pod, V1ResourceSlice } from '@kubernetes/client-node';
import type { Control } from '../controls/control.js';
import { control, web } from '../controls/neighbourhood.js';
import { beginRollout, completeRollout } from '../controls/workloads.js';
import type { Cluster } from '../harness/cluster.js';
import { deviceClaimTemplate, deviceClass, deviceSlice, withOneDevice } from './device-manifests.js';
import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';
import { claimedDisk, csiNodeManifest, driver } from './storage-manifests.js';

/** What releases before 1.37 do not serve, drop, or count otherwise. */
const notOnVersions = ['1.34', '1.35', '1.36'];

/** One device on node `gpu-b`, too. */
const secondSlice: V1ResourceSlice = {
  ...deviceSlice,
  metadata: { name: 'gpu-b-devices' },
  spec: {
    ...deviceSlice.spec,
    nodeName: 'gpu-b',
    pool: { ...deviceSlice.spec.pool, name: 'gpu-b' },
  },
};

async function serveDevices(cluster: Cluster, namespace: string, tolerations: readonly object[]) {
  await cluster.create(deviceClass);
  await cluster.create(deviceSlice);
  await cluster.create({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceTaintRule',
    metadata: { name: 'bad-gpu' },
    spec: {
      deviceSelector: { driver: deviceSlice.spec.driver, pool: 'gpu-b' },
      taint: { key: 'broken', effect: 'NoSchedule' },
    },
  } as object);
  const template = deviceClaimTemplate(namespace);
  const [request] = template.spec.spec.devices?.requests ?? [];
  await cluster.create({
    ...template,
    spec: {
      spec: {
        devices: { requests: [{ name: 'gpu', exactly: { ...request?.exactly, tolerations } }] },
      },
    },
  } as object);
}

const deviceMessages = ['2 cannot allocate all claims'];

const taintedDevice: Incident = {
  id: 'device-tainted-by-rule',
  title: 'the old pod has one device, and a DeviceTaintRule taints the other one',
  notOnVersions,
  known: {
    cause: 'surge-deadlock',
    resource: 'deviceClaim',
    nodes: ['gpu-a'],
    messages: deviceMessages,
    freedByStrategy: true,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('tainted-device');
    await cluster.createNodes({ name: 'gpu-a' }, { name: 'gpu-b' });
    await serveDevices(cluster, namespace, []);
    const holders = await rollOut(cluster, { namespace, name: 'inference', ...withOneDevice });
    await cluster.create(secondSlice);
    await update(cluster, namespace, 'inference');
    const stuck = await untilUnschedulable(cluster, namespace, 'inference', holders, deviceMessages);
    return { workload: deployment(namespace, 'inference'), holders, ...stuck };
  },
};

/** `isRequired`: the driver asks that no pod goes to a node that it does not serve. */
async function serveDisk(cluster: Cluster, isRequired: boolean): Promise<void> {
  await cluster.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: driver },
    spec: { attachRequired: false, preventPodSchedulingIfMissing: isRequired },
  } as object);
  await cluster.create(csiNodeManifest('disk-a', 10));
}

const diskNodes = [
  { name: 'disk-a', allocatable: { cpu: '1' } },
  { name: 'other-a', allocatable: { cpu: '1' } },
];
const driverMessages = ['1 Insufficient cpu', `1 ${driver} CSI driver is not installed on the node`];

const missingDriver: Incident = {
  id: 'csi-driver-missing-on-the-free-node',
  title: 'the old pod has the CPU of one node, and the CSI driver of its disk does not serve the other one',
  notOnVersions,
  known: {
    cause: 'surge-deadlock',
    resource: 'cpu',
    nodes: ['disk-a'],
    messages: driverMessages,
    freedByStrategy: true,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('missing-driver');
    await cluster.createNodes(...diskNodes);
    await serveDisk(cluster, true);
    const pod = await claimedDisk(cluster, namespace, 'ReadWriteMany');
    const holders = await rollOut(cluster, { namespace, name: 'web', requests: { cpu: '1' }, pod });
    await update(cluster, namespace, 'web');
    const stuck = await untilUnschedulable(cluster, namespace, 'web', holders, driverMessages);
    return { workload: deployment(namespace, 'web'), holders, ...stuck };
  },
};

export const incidentsSince137: readonly Incident[] = [taintedDevice, missingDriver];

/** One CPU moves from container b to a, as a kubelet reports it that has lowered b and not yet raised a. */
async function runResizedPod(cluster: Cluster, namespace: string): Promise<void> {
  const part = (name: string, cpu: string) => ({
    name,
    image: 'registry.example/app:1',
    resources: { requests: { cpu } },
  });
  await rollOut(cluster, {
    namespace,
    name: 'cache',
    pod: { containers: [part('a', '2'), part('b', '1')] },
  });
  const pod = await cluster.until<V1Pod, V1Pod>({
    what: 'the pod of cache',
    selection: { kind: 'Pod', namespace, labels: { app: 'cache' } },
    check: ([first]) => first,
  });
  const had = (name: string, cpu: string) => ({
    ...pod.status?.containerStatuses?.find((each) => each.name === name),
    name,
    allocatedResources: { cpu },
    resources: { requests: { cpu } },
  });
  await cluster.patchPodStatus(namespace, pod.metadata?.name ?? '', {
    containerStatuses: [had('a', '1'), had('b', '2')],
  });
}

/** Rollouts that go on only since 1.37, or that resemble one of its refusals. */
export const controlsSince137: readonly Control[] = [
  control(
    {
      id: 'tainted-device-is-tolerated',
      title: 'a DeviceTaintRule taints the second device, and the claim tolerates it',
      resembles: 'surge-deadlock',
    },
    [{ name: 'gpu-a' }, { name: 'gpu-b' }],
    async (cluster, namespace) => {
      await serveDevices(cluster, namespace, [{ key: 'broken', operator: 'Exists' }]);
      await rollOut(cluster, { namespace, name: 'web', ...withOneDevice });
      await cluster.create(secondSlice);
      await beginRollout(cluster, web(namespace));
    },
  ),
  control(
    {
      id: 'csi-driver-does-not-ask',
      title: 'the CSI driver does not serve the free node, and does not keep pods off it',
      resembles: 'surge-deadlock',
    },
    diskNodes,
    async (cluster, namespace) => {
      await serveDisk(cluster, false);
      const pod = await claimedDisk(cluster, namespace, 'ReadWriteMany');
      await rollOut(cluster, { namespace, name: 'web', requests: { cpu: '1' }, pod });
      await completeRollout(cluster, web(namespace));
    },
  ),
  control(
    {
      id: 'resize-that-counts-once',
      title: 'beside a pod in which a CPU moves between containers, there is room for the surge pod',
      resembles: 'surge-deadlock',
    },
    [{ name: 'n-a', allocatable: { cpu: '5' } }],
    async (cluster, namespace) => {
      await runResizedPod(cluster, namespace);
      await rollOut(cluster, { namespace, name: 'web', requests: { cpu: '1' } });
      await beginRollout(cluster, web(namespace));
    },
  ),
];
