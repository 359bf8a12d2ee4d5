import {
  type KubeConfig,
  makeInformer,
  PatchStrategy,
  StorageV1Api,
  setHeaderOptions,
  type V1VolumeAttachment,
} from '@kubernetes/client-node';
import { collectionPath } from './resources.js';

export interface Attacher {
  stop(): void;
}

/**
 * Reports every VolumeAttachment as attached, in place of the CSI drivers' external-attachers. The real
 * attach-detach controller decides before whether a volume may be attached at all.
 */
export function startAttacher(config: KubeConfig): Attacher {
  const api = config.makeApiClient(StorageV1Api);
  let stopped = false;
  const informer = makeInformer<V1VolumeAttachment>(config, collectionPath('VolumeAttachment'), () =>
    api.listVolumeAttachment(),
  );
  const attach = (attachment: V1VolumeAttachment): void => {
    const { name, deletionTimestamp } = attachment.metadata ?? {};
    if (name === undefined || deletionTimestamp !== undefined || attachment.status?.attached) return;
    api
      .patchVolumeAttachmentStatus(
        { name, body: { status: { attached: true } } },
        setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
      )
      // It was deleted in between: nothing is left to attach.
      .catch(() => {});
  };
  informer.on('add', attach);
  informer.on('update', attach);
  const start = (): void => {
    if (stopped) return;
    informer.start().catch(start);
  };
  informer.on('error', start);
  start();
  return {
    stop: () => {
      stopped = true;
      void informer.stop();
    },
  };
}
