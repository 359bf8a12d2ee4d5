import type { V1Pod, V1ResourceSlice } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deviceClaimTemplate, deviceClass, deviceSlice, withOneDevice } from './device-manifests.js';
import { deadlocks, deployment, type Happened, type Incident } from './incident.js';
import { rollOut, update } from './rolling.js';
import { claimManifest, driver } from './storage-manifests.js';

/** The scheduler has chosen a node for the new pod, and waits before it binds the pod. */
async function untilNominated(cluster: Cluster, namespace: string): Promise<Happened> {
  const blocked = await cluster.until<V1Pod, string>({
    what: 'a pod that has a nominated node and no node',
    selection: { kind: 'Pod', namespace },
    check: (pods) =>
      pods.find(({ spec, status }) => spec?.nodeName === undefined && status?.nominatedNodeName !== undefined)
        ?.metadata?.name,
  });
  return { workload: deployment(namespace, 'web'), holders: [], blocked: [blocked], messages: [] };
}

/** No program provisions volumes of the class. */
async function waitForVolume(cluster: Cluster): Promise<Happened> {
  const namespace = await cluster.createNamespace('binding-volume');
  await cluster.createNodes({ name: 'n-a' }, { name: 'n-b' });
  await cluster.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'later' },
    ...{ provisioner: driver, volumeBindingMode: 'WaitForFirstConsumer' },
  });
  const claim = { namespace, name: 'cache', accessMode: 'ReadWriteOnce', storageClassName: 'later' } as const;
  await cluster.create(claimManifest(claim));
  await rollOut(cluster, { namespace, name: 'web' });
  await update(cluster, namespace, 'web', {
    volumes: [{ name: 'cache', persistentVolumeClaim: { claimName: 'cache' } }],
  });
  return untilNominated(cluster, namespace);
}

/** The driver attaches a device to the node on demand, and reports it by a condition. */
const attachedOnDemand: V1ResourceSlice = {
  ...deviceSlice,
  spec: {
    ...deviceSlice.spec,
    devices: ['gpu-0', 'gpu-1'].map((name) => ({
      name,
      bindsToNode: true,
      bindingConditions: ['dra.example/attached'],
      bindingFailureConditions: ['dra.example/failed'],
    })),
  },
};

/** The driver does not report that the device is attached. */
async function waitForDevice(cluster: Cluster): Promise<Happened> {
  const namespace = await cluster.createNamespace('binding-device');
  await cluster.createNodes({ name: 'gpu-a' });
  await cluster.create(deviceClass);
  await cluster.create(attachedOnDemand);
  await cluster.create(deviceClaimTemplate(namespace));
  await rollOut(cluster, { namespace, name: 'web' });
  await cluster.patch(
    { kind: 'Deployment', namespace, name: 'web' },
    {
      spec: {
        template: {
          spec: { ...withOneDevice.pod, containers: [{ name: 'app', ...withOneDevice.container }] },
        },
      },
    },
  );
  return untilNominated(cluster, namespace);
}

/** Before 1.36 the scheduler does not wait for devices. */
const notOnVersions = ['1.34', '1.35'];
const never = [...deadlocks, 'preempted', 'insufficient-capacity', 'scheduler-refusal'] as const;
const noFinding = { cause: undefined, never, messages: [] } as const;

/** They differ in the time since the choice, so the same state is recorded twice. */
export const stalledBindings: readonly Incident[] = [
  {
    id: 'binding-waits-for-a-silent-provisioner',
    title: 'the scheduler chose a node eight minutes ago, and no provisioner makes the volume of the claim',
    known: { cause: 'volume-unbound', never, messages: [], stuckAfterSeconds: 480 },
    reproduce: waitForVolume,
  },
  {
    id: 'healthy-volume-made-for-the-chosen-node',
    title: 'the scheduler chose a node a minute ago, and the volume of the claim is being made',
    known: { ...noFinding, stuckAfterSeconds: 60 },
    reproduce: waitForVolume,
  },
  {
    id: 'binding-waits-for-a-silent-device-driver',
    title:
      'the scheduler chose a node eight minutes ago, and the driver does not report the device as attached',
    known: { cause: 'control-plane-not-acting', never, messages: [], stuckAfterSeconds: 480 },
    notOnVersions,
    reproduce: waitForDevice,
  },
  {
    id: 'healthy-device-attached-to-the-chosen-node',
    title: 'the scheduler chose a node two minutes ago, and a device is being attached to it',
    known: { ...noFinding, stuckAfterSeconds: 120 },
    notOnVersions,
    reproduce: waitForDevice,
  },
];
