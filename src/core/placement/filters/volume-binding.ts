import type { Objection } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter } from '../situation.js';
import { bindingProblems, volumeReaches } from '../static-binding.js';

/** Volumes that cannot be used, or found, on this node (`volumebinding/volume_binding.go: Filter`). */
export const volumeBinding: Filter = ({ world, volumes }, node) => {
  const { bound, delayed } = volumes();
  if (bound.length === 0 && delayed.length === 0) return noObjections;
  const unreachable = bound
    .filter(({ volume }) => !volumeReaches(volume, node))
    .map(
      ({ claim, volume }): Objection => ({
        id: 'volume-affinity',
        plugin: 'VolumeBinding',
        text: "node(s) didn't match PersistentVolume's node affinity",
        resolvable: false,
        preemptible: false,
        claim: claim.metadata.name,
        volume: volume.metadata.name,
      }),
    );
  const unbindable = [...bindingProblems(world.facts, delayed, node)].map(
    ([claim, problem]): Objection =>
      problem === 'unknown-capacity'
        ? {
            id: 'not-simulated',
            plugin: 'VolumeBinding',
            why: 'storage-capacity',
            subject: claim.metadata.name,
          }
        : {
            id: 'no-pv',
            plugin: 'VolumeBinding',
            text: "node(s) didn't find available persistent volumes to bind",
            resolvable: false,
            preemptible: false,
            claim: claim.metadata.name,
          },
  );
  return [...unreachable, ...unbindable];
};
