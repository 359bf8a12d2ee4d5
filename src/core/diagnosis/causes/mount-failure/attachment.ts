import type { Pod } from '../../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import type { VolumeAttachment } from '../../../cluster/storage.js';
import type { Statement } from '../../../language/statement.js';
import type { Advice, Evidence } from '../../finding.js';
import { state } from './text.js';

/** Kubernetes `pkg/volume/csi/csi_drivers_store.go` and its callers. */
const noDriver =
  /driver(?: name)? (\S{1,253}) (?:is )?not found in the list of registered CSI drivers|not found in the list of registered CSI drivers/;

/**
 * The CSI driver that is not registered on the node of the pod, by the kubelet's message or by the CSINode.
 */
export function driverMissingOn({ index }: Snapshot, pod: Pod, message: string): string | undefined {
  const found = noDriver.exec(message.slice(0, 4096));
  const [, named] = found ?? [];
  if (named !== undefined) return named;
  const drivers = driversOf(index, pod);
  const node = index.objects.CSINode.find(({ metadata }) => metadata.name === pod.spec.nodeName);
  const [missing] =
    node === undefined
      ? []
      : drivers.filter((driver) => node.spec.drivers.every(({ name }) => name !== driver));
  return missing ?? (found === null ? undefined : drivers[0]);
}

function driversOf(index: Snapshot['index'], { spec, metadata }: Pod): readonly string[] {
  return spec.volumes.flatMap(({ csi, persistentVolumeClaim }) => {
    if (csi !== undefined) return [csi.driver];
    const volume = volumeOfClaim(index, metadata.namespace, persistentVolumeClaim?.claimName);
    return volume?.spec.csi === undefined ? [] : [volume.spec.csi.driver];
  });
}

function volumeOfClaim({ objects }: Snapshot['index'], namespace: string, claim: string | undefined) {
  const bound = objects.PersistentVolumeClaim.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === claim,
  );
  return objects.PersistentVolume.find(({ metadata }) => metadata.name === bound?.spec.volumeName);
}

/** What the attachment of one of the pod's volumes reports. */
interface AttachmentTrouble {
  readonly reasoning: readonly Statement[];
  readonly evidence: readonly Evidence[];
  readonly advice: readonly Advice[];
}

/**
 * An attachment that is being deleted, or whose driver reports an error. The controller attaches, the node
 * mounts.
 */
export function attachmentOf(snapshot: Snapshot, pod: Pod): AttachmentTrouble | undefined {
  const { index } = snapshot;
  const volumes = pod.spec.volumes.flatMap(
    ({ persistentVolumeClaim }) =>
      volumeOfClaim(index, pod.metadata.namespace, persistentVolumeClaim?.claimName)?.metadata.name ?? [],
  );
  const attachment = index.objects.VolumeAttachment.find(
    ({ metadata, spec, status }) =>
      volumes.includes(spec.source.persistentVolumeName ?? '') &&
      (metadata.deletionTimestamp !== undefined || errorOf(status) !== undefined),
  );
  if (attachment === undefined) return undefined;
  const { metadata, spec, status } = attachment;
  const message = errorOf(status);
  const volume = spec.source.persistentVolumeName ?? '';
  const node = spec.nodeName;
  const deleted = Date.parse(metadata.deletionTimestamp ?? '');
  const seconds = Number.isNaN(deleted) ? undefined : Math.max(0, (nowOf(snapshot) - deleted) / 1000);
  return {
    reasoning: [
      ...(metadata.deletionTimestamp === undefined
        ? []
        : [state('attachment-deleted', { volume, node, seconds })]),
      ...(message === undefined ? [] : [state('attachment-error', { message })]),
    ],
    evidence: [
      {
        object: { kind: 'VolumeAttachment', namespace: '', name: metadata.name },
        field:
          message === undefined
            ? 'metadata.deletionTimestamp'
            : `status.${status.detachError === undefined ? 'attachError' : 'detachError'}.message`,
        value: message ?? metadata.deletionTimestamp ?? '',
        says: state('ev-attachment', { volume, node }),
      },
    ],
    advice: [
      {
        title: state('advice-attachment-title'),
        text: state('advice-attachment', { node }),
        snippet: `kubectl get volumeattachment ${metadata.name} -o yaml\n`,
      },
    ],
  };
}

function errorOf({ attachError, detachError }: VolumeAttachment['status']): string | undefined {
  const message = detachError?.message ?? attachError?.message ?? '';
  return message === '' ? undefined : message;
}
