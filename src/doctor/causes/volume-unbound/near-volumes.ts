import { compareText } from '../../../engine/collections/collections.js';
import { matchesSelector } from '../../../engine/objects/label-selector.js';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../engine/objects/storage.js';
import { claimClass, volumeClass } from '../../../engine/scheduler/cluster-facts.js';
import { compareQuantities, parseQuantity } from '../../../engine/scheduler/quantity.js';

/** Why a volume is not the claim's, in the order people can do something about it. */
export type Lack =
  | 'bound'
  | 'released'
  | 'class'
  | 'size'
  | 'access-mode'
  | 'volume-mode'
  | 'selector'
  | 'deleting';

export interface NearVolume {
  readonly volume: string;
  /** Empty: the volume would do, and the binder has not come to it yet. */
  readonly lacks: readonly Lack[];
}

/**
 * Volumes that come closest to what the claim asks for, those lacking least first (kubernetes
 * `volume/persistentvolume: FindMatchingVolume`). Volumes of other claims come last: they lack most.
 */
export function nearVolumes(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  most = 3,
): readonly NearVolume[] {
  return volumes
    .map((volume) => ({ volume: volume.metadata.name, lacks: lacksOf(claim, volume) }))
    .sort((a, b) => weight(a) - weight(b) || compareText(a.volume, b.volume))
    .slice(0, most);
}

function weight({ lacks }: NearVolume): number {
  return lacks.length + (lacks.includes('bound') ? 10 : 0);
}

function lacksOf(
  claim: PersistentVolumeClaim,
  { metadata, spec, status }: PersistentVolume,
): readonly Lack[] {
  const { claimRef } = spec;
  const own =
    claimRef === undefined ||
    (claimRef.namespace === claim.metadata.namespace &&
      claimRef.name === claim.metadata.name &&
      (claimRef.uid === '' || claimRef.uid === claim.metadata.uid));
  const size = parseQuantity(spec.capacity.storage ?? '0');
  const wanted = parseQuantity(claim.spec.resources?.requests.storage ?? '0');
  const { selector } = claim.spec;
  const found: readonly (readonly [Lack, boolean])[] = [
    ['deleting', metadata.deletionTimestamp !== undefined],
    ['released', status.phase === 'Released'],
    ['bound', status.phase !== 'Released' && !own],
    ['class', volumeClass({ metadata, spec, status, kind: 'PersistentVolume' }) !== claimClass(claim)],
    ['size', size !== undefined && wanted !== undefined && compareQuantities(size, wanted) < 0],
    ['access-mode', claim.spec.accessModes.some((mode) => !spec.accessModes.includes(mode))],
    ['volume-mode', (spec.volumeMode ?? 'Filesystem') !== (claim.spec.volumeMode ?? 'Filesystem')],
    ['selector', selector !== undefined && !matchesSelector(selector, metadata.labels)],
  ];
  return found.filter(([, lacks]) => lacks).map(([lack]) => lack);
}
