import type { V1Node } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deployment, type Incident } from './incident.js';
import { podNames, rollOut, untilEvent, update } from './rolling.js';
import { claimManifest, volumeManifest } from './storage-manifests.js';

/**
 * The controller counts the volume as attached once it has updated the node, any node where none is named.
 */
export async function untilAttached(cluster: Cluster, volume: string, to?: string): Promise<string> {
  return cluster.until<V1Node, string>({
    what: `${volume} to be attached to a node`,
    selection: { kind: 'Node' },
    check: (nodes) =>
      nodes.find(
        ({ metadata, status }) =>
          (to === undefined || metadata?.name === to) &&
          status?.volumesAttached?.some((one) => one.name.endsWith(volume)),
      )?.metadata?.name,
    deadlineMilliseconds: 60_000,
  });
}

/** Each node has cpu for one of the pods, so the scheduler must take the other node for the surge pod. */
export const volumeAttachDeadlock: Incident = {
  id: 'volume-attach-deadlock',
  title: 'the surge pod lands on another node while the disk is attached to the old pod’s node',
  known: { cause: 'volume-attach-deadlock', messages: ['Multi-Attach error for volume "pv-wordpress"'] },
  reproduce: async (cluster) => {
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
    await untilAttached(cluster, 'pv-wordpress');
    // The simulated kubelet does not wait for disks, so an annotation makes the pods of the new revision
    // wait.
    await update(cluster, namespace, 'wordpress', {}, { [kubeletAnnotation.start]: 'container-creating' });
    const message = await untilEvent(cluster, namespace, 'FailedAttachVolume', 'Multi-Attach error');
    const blocked = (await podNames(cluster, namespace, 'wordpress')).filter(
      (name) => !holders.includes(name),
    );
    return { workload: deployment(namespace, 'wordpress'), holders, blocked, messages: [message] };
  },
};
