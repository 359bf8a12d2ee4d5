import {
  deviceClaimTemplate,
  deviceClass,
  deviceSlice,
  withOneDevice,
} from '../incidents/device-manifests.js';
import { rollOut } from '../incidents/rolling.js';
import { claimManifest, csiNodeManifest, driver, volumeManifest } from '../incidents/storage-manifests.js';
import type { Control } from './control.js';
import { control, web } from './neighbourhood.js';
import { beginRollout, completeRollout } from './workloads.js';

/** Volumes and devices of which there is enough for both revisions. */
export const secondVolumes: readonly Control[] = [
  control(
    {
      id: 'one-disk-on-one-node',
      title: 'a ReadWriteOnce disk on the only node of its pool: old and new pod may both use it there',
      resembles: 'volume-attach-deadlock',
    },
    [{ name: 'n-a', labels: { pool: 'data' } }, { name: 'n-b' }],
    async (cluster, namespace) => {
      const accessMode = 'ReadWriteOnce';
      await cluster.create(volumeManifest({ name: 'pv-one-node', accessMode }));
      await cluster.create(claimManifest({ namespace, name: 'data', accessMode, volumeName: 'pv-one-node' }));
      await rollOut(cluster, {
        namespace,
        name: 'web',
        pod: {
          nodeSelector: { pool: 'data' },
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
        },
      });
      await beginRollout(cluster, web(namespace));
    },
  ),
  control(
    {
      id: 'room-for-a-second-disk',
      title: 'the node attaches two disks, one of each revision, and the rollout completed',
      resembles: 'surge-deadlock',
    },
    [{ name: 'n-a' }],
    async (cluster, namespace) => {
      const storageClassName = 'csi-scratch';
      await cluster.create(csiNodeManifest('n-a', 2));
      await cluster.create({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: storageClassName },
        ...{ provisioner: driver, volumeBindingMode: 'Immediate' },
      });
      for (const name of ['pv-room-1', 'pv-room-2']) {
        await cluster.create(volumeManifest({ name, accessMode: 'ReadWriteOnce', storageClassName }));
      }
      const spec = {
        accessModes: ['ReadWriteOnce'],
        storageClassName,
        resources: { requests: { storage: '10Gi' } },
      };
      await rollOut(cluster, {
        namespace,
        name: 'web',
        pod: { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } }] },
      });
      await completeRollout(cluster, web(namespace));
    },
  ),
  control(
    {
      id: 'device-to-spare',
      title: 'two devices are there, one for each revision, and the surge pod is starting',
      resembles: 'surge-deadlock',
    },
    [{ name: 'gpu-a' }],
    async (cluster, namespace) => {
      await cluster.create(deviceClass);
      await cluster.create({
        ...deviceSlice,
        spec: { ...deviceSlice.spec, devices: [{ name: 'gpu-0' }, { name: 'gpu-1' }] },
      });
      await cluster.create(deviceClaimTemplate(namespace));
      await rollOut(cluster, { namespace, name: 'web', ...withOneDevice });
      await beginRollout(cluster, web(namespace));
    },
  ),
];
