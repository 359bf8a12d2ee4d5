import type { V1StorageClass } from '@kubernetes/client-node';
import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';
import { csiNodeManifest, driver, volumeManifest } from './storage-manifests.js';

const messages = ['1 node(s) exceed max volume count', "1 node(s) didn't match Pod's node affinity/selector"];
const storageClassName = 'scratch';

/**
 * Each pod brings a disk of its own (a generic ephemeral volume), so old and new pod need one attachment
 * each. The old disk counts until it is detached, and the scheduler's hint for a deleted VolumeAttachment
 * reads claims that the pod names, not ephemeral ones
 * (`nodevolumelimits/csi.go: isSchedulableAfterVolumeAttachmentDeleted`): the waiting pod is not tried again
 * until the five-minute flush.
 */
export const surgeCsiVolumeLimit: Incident = {
  id: 'surge-csi-volume-limit',
  title: 'the node can attach one disk, and the old pod has attached its own',
  known: {
    cause: 'surge-deadlock',
    resource: 'csiVolumeLimit',
    nodes: ['pool-a'],
    messages,
    freedByStrategy: true,
    placesOnlyNewPods: true,
  },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('surge-csi-limit');
    await cluster.createNodes({ name: 'pool-a', labels: { pool: 'data' } }, { name: 'other-a' });
    await cluster.create(csiNodeManifest('pool-a', 1));
    const storageClass: V1StorageClass = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: storageClassName },
      provisioner: driver,
      volumeBindingMode: 'Immediate',
    };
    await cluster.create(storageClass);
    for (const name of ['pv-scratch-1', 'pv-scratch-2', 'pv-scratch-3']) {
      await cluster.create(volumeManifest({ name, accessMode: 'ReadWriteOnce', storageClassName }));
    }
    const spec = {
      accessModes: ['ReadWriteOnce'],
      storageClassName,
      resources: { requests: { storage: '10Gi' } },
    };
    const holders = await rollOut(cluster, {
      namespace,
      name: 'sorter',
      pod: {
        nodeSelector: { pool: 'data' },
        volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } }],
      },
    });
    await update(cluster, namespace, 'sorter');
    const stuck = await untilUnschedulable(cluster, namespace, 'sorter', holders, messages);
    return { workload: deployment(namespace, 'sorter'), holders, ...stuck };
  },
};
