import { claimManifest, volumeManifest } from '../incidents/storage-manifests.js';
import type { Draw } from './draw.js';
import type { DrawnObject } from './scheduler-under-test.js';
import { namespaces, nodeLabel, zones } from './vocabulary.js';

/** The first asks that no pod goes to a node that it does not serve. */
const drivers = ['disk.random.test', 'share.random.test'] as const;

export const volumeDrivers: readonly DrawnObject[] = drivers.map((name, index) => ({
  kind: 'CSIDriver',
  body: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name },
    spec: { attachRequired: false, preventPodSchedulingIfMissing: index === 0 },
  },
}));

/** Which drivers serve which nodes, how many volumes they can attach, and bound claims in each namespace. */
export function randomVolumes(draw: Draw, prefix: string, nodes: readonly string[]): readonly DrawnObject[] {
  const served = nodes
    .filter(() => draw.chance(85))
    .map((name): DrawnObject => {
      const present = drivers.filter(() => draw.chance(75));
      const spec = {
        drivers: present.map((driver) => ({
          name: driver,
          nodeID: name,
          ...draw.maybe(80, () => ({ allocatable: { count: 1 + draw.below(3) } })),
        })),
      };
      return {
        kind: 'CSINode',
        body: {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'CSINode',
          metadata: { name, labels: nodeLabel },
          spec,
        },
      };
    });
  return [...served, ...namespaces.flatMap((namespace) => claimsOf(draw, prefix, namespace))];
}

export const claimNames = ['data-0', 'data-1'] as const;

function claimsOf(draw: Draw, prefix: string, namespace: string): readonly DrawnObject[] {
  return claimNames.flatMap((claim): readonly DrawnObject[] => {
    const name = `${prefix}-${claim}`;
    const accessMode = draw.chance(15) ? 'ReadWriteOncePod' : 'ReadWriteMany';
    const volumeName = `${name}-${namespace}`;
    const volume = volumeManifest({ name: volumeName, accessMode });
    const values = [draw.pick(zones), draw.pick(zones)];
    const required = {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values }] },
      ],
    };
    const spec = {
      ...volume.spec,
      csi: { driver: draw.pick(drivers), volumeHandle: volumeName },
      ...draw.maybe(25, () => ({ nodeAffinity: { required } })),
      claimRef: { namespace, name },
    };
    return [
      {
        kind: 'PersistentVolume',
        body: { ...volume, metadata: { name: volumeName, labels: nodeLabel }, spec },
      },
      { kind: 'PersistentVolumeClaim', body: claimManifest({ namespace, name, accessMode, volumeName }) },
    ];
  });
}
