import { type Labels, matchesSelector } from '../../objects/label-selector.js';
import type { Node } from '../../objects/node.js';
import { byPodName, type Pod } from '../../objects/pod.js';
import type { NodeSelectorTerm, Volume } from '../../objects/pod-spec.js';
import { releaseRules } from '../../objects/release-rules.js';
import type { PersistentVolume, PersistentVolumeClaim } from '../../objects/storage.js';
import { type ClusterFacts, claimClass, selectedNode, volumeClass } from '../cluster-facts.js';
import { matchesNodeSelector } from '../node-selector.js';
import { compareQuantities, parseQuantity, type Quantity } from '../quantity.js';
import { noObjections, type Objection } from '../reason.js';
import type { Filter, Situation } from '../situation.js';
import { claimUses } from '../volume-state.js';
import { isPresent, podsOn, presentOf, type World } from '../world.js';

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

/** In-tree provisioners whose volumes CSI drivers serve (`nodevolumelimits/utils.go: isCSIMigrationOn`). */
const MIGRATED: Readonly<Record<string, string>> = {
  'kubernetes.io/aws-ebs': 'ebs.csi.aws.com',
  'kubernetes.io/gce-pd': 'pd.csi.storage.gke.io',
  'kubernetes.io/azure-disk': 'disk.csi.azure.com',
  'kubernetes.io/cinder': 'cinder.csi.openstack.org',
  'kubernetes.io/portworx-volume': 'pxd.portworx.com',
};

/** Driver by unique volume. */
type Volumes = ReadonlyMap<string, string>;

/**
 * Volumes a driver can attach to the node: those of the pods there, those still attached, and the pod's own,
 * each counted once (`nodevolumelimits/csi.go: Filter`). Limits and drivers are the CSINode's.
 */
export const csiLimits: Filter = (situation, node) => {
  const { world, pod } = situation;
  if (pod.spec.volumes.length === 0) return noObjections;
  const own = attachable(world.facts, pod);
  if (own.size === 0) return noObjections;
  const absent = [...own.values()].filter((driver) => !isServed(world.facts, node, driver));
  const missing = absent.find((driver) => mustBeServed(world.facts, driver));
  if (missing !== undefined && !world.facts.isUnseen('CSINode')) return [driverMissing(missing)];
  const unread = unreadDriver(world.facts, absent);
  const limits = limitsOf(world.facts, node);
  if (limits.size === 0) return unread;
  const used = volumesOn(world, node);
  const wanted = new Map<string, number>();
  for (const [volume, driver] of own) {
    if (!used.pods.has(volume)) wanted.set(driver, (wanted.get(driver) ?? 0) + 1);
  }
  const exceeding = [...wanted].flatMap(([driver, requested]): readonly Objection[] => {
    const limit = limits.get(driver);
    const unused = count(used.attachments, driver);
    const attached = count(used.pods, driver) + unused;
    if (limit === undefined || attached + requested <= limit) return noObjections;
    return [exceeded(situation, node, { driver, limit, attached, unused, requested })];
  });
  return [...exceeding, ...unread];
};

/** A driver that asks for it keeps pods off nodes that it does not serve (`checkCSIDriverOnNode`). */
function mustBeServed(facts: ClusterFacts, driver: string): boolean {
  return facts.csiDriver(driver)?.spec.preventPodSchedulingIfMissing === true;
}

function isServed(facts: ClusterFacts, node: Node, driver: string): boolean {
  const served = facts.csiNode(node.metadata.name)?.spec.drivers ?? [];
  return served.some(({ name }) => name === driver);
}

/** Whether a driver refuses the node is not known where its CSIDriver or the CSINodes were not read. */
function unreadDriver(facts: ClusterFacts, absent: readonly string[]): readonly Objection[] {
  const { driversAndRulesRefuse } = releaseRules(facts.index.serverVersion);
  const subject = absent.find((driver) => facts.isUnseen('CSIDriver') || mustBeServed(facts, driver));
  if (subject === undefined || !driversAndRulesRefuse) return noObjections;
  return [{ id: 'not-simulated', plugin: 'NodeVolumeLimits', why: 'csi-driver-unseen', subject }];
}

/** Answered with Unschedulable, so preemption is tried, yet no pod's leaving installs a driver. */
function driverMissing(driver: string): Objection {
  return {
    id: 'csi-driver-missing',
    plugin: 'NodeVolumeLimits',
    text: `${driver} CSI driver is not installed on the node`,
    resolvable: false,
    preemptible: true,
    driver,
  };
}

interface Excess {
  readonly driver: string;
  readonly limit: number;
  readonly attached: number;
  readonly unused: number;
  readonly requested: number;
}

function exceeded({ world }: Situation, node: Node, excess: Excess): Objection {
  const { facts } = world;
  return {
    id: 'max-volumes',
    plugin: 'NodeVolumeLimits',
    text: 'node(s) exceed max volume count',
    resolvable: excess.requested <= excess.limit,
    preemptible: true,
    ...excess,
    get holders() {
      return podsOn(world, node.metadata.name)
        .filter((other) => count(attachable(facts, other), excess.driver) > 0)
        .sort(byPodName);
    },
  };
}

function limitsOf(facts: ClusterFacts, node: Node): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of facts.csiNode(node.metadata.name)?.spec.drivers ?? []) {
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  }
  return limits;
}

/**
 * Attachments that no pod on the node explains count too; those of pods that are gone from this world go with
 * them.
 */
function volumesOn(world: World, node: Node): { readonly pods: Volumes; readonly attachments: Volumes } {
  const { facts } = world;
  const name = node.metadata.name;
  const pods = new Map(podsOn(world, name).flatMap((pod) => [...attachable(facts, pod)]));
  const gone = new Set(
    facts
      .podsOn(name)
      .filter((pod) => world.preempted === undefined && !isPresent(world, pod))
      .flatMap((pod) => [...attachable(facts, pod).keys()]),
  );
  const attachments = new Map<string, string>();
  for (const { spec } of facts.attachmentsTo(name)) {
    const csi = facts.volume(spec.source.persistentVolumeName ?? '')?.spec.csi;
    const volume = `${spec.attacher}/${csi?.volumeHandle}`;
    if (spec.attacher === '' || csi === undefined || pods.has(volume) || gone.has(volume)) continue;
    attachments.set(volume, spec.attacher);
  }
  return { pods, attachments };
}

function attachable(facts: ClusterFacts, pod: Pod): Volumes {
  const volumes = new Map<string, string>();
  for (const { name } of claimUses(pod)) {
    const claim = facts.claim(pod.metadata.namespace, name);
    const source = claim === undefined ? undefined : sourceOf(facts, claim);
    if (source !== undefined) volumes.set(`${source.driver}/${source.handle}`, source.driver);
  }
  return volumes;
}

/** A claim without a volume counts by its class's provisioner, once for all pods that use it. */
function sourceOf(facts: ClusterFacts, claim: PersistentVolumeClaim) {
  const volume = facts.volume(claim.spec.volumeName);
  if (volume !== undefined) {
    const { csi } = volume.spec;
    return csi === undefined || csi.volumeHandle === ''
      ? undefined
      : { driver: csi.driver, handle: csi.volumeHandle };
  }
  const provisioner = facts.storageClass(claimClass(claim))?.provisioner;
  if (provisioner === undefined || provisioner === '') return undefined;
  const driver = provisioner.startsWith('kubernetes.io/') ? MIGRATED[provisioner] : provisioner;
  const { namespace, name } = claim.metadata;
  return driver === undefined ? undefined : { driver, handle: `claim:${namespace}/${name}` };
}

function count(volumes: Volumes, driver: string): number {
  let number = 0;
  for (const other of volumes.values()) if (other === driver) number += 1;
  return number;
}

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

/** What keeps a claim that waits for its first consumer from getting a volume on a node. */
type BindingProblem = 'no-volume' | 'unknown-capacity';

const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/**
 * Finds each claim a volume on this node: an available one that matches, the smallest first, or one to be
 * provisioned there (`binder.go: FindPodVolumes`, `pv_helpers.go: FindMatchingVolume`). No claim may take
 * another's volume.
 */
function bindingProblems(
  facts: ClusterFacts,
  claims: readonly PersistentVolumeClaim[],
  node: Node,
): ReadonlyMap<PersistentVolumeClaim, BindingProblem> {
  const problems = new Map<PersistentVolumeClaim, BindingProblem>();
  const taken = new Set<PersistentVolume>();
  for (const claim of [...claims].sort((a, b) => compareQuantities(size(a), size(b)))) {
    const selected = selectedNode(claim);
    if (selected !== undefined && selected !== node.metadata.name) {
      problems.set(claim, 'no-volume');
      continue;
    }
    const volume = selected === undefined ? matchingVolume(facts, claim, node, taken) : undefined;
    if (volume !== undefined) {
      taken.add(volume);
      continue;
    }
    const problem = provisioningProblem(facts, claim, node);
    if (problem !== undefined) problems.set(claim, problem);
  }
  return problems;
}

/** True when the volume can be used on the node: its required node affinity, by labels alone. */
function volumeReaches(volume: PersistentVolume, node: Node): boolean {
  const required = volume.spec.nodeAffinity?.required;
  return required === undefined || matchesNodeSelector(required, node.metadata.labels, undefined);
}

function matchingVolume(
  facts: ClusterFacts,
  claim: PersistentVolumeClaim,
  node: Node,
  taken: ReadonlySet<PersistentVolume>,
): PersistentVolume | undefined {
  let best: PersistentVolume | undefined;
  for (const volume of facts.volumesOfClass(claimClass(claim))) {
    if (taken.has(volume) || !isCandidate(volume, claim)) continue;
    if (volume.spec.claimRef !== undefined) return volumeReaches(volume, node) ? volume : undefined;
    if (volume.status.phase !== 'Available' || !suits(volume, claim) || !volumeReaches(volume, node))
      continue;
    if (best === undefined || compareQuantities(capacity(volume), capacity(best)) < 0) best = volume;
  }
  return best;
}

/** Not another's, large enough, of the same mode and attributes, not being deleted. */
function isCandidate({ metadata, spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const owner = spec.claimRef;
  if (
    owner !== undefined &&
    (owner.name !== claim.metadata.name ||
      owner.namespace !== claim.metadata.namespace ||
      (owner.uid !== '' && owner.uid !== claim.metadata.uid))
  ) {
    return false;
  }
  return (
    metadata.deletionTimestamp === undefined &&
    compareQuantities(quantity(spec.capacity), size(claim)) >= 0 &&
    (spec.volumeMode ?? 'Filesystem') === (claim.spec.volumeMode ?? 'Filesystem') &&
    (spec.volumeAttributesClassName ?? '') === (claim.spec.volumeAttributesClassName ?? '')
  );
}

function suits(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    volumeClass(volume) === claimClass(claim) &&
    (claim.spec.selector === undefined || matchesSelector(claim.spec.selector, volume.metadata.labels)) &&
    claim.spec.accessModes.every((mode) => volume.spec.accessModes.includes(mode))
  );
}

function provisioningProblem(
  facts: ClusterFacts,
  claim: PersistentVolumeClaim,
  node: Node,
): BindingProblem | undefined {
  const storageClass = facts.storageClass(claimClass(claim));
  if (
    storageClass === undefined ||
    storageClass.provisioner === '' ||
    storageClass.provisioner === NO_PROVISIONER
  ) {
    return 'no-volume';
  }
  if (!matchesTopologies(storageClass.allowedTopologies, node)) return 'no-volume';
  if (claim.spec.resources?.requests.storage === undefined) return undefined;
  return facts.csiDriver(storageClass.provisioner)?.spec.storageCapacity === true
    ? 'unknown-capacity'
    : undefined;
}

function matchesTopologies(terms: readonly NodeSelectorTerm[], node: Node): boolean {
  return (
    terms.length === 0 || matchesNodeSelector({ nodeSelectorTerms: terms }, node.metadata.labels, undefined)
  );
}

function size(claim: PersistentVolumeClaim): Quantity {
  return quantity(claim.spec.resources?.requests ?? {});
}

function capacity(volume: PersistentVolume): Quantity {
  return quantity(volume.spec.capacity);
}

function quantity(list: Readonly<Record<string, string>>): Quantity {
  return parseQuantity(list.storage ?? '0') ?? { nano: 0n, format: 'DecimalSI' };
}

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
