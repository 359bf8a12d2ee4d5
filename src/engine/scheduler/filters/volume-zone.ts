import type { Labels } from '../../objects/label-selector.js';
import type { PersistentVolume } from '../../objects/storage.js';
import type { Objection } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter } from '../situation.js';

const CURRENT_NAME: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
};
const KEYS = [...Object.keys(CURRENT_NAME), ...Object.values(CURRENT_NAME)];

/**
 * Volumes labelled with a zone or region that the node is not in (`volumezone/volume_zone.go: Filter`). A
 * node without any such label takes every volume.
 */
export const volumeZone: Filter = ({ volumes }, node) => {
  const { bound } = volumes();
  const labels = node.metadata.labels;
  if (bound.length === 0 || !KEYS.some((key) => labels[key] !== undefined)) return noObjections;
  return bound
    .filter(({ volume }) => !isInReach(volume, labels))
    .map(
      ({ claim, volume }): Objection => ({
        id: 'volume-zone',
        plugin: 'VolumeZone',
        text: 'node(s) had no available volume zone',
        resolvable: false,
        preemptible: false,
        claim: claim.metadata.name,
        volume: volume.metadata.name,
      }),
    );
};

function isInReach(volume: PersistentVolume, labels: Labels): boolean {
  return KEYS.every((key) => {
    const zones = volumeZones(volume.metadata.labels[key]);
    const found = labels[key] ?? labels[CURRENT_NAME[key] ?? key];
    return zones === undefined || (found !== undefined && zones.includes(found));
  });
}

/** Several zones are joined by `__`; a label with an empty part is passed over (`LabelZonesToSet`). */
function volumeZones(label: string | undefined): readonly string[] | undefined {
  const zones = label?.split('__').map((zone) => zone.trim());
  return zones?.includes('') ? undefined : zones;
}
