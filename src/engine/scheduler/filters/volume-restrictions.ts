import type { Pod } from '../../objects/pod.js';
import { byPodName } from '../../objects/pod.js';
import type { Volume } from '../../objects/pod-spec.js';
import type { Objection } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter, Situation } from '../situation.js';
import { podsOn, presentOf } from '../world.js';

/**
 * In-tree disks in use on the node, and claims with access mode ReadWriteOncePod in use anywhere
 * (`volumerestrictions/volume_restrictions.go: Filter`).
 */
export const volumeRestrictions: Filter = (situation, node) => {
  const { volumes } = situation.pod.spec;
  if (volumes.length === 0) return noObjections;
  return [...diskConflicts(situation, node.metadata.name), ...exclusiveClaims(situation)];
};

function diskConflicts({ world, pod }: Situation, node: string): readonly Objection[] {
  const disks = pod.spec.volumes.filter(isInTreeDisk);
  if (disks.length === 0) return noObjections;
  const pods = podsOn(world, node);
  return disks.flatMap((disk): readonly Objection[] => {
    const holders = pods.filter((other) => other.spec.volumes.some((volume) => conflict(disk, volume)));
    if (holders.length === 0) return noObjections;
    return [
      {
        id: 'disk-conflict',
        plugin: 'VolumeRestrictions',
        text: 'node(s) had no available disk',
        resolvable: true,
        preemptible: true,
        volume: disk.name,
        holders: [...holders].sort(byPodName),
      },
    ];
  });
}

function exclusiveClaims(situation: Situation): readonly Objection[] {
  const { world, pod } = situation;
  const { exclusive } = situation.volumes();
  if (exclusive.length === 0) return noObjections;
  if (world.preempted !== undefined && countUses(situation, world.preempted) <= 0) return noObjections;
  return exclusive.flatMap((claim): readonly Objection[] => {
    const uses = (other: Pod): boolean =>
      other.metadata.namespace === pod.metadata.namespace &&
      other.spec.volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim);
    const holders = presentOf(world, world.facts.assignedIn(pod.metadata.namespace), uses).filter(uses);
    if (holders.length === 0) return noObjections;
    return [
      {
        id: 'rwop',
        plugin: 'VolumeRestrictions',
        text: 'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
        resolvable: true,
        preemptible: true,
        claim,
        holders: [...holders].sort(byPodName),
      },
    ];
  });
}

/**
 * How many uses preemption believes to be left without its victims. Each claim in use counts once. Each claim
 * of a victim is taken off by its name, of whatever namespace it is. So the pod that holds the claim may be
 * spared (`volume_restrictions.go: conflictingPVCRefCountForPod`, 1.36.3).
 */
function countUses({ world, pod, volumes }: Situation, victims: readonly Pod[]): number {
  const exclusive = new Set(volumes().exclusive);
  const claimsOf = (other: Pod): readonly string[] =>
    other.spec.volumes.flatMap(({ persistentVolumeClaim: { claimName = '' } = {} }) =>
      exclusive.has(claimName) ? [claimName] : [],
    );
  const { namespace } = pod.metadata;
  const uses = (other: Pod): boolean => other.metadata.namespace === namespace && claimsOf(other).length > 0;
  const users = presentOf(world, world.facts.assignedIn(namespace), uses).filter(uses);
  const inUse = new Set([...users, ...victims.filter(uses)].flatMap(claimsOf));
  return inUse.size - victims.flatMap(claimsOf).length;
}

function isInTreeDisk({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }: Volume): boolean {
  return (
    gcePersistentDisk !== undefined ||
    awsElasticBlockStore !== undefined ||
    iscsi !== undefined ||
    rbd !== undefined
  );
}

/** The same disk, unless both only read it; an EBS volume is never shared. */
function conflict(a: Volume, b: Volume): boolean {
  const { gcePersistentDisk: gce, awsElasticBlockStore: ebs, iscsi, rbd } = a;
  if (gce !== undefined && gce.pdName === b.gcePersistentDisk?.pdName) {
    if (!(gce.readOnly && b.gcePersistentDisk.readOnly)) return true;
  }
  if (ebs !== undefined && ebs.volumeID === b.awsElasticBlockStore?.volumeID) return true;
  if (iscsi !== undefined && iscsi.iqn === b.iscsi?.iqn && !(iscsi.readOnly && b.iscsi.readOnly)) return true;
  const other = b.rbd;
  return (
    rbd !== undefined &&
    other !== undefined &&
    rbd.pool === other.pool &&
    rbd.image === other.image &&
    rbd.monitors.some((monitor) => other.monitors.includes(monitor)) &&
    !(rbd.readOnly && other.readOnly)
  );
}
