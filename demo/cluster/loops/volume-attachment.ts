import type { ClusterIndex } from '#src/engine/objects/cluster-index.js';
import { isTerminal, type Pod } from '#src/engine/objects/pod.js';

/** A volume that another node's pods keep a pod from getting. */
export interface HeldVolume {
  readonly volume: string;
  /** Names of the pods that use it there. */
  readonly holders: readonly string[];
}

/**
 * The first ReadWriteOnce volume of the pod that is in use on another node: the attach/detach controller
 * refuses to attach it to a second one, while pods of the same node may share it.
 */
export function volumeHeldElsewhere({ objects }: ClusterIndex, pod: Pod): HeldVolume | undefined {
  const { namespace, uid } = pod.metadata;
  for (const claimName of claimsOf(pod)) {
    const claim = objects.PersistentVolumeClaim.find(
      ({ metadata }) => metadata.namespace === namespace && metadata.name === claimName,
    );
    if (claim === undefined || !claim.spec.accessModes.every((mode) => mode === 'ReadWriteOnce')) continue;
    const holders = objects.Pod.filter(
      (other) =>
        other.metadata.uid !== uid &&
        other.metadata.namespace === namespace &&
        other.spec.nodeName !== undefined &&
        other.spec.nodeName !== pod.spec.nodeName &&
        other.status.startTime !== undefined &&
        !isTerminal(other) &&
        claimsOf(other).includes(claimName),
    );
    if (holders.length > 0) {
      return { volume: claim.spec.volumeName, holders: holders.map(({ metadata }) => metadata.name) };
    }
  }
  return undefined;
}

function claimsOf({ spec }: Pod): readonly string[] {
  return spec.volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}
