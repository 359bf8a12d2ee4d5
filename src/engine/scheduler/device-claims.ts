import type { DeviceToleration, ResourceClaim } from '../objects/device.js';
import type { Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod-key.js';
import type { ClusterFacts } from './cluster-facts.js';
import type { World } from './world.js';

export interface DeviceRequest {
  /** Name of the claim; '' for devices behind an extended resource. */
  readonly claim: string;
  readonly name: string;
  readonly deviceClass: string;
  readonly mode: string;
  readonly count: number;
  readonly adminAccess: boolean;
  readonly tolerations: readonly DeviceToleration[];
  readonly selectors: readonly (string | undefined)[];
}

/** A claim of the pod, or the template a claim will be made from. */
export interface PodClaim {
  readonly name: string;
  readonly claim: ResourceClaim | undefined;
  readonly devices: ResourceClaim['spec']['devices'] | undefined;
  /** What the scheduler says of a claim that cannot be used. */
  readonly problem: string | undefined;
}

/** The claims a pod names, as `resourceclaim.Name` resolves them; one without a claim to make is left out. */
export function podClaims(facts: ClusterFacts, pod: Pod): readonly PodClaim[] {
  const { namespace } = pod.metadata;
  return pod.spec.resourceClaims.flatMap((reference): readonly PodClaim[] => {
    const status = pod.status.resourceClaimStatuses.find(({ name }) => name === reference.name);
    if (status !== undefined && status.resourceClaimName === undefined) return [];
    const name = reference.resourceClaimName ?? status?.resourceClaimName;
    if (name === undefined) {
      const template = reference.resourceClaimTemplateName ?? '';
      const devices = facts.deviceClaimTemplate(namespace, template)?.spec.spec.devices;
      return [{ name: reference.name, claim: undefined, devices, problem: undefined }];
    }
    const claim = facts.deviceClaim(namespace, name);
    if (claim === undefined) {
      const problem = `could not find ResourceClaim "${namespace}/${name}"`;
      return [
        { name, claim, devices: undefined, problem: facts.isUnseen('ResourceClaim') ? undefined : problem },
      ];
    }
    const problem =
      claim.metadata.deletionTimestamp === undefined ? undefined : `resourceclaim "${name}" is being deleted`;
    return [{ name, claim, devices: claim.spec.devices, problem }];
  });
}

/** Pods that a claim's allocation is reserved for, as far as they are known. */
export function consumersOf(facts: ClusterFacts, claim: ResourceClaim): readonly Pod[] {
  const names = new Set(claim.status.reservedFor.map(({ name, uid }) => `${name} ${uid}`));
  if (names.size === 0) return [];
  return facts
    .assignedIn(claim.metadata.namespace)
    .filter(({ metadata }) => names.has(`${metadata.name} ${metadata.uid}`));
}

/**
 * True when nothing of the claim's allocation is left in this world: all its consumers, or the pod it was
 * made for, are gone or have ended. The claim controller then gives the devices back
 * (`resourceclaim/controller.go: isPodDone`).
 */
export function isReleased(world: World, claim: ResourceClaim): boolean {
  if (!world.settled) return false;
  const { removed, facts } = world;
  const gone = (uid: string, name: string): boolean => {
    const key = uid === '' ? `${claim.metadata.namespace}/${name}` : uid;
    return removed.has(key) || facts.hasEnded(key);
  };
  const { reservedFor } = claim.status;
  if (reservedFor.length > 0) return reservedFor.every(({ uid, name }) => gone(uid, name));
  return claim.metadata.ownerReferences.some(({ kind, uid, name }) => kind === 'Pod' && gone(uid, name));
}

export function isReservedFor(claim: ResourceClaim, pod: Pod): boolean {
  return claim.status.reservedFor.some(({ uid }) => uid !== '' && uid === podKey(pod));
}
