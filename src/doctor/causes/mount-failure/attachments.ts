import type { Statement } from '../../../engine/language/statement.js';
import { isActive, type Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import type { VolumeAttachment } from '../../../engine/objects/storage.js';
import { isUnreadNearby } from '../../../engine/objects/unread.js';
import { claimUses } from '../../../engine/scheduler/volume-state.js';
import { podsOf } from '../../findings/crashes/failure-group.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import { state } from './text.js';

/** The volume that a claim is bound to. */
export function volumeOfClaim({ objects }: Snapshot['index'], namespace: string, claim: string | undefined) {
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
  readonly error: string | undefined;
}

/**
 * An attachment that is being deleted, whose driver reports an error, or to a node that is gone. The
 * controller attaches, the node mounts.
 */
export function attachmentOf(snapshot: Snapshot, pod: Pod): AttachmentTrouble | undefined {
  const { index } = snapshot;
  const volumes = pod.spec.volumes.flatMap(
    ({ persistentVolumeClaim }) =>
      volumeOfClaim(index, pod.metadata.namespace, persistentVolumeClaim?.claimName)?.metadata.name ?? [],
  );
  const isGone = (node: string) => !index.nodes.has(node) && !isUnreadNearby(snapshot, 'Node');
  const attachment = index.objects.VolumeAttachment.find(
    ({ metadata, spec, status }) =>
      volumes.includes(spec.source.persistentVolumeName ?? '') &&
      (metadata.deletionTimestamp !== undefined || errorOf(status) !== undefined || isGone(spec.nodeName)),
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
      ...(isGone(node) ? [state('attachment-to-nothing', { volume, node })] : []),
    ],
    evidence: [
      {
        object: { kind: 'VolumeAttachment', namespace: '', name: metadata.name },
        field:
          message === undefined
            ? metadata.deletionTimestamp === undefined
              ? 'spec.nodeName'
              : 'metadata.deletionTimestamp'
            : `status.${status.detachError === undefined ? 'attachError' : 'detachError'}.message`,
        value: message ?? metadata.deletionTimestamp ?? node,
        says: state('ev-attachment', { volume, node }),
      },
    ],
    error: message,
    // An attachment that is not to end has nothing to finish.
    advice:
      metadata.deletionTimestamp === undefined && status.detachError === undefined && !isGone(node)
        ? []
        : [
            {
              title: state('advice-attachment-title'),
              text: state('advice-attachment', { node }),
              snippet: `kubectl get volumeattachment ${metadata.name} -o yaml\n`,
            },
          ],
  };
}

/**
 * Where the volume of a pod that waits for it is attached, and the pods of other workloads that use it there.
 */
export function attachedElsewhere(
  snapshot: Snapshot,
  pod: Pod,
): { readonly node: string; readonly pods: readonly string[] } | undefined {
  const { index } = snapshot;
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  return claimUses(pod)
    .flatMap(({ name }) => {
      const volume = volumeOfClaim(index, pod.metadata.namespace, name)?.metadata.name;
      const attachment = index.objects.VolumeAttachment.find(
        ({ spec, status }) =>
          volume !== undefined &&
          spec.source.persistentVolumeName === volume &&
          spec.nodeName !== pod.spec.nodeName &&
          status.attached,
      );
      const node = attachment?.spec.nodeName ?? '';
      const users = (index.podsByNode.get(node) ?? []).filter(
        (other) =>
          other.metadata.namespace === pod.metadata.namespace &&
          isActive(other) &&
          !own.has(other.metadata.uid) &&
          claimUses(other).some((use) => use.name === name),
      );
      return users.length === 0 ? [] : [{ node, pods: users.map(({ metadata }) => metadata.name).sort() }];
    })
    .at(0);
}

/**
 * The other node that the message of a driver names, and the pods there that use a claim of this pod. A
 * driver may keep a volume to one node without an attachment.
 */
export function usersOnNamedNode(
  { index }: Snapshot,
  pod: Pod,
  message: string,
): { readonly node: string; readonly pods: readonly string[] } | undefined {
  const words = new Set(message.slice(0, searched).split(/[^A-Za-z0-9.-]{1,100}/));
  const claims = new Set(claimUses(pod).map(({ name }) => name));
  for (const node of words) {
    if (node === pod.spec.nodeName || !index.nodes.has(node)) continue;
    const pods = (index.podsByNode.get(node) ?? []).filter(
      (other) =>
        other.metadata.namespace === pod.metadata.namespace &&
        isActive(other) &&
        claimUses(other).some(({ name }) => claims.has(name)),
    );
    if (pods.length > 0) return { node, pods: pods.map(({ metadata }) => metadata.name).sort() };
  }
  return undefined;
}

/** Characters of a message that are searched for names of nodes. */
const searched = 2000;

function errorOf({ attachError, detachError }: VolumeAttachment['status']): string | undefined {
  const message = detachError?.message ?? attachError?.message ?? '';
  return message === '' ? undefined : message;
}
