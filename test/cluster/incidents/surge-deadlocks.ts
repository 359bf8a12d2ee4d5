import type { V1StorageClass } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import type { DeploymentOptions } from './deployment-manifest.js';
import { deviceClaimTemplate, deviceClass, deviceSlice, withOneDevice } from './device-manifests.js';
import { deployment, type Incident, type Known } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';
import { claimManifest, csiNodeManifest, driver, volumeManifest } from './storage-manifests.js';

interface Surging {
  readonly resource: string;
  /** Nodes whose pods must be told. */
  readonly on?: readonly string[];
  readonly messages: readonly string[];
  readonly nodes: readonly NodeOptions[];
  readonly workload: Omit<DeploymentOptions, 'namespace'>;
  /** What exists before the workload. */
  readonly before?: (cluster: Cluster, namespace: string) => Promise<unknown>;
  readonly known?: Partial<Known>;
}

/** A Deployment is rolled out and updated, and its own old pods hold what the surge pod needs. */
const surging = (
  id: string,
  title: string,
  { resource, on, messages, nodes, workload, before, known }: Surging,
): Incident => ({
  id,
  title,
  known: {
    ...{ cause: 'surge-deadlock', resource, messages, freedByStrategy: true },
    ...(on === undefined ? {} : { nodes: on }),
    ...known,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace(id);
    await cluster.createNodes(...nodes);
    await before?.(cluster, namespace);
    const { name } = workload;
    const holders = await rollOut(cluster, { ...workload, namespace });
    await update(cluster, namespace, name);
    const stuck = await untilUnschedulable(cluster, namespace, name, holders, messages);
    return { workload: deployment(namespace, name), holders, ...stuck };
  },
});

export const surgeExtendedResource = surging(
  'surge-extended-resource',
  'the only GPU is held by the pod that the new one replaces',
  {
    resource: 'nvidia.com/gpu',
    on: ['gpu-a'],
    messages: ['2 Insufficient nvidia.com/gpu', '1 No preemption victims found for incoming pod'],
    nodes: [{ name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '1' } }, { name: 'cpu-a' }],
    workload: { name: 'inference', requests: { 'nvidia.com/gpu': '1' } },
  },
);

const pool = { pool: 'data' };
const elsewhere = "1 node(s) didn't match Pod's node affinity/selector";

/** The workload may run on one labelled node only, and that node has room for one of its pods. */
const inPool = (
  resource: 'cpu' | 'memory' | 'ephemeral-storage' | 'pods',
  title: string,
  amount: string,
  request?: string,
): Incident =>
  surging(`surge-${resource}`, title, {
    resource,
    on: ['pool-a'],
    messages: [`1 ${resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`}`, elsewhere],
    nodes: [{ name: 'pool-a', labels: pool, allocatable: { [resource]: amount } }, { name: 'other-a' }],
    workload: {
      name: 'cache',
      requests: request === undefined ? {} : { [resource]: request },
      pod: { nodeSelector: pool },
    },
  });

export const surgeCpu = inPool(
  'cpu',
  'two pods of 2500m do not fit on the four cores of the only node in the pool',
  '4',
  '2500m',
);
export const surgeMemory = inPool(
  'memory',
  'two pods of 5Gi do not fit in the 8Gi of the only node in the pool',
  '8Gi',
  '5Gi',
);
export const surgeEphemeralStorage = inPool(
  'ephemeral-storage',
  'two pods of 60Gi scratch space do not fit on the 100Gi disk of the only node in the pool',
  '100Gi',
  '60Gi',
);
export const surgePods = inPool(
  'pods',
  'the only node in the pool has one pod slot, and the old pod has it',
  '1',
);

export const surgeHostPort = surging(
  'surge-host-port',
  'two replicas bind the host port on both nodes, and the surge pod finds no free one',
  {
    resource: 'hostPort',
    on: ['edge-a', 'edge-b'],
    messages: ["2 node(s) didn't have free ports for the requested pod ports"],
    nodes: [{ name: 'edge-a' }, { name: 'edge-b' }],
    workload: {
      name: 'ingress',
      replicas: 2,
      container: { ports: [{ containerPort: 8443, hostPort: 443 }] },
    },
  },
);

const onePod = 'ReadWriteOncePod';
export const surgeReadWriteOncePod = surging(
  'surge-read-write-once-pod',
  'the claim admits one pod, wherever it runs, and the old pod is that one',
  {
    resource: onePod,
    messages: ['ReadWriteOncePod access mode already in-use by another pod'],
    nodes: [{ name: 'n-a' }, { name: 'n-b' }],
    before: async (cluster, namespace) => {
      const volumeName = 'pv-ledger';
      await cluster.create(volumeManifest({ name: volumeName, accessMode: onePod }));
      await cluster.create(claimManifest({ namespace, name: 'ledger', accessMode: onePod, volumeName }));
    },
    workload: {
      name: 'ledger',
      pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'ledger' } }] },
    },
  },
);

const shun = { labelSelector: { matchLabels: { app: 'broker' } }, topologyKey: 'kubernetes.io/hostname' };
export const surgeAntiAffinity = surging(
  'surge-anti-affinity',
  'three replicas that shun each other fill all three nodes',
  {
    resource: 'podAntiAffinity',
    on: ['n-a', 'n-b', 'n-c'],
    messages: ["3 node(s) didn't match pod anti-affinity rules"],
    nodes: [{ name: 'n-a' }, { name: 'n-b' }, { name: 'n-c' }],
    workload: {
      name: 'broker',
      replicas: 3,
      pod: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [shun] } } },
    },
  },
);

const topologyKey = 'topology.kubernetes.io/zone';
const evenly = {
  ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule' },
  labelSelector: { matchLabels: { app: 'api' } },
};
/**
 * Spread counts the tainted zone as empty (`nodeTaintsPolicy: Ignore` is the default), so zone a may hold one
 * pod more than none: the old one. The surge pod would be the second.
 */
export const surgeTopologySpread = surging(
  'surge-topology-spread',
  'the spread allows one pod in the only zone that the workload may use, and the old pod is that one',
  {
    resource: 'topologySpread',
    on: ['zone-a-1'],
    messages: ["1 node(s) didn't match pod topology spread constraints", '1 node(s) had untolerated taint'],
    nodes: [
      { name: 'zone-a-1', labels: { [topologyKey]: 'a' } },
      {
        name: 'zone-b-1',
        labels: { [topologyKey]: 'b' },
        taints: [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }],
      },
    ],
    workload: { name: 'api', pod: { topologySpreadConstraints: [evenly] } },
  },
);

const storageClassName = 'scratch';
const storageClass: V1StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: storageClassName },
  provisioner: driver,
  volumeBindingMode: 'Immediate',
};
const resources = { requests: { storage: '10Gi' } };
const ownDisk = {
  volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources } },
};
/**
 * Each pod brings a disk of its own (a generic ephemeral volume), so old and new pod need one attachment
 * each. The old disk counts until it is detached, and the scheduler's hint for a deleted VolumeAttachment
 * reads claims that the pod names, not ephemeral ones
 * (`nodevolumelimits/csi.go: isSchedulableAfterVolumeAttachmentDeleted`): the waiting pod is not tried again
 * until the five-minute flush.
 */
export const surgeCsiVolumeLimit = surging(
  'surge-csi-volume-limit',
  'the node can attach one disk, and the old pod has attached its own',
  {
    resource: 'csiVolumeLimit',
    on: ['pool-a'],
    messages: ['1 node(s) exceed max volume count', elsewhere],
    known: { placesOnlyNewPods: true },
    nodes: [{ name: 'pool-a', labels: pool }, { name: 'other-a' }],
    before: async (cluster) => {
      await cluster.create(csiNodeManifest('pool-a', 1));
      await cluster.create(storageClass);
      for (const name of ['pv-scratch-1', 'pv-scratch-2', 'pv-scratch-3'])
        await cluster.create(volumeManifest({ name, accessMode: 'ReadWriteOnce', storageClassName }));
    },
    workload: {
      name: 'sorter',
      pod: { nodeSelector: pool, volumes: [{ name: 'scratch', ephemeral: ownDisk }] },
    },
  },
);

export const surgeDeviceClaim = surging(
  'surge-device-claim',
  'the only device is allocated to the claim of the old pod',
  {
    resource: 'deviceClaim',
    on: ['gpu-a'],
    messages: ['cannot allocate all claims'],
    nodes: [{ name: 'gpu-a' }, { name: 'cpu-a' }],
    before: async (cluster, namespace) => {
      for (const object of [deviceClass, deviceSlice, deviceClaimTemplate(namespace)])
        await cluster.create(object);
    },
    workload: { name: 'inference', ...withOneDevice },
  },
);
