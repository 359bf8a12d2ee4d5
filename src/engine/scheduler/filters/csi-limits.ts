import type { Node } from '../../objects/node.js';
import type { Pod } from '../../objects/pod.js';
import { byPodName } from '../../objects/pod.js';
import { releaseRules } from '../../objects/release-rules.js';
import type { PersistentVolumeClaim } from '../../objects/storage.js';
import { type ClusterFacts, claimClass } from '../cluster-facts.js';
import type { Objection } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter, Situation } from '../situation.js';
import { claimUses } from '../volume-state.js';
import { isPresent, podsOn, type World } from '../world.js';

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
