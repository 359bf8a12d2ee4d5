import type { V1CSINode, V1PersistentVolume, V1PersistentVolumeClaim } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';

export const driver = 'disk.csi.example';

interface VolumeOptions {
  readonly name: string;
  readonly accessMode: 'ReadWriteOnce' | 'ReadWriteOncePod' | 'ReadWriteMany';
  readonly storageClassName?: string;
}

/** A disk that exists already, reached through a CSI driver. */
export function volumeManifest({
  name,
  accessMode,
  storageClassName = '',
}: VolumeOptions): V1PersistentVolume {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '10Gi' },
      accessModes: [accessMode],
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName,
      csi: { driver, volumeHandle: name },
    },
  };
}

interface ClaimOptions extends VolumeOptions {
  readonly namespace: string;
  /** The volume it is meant for; without it any of its class. */
  readonly volumeName?: string;
}

export function claimManifest(options: ClaimOptions): V1PersistentVolumeClaim {
  const { namespace, name, accessMode, storageClassName = '', volumeName } = options;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace, name },
    spec: {
      accessModes: [accessMode],
      storageClassName,
      resources: { requests: { storage: '10Gi' } },
      ...(volumeName === undefined ? {} : { volumeName }),
    },
  };
}

/** How many volumes of the driver the node can attach, as its CSI node plug-in would report. */
export function csiNodeManifest(node: string, count: number): V1CSINode {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: node },
    spec: { drivers: [{ name: driver, nodeID: node, allocatable: { count } }] },
  };
}

/** A disk and the claim that is bound to it, as the volume `data` of a pod. */
export async function claimedDisk(
  cluster: Pick<Cluster, 'create'>,
  namespace: string,
  accessMode: VolumeOptions['accessMode'],
): Promise<object> {
  const disk = { name: `pv-${namespace}`, accessMode };
  await cluster.create(volumeManifest(disk));
  await cluster.create(claimManifest({ namespace, name: 'data', accessMode, volumeName: disk.name }));
  return { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
}
