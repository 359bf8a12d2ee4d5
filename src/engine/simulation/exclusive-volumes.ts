import type { ClusterIndex } from '../objects/cluster-index.js';
import { isReady, isTerminal, type Pod, podKey } from '../objects/pod.js';
import type { PersistentVolumeClaim, VolumeAttachment } from '../objects/storage.js';
import { claimUses } from '../scheduler/volume-state.js';
import type { Difference } from '../workloads/pod-simulator.js';

/** A bound claim whose volume only one node at a time may have. */
export interface ExclusiveVolume {
  readonly claim: PersistentVolumeClaim;
  /** Name of the PersistentVolume. */
  readonly volume: string;
  /** Those of this volume; none where they were not read. */
  readonly attachments: readonly VolumeAttachment[];
}

/**
 * The pod's volumes that cannot be attached to a second node: of a CSI driver, and no access mode lets
 * several nodes have them (kubernetes `volume/util/util.go: IsMultiAttachAllowed`). A driver that attaches
 * nothing keeps nobody out: attachments were read, and none is of this volume though a pod is ready with it.
 */
export function exclusiveVolumesOf(index: ClusterIndex, pod: Pod): readonly ExclusiveVolume[] {
  const { PersistentVolumeClaim, PersistentVolume, VolumeAttachment } = index.objects;
  const names = new Set(claimUses(pod).map(({ name }) => name));
  if (names.size === 0) return [];
  return PersistentVolumeClaim.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.metadata.namespace && names.has(metadata.name) && spec.volumeName !== '',
  ).flatMap((claim) => {
    const { volumeName } = claim.spec;
    const volume = PersistentVolume.find(({ metadata }) => metadata.name === volumeName);
    const modes = volume?.spec.accessModes ?? claim.spec.accessModes;
    const shared = modes.length === 0 || modes.some((mode) => severalNodes.has(mode));
    if (shared || (volume !== undefined && volume.spec.csi === undefined)) return [];
    const attachments = VolumeAttachment.filter(
      ({ spec }) => spec.source.persistentVolumeName === volumeName,
    );
    const unattached = attachments.length === 0 && VolumeAttachment.length > 0;
    if (unattached && usersOf(index, claim).some(isReady)) return [];
    return [{ claim, volume: volumeName, attachments }];
  });
}

const severalNodes: ReadonlySet<string> = new Set(['ReadWriteMany', 'ReadOnlyMany']);

/**
 * Pods with a node that use the claim, terminating ones included: their node keeps the volume until they are
 * gone.
 */
export function usersOf({ objects }: ClusterIndex, claim: PersistentVolumeClaim): readonly Pod[] {
  return objects.Pod.filter(
    (pod) => !isTerminal(pod) && (pod.spec.nodeName ?? '') !== '' && uses(pod, claim),
  );
}

/**
 * True while pods on other nodes use a volume that the pod needs on this one. A pod that waits for the volume
 * itself counts too: two that start on two nodes cannot both have it.
 */
export function lacksVolume(
  index: ClusterIndex,
  pod: Pod,
  node: string,
  { gone, placed }: Pick<Difference, 'gone' | 'placed'>,
): boolean {
  const left = new Set([...gone, pod].map(podKey));
  return exclusiveVolumesOf(index, pod).some(({ claim }) =>
    [...usersOf(index, claim), ...placed.filter((other) => uses(other, claim))].some(
      (other) => !left.has(podKey(other)) && other.spec.nodeName !== node,
    ),
  );
}

function uses(pod: Pod, { metadata }: PersistentVolumeClaim): boolean {
  return (
    pod.metadata.namespace === metadata.namespace && claimUses(pod).some(({ name }) => name === metadata.name)
  );
}
