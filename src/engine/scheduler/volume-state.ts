import type { Pod } from '../objects/pod.js';
import type { PersistentVolume, PersistentVolumeClaim } from '../objects/storage.js';
import { type ClusterFacts, claimClass } from './cluster-facts.js';
import type { ClaimReason, NotSimulated, Objection } from './reason.js';
import type { World } from './world.js';

/** A claim that has its volume. */
type BoundClaim = { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume };

/** The pod's claims, sorted by what must still happen to them. */
export interface VolumeState {
  /** Refusals of the whole pod (PreFilter), in the order in which the scheduler would come to them. */
  readonly objections: readonly Objection[];
  readonly bound: readonly BoundClaim[];
  /** Claims whose volume is chosen together with the node (WaitForFirstConsumer). */
  readonly delayed: readonly PersistentVolumeClaim[];
  /** Names of claims with access mode ReadWriteOncePod. */
  readonly exclusive: readonly string[];
}

const none: VolumeState = { objections: [], bound: [], delayed: [], exclusive: [] };

export function volumeState(world: World, pod: Pod): VolumeState {
  const uses = claimUses(pod);
  if (uses.length === 0) return none;
  const { facts } = world;
  const objections: Objection[] = [];
  const bound: BoundClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  const exclusive: string[] = [];
  for (const use of uses) {
    const claim = facts.claim(pod.metadata.namespace, use.name);
    if (claim === undefined) {
      objections.push(missing(facts, pod, use));
      continue;
    }
    if (!use.ephemeral && claim.spec.accessModes.includes('ReadWriteOncePod')) exclusive.push(use.name);
    const unusable = unusableClaim(pod, claim, use);
    if (unusable !== undefined) {
      objections.push(unusable);
    } else if (isBound(claim)) {
      const volume = facts.volume(claim.spec.volumeName);
      if (volume === undefined) objections.push(lostVolume(facts, claim));
      else bound.push({ claim, volume });
    } else if (isDelayed(facts, claim)) {
      delayed.push(claim);
    } else {
      objections.push(refusal('unbound-pvc', claim, 'pod has unbound immediate PersistentVolumeClaims'));
    }
  }
  return { objections: inPluginOrder(objections), bound, delayed, exclusive };
}

type ClaimUse = { readonly name: string; readonly ephemeral: boolean };

/** The claims behind a pod's volumes; a generic ephemeral volume's claim is named after pod and volume. */
export function claimUses(pod: Pod): readonly ClaimUse[] {
  const uses: ClaimUse[] = [];
  for (const volume of pod.spec.volumes) {
    if (volume.persistentVolumeClaim !== undefined) {
      uses.push({ name: volume.persistentVolumeClaim.claimName, ephemeral: false });
    } else if (volume.ephemeral !== undefined) {
      uses.push({ name: `${pod.metadata.name}-${volume.name}`, ephemeral: true });
    }
  }
  return uses;
}

/** Fully bound: it names its volume, and the binding is completed (`binder.go: isPVCFullyBound`). */
function isBound(claim: PersistentVolumeClaim): boolean {
  return (
    claim.spec.volumeName !== '' &&
    (claim.metadata.annotations['pv.kubernetes.io/bind-completed'] !== undefined ||
      claim.status.phase === 'Bound')
  );
}

function isDelayed(facts: ClusterFacts, claim: PersistentVolumeClaim): boolean {
  return (
    claim.spec.volumeName === '' &&
    facts.storageClass(claimClass(claim))?.volumeBindingMode === 'WaitForFirstConsumer'
  );
}

function missing(facts: ClusterFacts, pod: Pod, use: ClaimUse): Objection {
  if (facts.isUnseen('PersistentVolumeClaim')) return unseen(use.name);
  if (use.ephemeral && pod.metadata.uid === '') {
    return { id: 'not-simulated', plugin: 'VolumeBinding', why: 'ephemeral-volume', subject: use.name };
  }
  return {
    id: 'pvc-missing',
    plugin: use.ephemeral ? 'VolumeBinding' : 'VolumeRestrictions',
    text: use.ephemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${use.name}"`
      : `persistentvolumeclaim "${use.name}" not found`,
    resolvable: false,
    preemptible: false,
    claim: use.name,
  };
}

function unusableClaim(pod: Pod, claim: PersistentVolumeClaim, use: ClaimUse): ClaimReason | undefined {
  const { name, namespace } = claim.metadata;
  if (claim.status.phase === 'Lost') {
    return refusal(
      'lost-pv',
      claim,
      `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName}"`,
    );
  }
  if (claim.metadata.deletionTimestamp !== undefined) {
    return refusal('pvc-missing', claim, `persistentvolumeclaim "${name}" is being deleted`);
  }
  const owner = claim.metadata.ownerReferences.find(({ controller }) => controller);
  if (use.ephemeral && owner?.uid !== pod.metadata.uid) {
    const text = `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`;
    return refusal('pvc-missing', claim, text);
  }
  return undefined;
}

function lostVolume(facts: ClusterFacts, claim: PersistentVolumeClaim): Objection {
  const volume = claim.spec.volumeName;
  if (facts.isUnseen('PersistentVolume')) return unseen(claim.metadata.name);
  return { ...refusal('lost-pv', claim, `persistentvolume "${volume}" not found`), plugin: 'VolumeZone' };
}

function unseen(subject: string): NotSimulated {
  return { id: 'not-simulated', plugin: 'VolumeBinding', why: 'claim-unseen', subject };
}

function refusal(id: ClaimReason['id'], claim: PersistentVolumeClaim, text: string): ClaimReason {
  return {
    id,
    plugin: 'VolumeBinding',
    text,
    resolvable: false,
    preemptible: false,
    claim: claim.metadata.name,
  };
}

const ORDER = ['VolumeRestrictions', 'VolumeBinding', 'VolumeZone'];

/** VolumeBinding looks for missing and unusable claims of all volumes before it looks for unbound ones. */
function inPluginOrder(objections: readonly Objection[]): readonly Objection[] {
  const rank = (objection: Objection): number =>
    ORDER.indexOf(objection.plugin) * 2 + (objection.id === 'unbound-pvc' ? 1 : 0);
  return [...objections].sort((a, b) => rank(a) - rank(b));
}
