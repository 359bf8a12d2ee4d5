import {
  PatchStrategy,
  StorageV1Api,
  setHeaderOptions,
  type V1VolumeAttachment,
} from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deployment, type Incident } from './incident.js';
import { podNames, rollOut, untilEvent, update } from './rolling.js';
import { claimManifest, volumeManifest } from './storage-manifests.js';

/** Says that the disk is attached, as the driver's external-attacher would. */
async function attach(cluster: Cluster, volume: string): Promise<void> {
  const name = await cluster.until<V1VolumeAttachment, string>({
    what: `a VolumeAttachment of ${volume}`,
    selection: { kind: 'VolumeAttachment' },
    check: (all) => all.find((one) => one.spec.source.persistentVolumeName === volume)?.metadata?.name,
  });
  await cluster.config
    .makeApiClient(StorageV1Api)
    .patchVolumeAttachmentStatus(
      { name, body: { status: { attached: true } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );
}

/** Each node has cpu for one of the pods, so the scheduler must take the other node for the surge pod. */
export const volumeAttachDeadlock: Incident = {
  id: 'volume-attach-deadlock',
  title: 'the surge pod lands on another node while the disk is attached to the old pod’s node',
  known: { cause: 'volume-attach-deadlock', messages: ['Multi-Attach error for volume "pv-wordpress"'] },
  bringAbout: async (cluster) => {
    const namespace = await cluster.createNamespace('volume-attach');
    await cluster.createNodes(
      { name: 'n-a', allocatable: { cpu: '1' } },
      { name: 'n-b', allocatable: { cpu: '1' } },
    );
    const accessMode = 'ReadWriteOnce';
    await cluster.create(volumeManifest({ name: 'pv-wordpress', accessMode }));
    await cluster.create(
      claimManifest({ namespace, name: 'uploads', accessMode, volumeName: 'pv-wordpress' }),
    );
    const holders = await rollOut(cluster, {
      namespace,
      name: 'wordpress',
      requests: { cpu: '700m' },
      pod: { volumes: [{ name: 'uploads', persistentVolumeClaim: { claimName: 'uploads' } }] },
    });
    await attach(cluster, 'pv-wordpress');
    // The simulated kubelet does not wait for disks, so the new revision says that its pods do.
    await update(cluster, namespace, 'wordpress', {}, { [kubeletAnnotation.start]: 'container-creating' });
    const message = await untilEvent(cluster, namespace, 'FailedAttachVolume', 'Multi-Attach error');
    const blocked = (await podNames(cluster, namespace, 'wordpress')).filter(
      (name) => !holders.includes(name),
    );
    return { workload: deployment(namespace, 'wordpress'), holders, blocked, messages: [message] };
  },
};
