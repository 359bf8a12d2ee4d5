import type { DeviceClass, RequestedDevices, ResourceClaim } from '../objects/device.js';
import { conditionOf, isPod } from '../objects/metadata.js';
import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod.js';
import type { Amounts } from './amounts.js';
import type { ClusterFacts } from './cluster-facts.js';
import { lazy } from './cluster-facts.js';
import type { DeviceAlternative, DeviceOffer, NeededClaim, TakenDevices } from './device-allocation.js';
import { allocateDevices, offerOf, sumOf } from './device-allocation.js';
import { poolsFor } from './device-pool.js';
import { matchesNodeSelector } from './node-selector.js';
import { podRequests } from './pod-requests.js';
import { parseQuantity } from './quantity.js';
import type { DeviceReason, NotSimulated, NotSimulatedWhy, Objection } from './reason.js';
import { implicitDeviceClass } from './resource-name.js';
import type { World } from './world.js';

export interface DeviceState {
  /** Refusals of the whole pod (PreFilter), and claims of which nothing is known. */
  readonly objections: readonly Objection[];
  /** What leaves every node unanswered that nothing else refuses. */
  readonly unclear: readonly NotSimulated[];
  /** Claims that still need devices, whatever the node. */
  readonly needs: readonly NeededClaim[];
  /**
   * Extended resources that a DeviceClass stands for; they count where the node has none itself.
   */
  readonly extended: ReadonlyMap<string, DeviceAlternative>;
  /** Claims that already have devices, which must be usable on the node. */
  readonly allocated: readonly AllocatedClaim[];
  readonly inUse: () => DevicesInUse;
}

interface AllocatedClaim {
  readonly name: string;
  /** Uids of the pods that it is reserved for. */
  readonly users: readonly string[];
  readonly reaches: (node: Node) => boolean;
}

/** What is taken in this world. */
interface DevicesInUse extends TakenDevices {
  /** The pods that use the device; none where they are not known. Looks through the pods of a namespace. */
  readonly usersOf: (id: string) => readonly Pod[];
  /** Which devices a pod took that came to the node is not known. */
  readonly isUnclear: (node: Node) => boolean;
}

/** A shared claim is reserved for 256 pods at most (`ResourceClaimReservedForMaxSize`). */
const MAX_CONSUMERS = 256;

const none: DeviceState = {
  objections: [],
  unclear: [],
  needs: [],
  extended: new Map(),
  allocated: [],
  inUse: () => ({ has: () => false, consumedOf: () => undefined, usersOf: () => [], isUnclear: () => false }),
};

/** `dynamicresources/dynamicresources.go: PreFilter`. */
export function deviceState(world: World, pod: Pod): DeviceState {
  return stateBeside(world, pod, () => devicesTaken(world));
}

/** @param taken what pods that came to the world have taken */
function stateBeside(world: World, pod: Pod, taken: () => DevicesTaken): DeviceState {
  const claims = podClaims(world.facts, pod);
  const extended = extendedRequests(world, pod);
  if (claims.length === 0 && extended.size === 0) return none;
  const objections: Objection[] = [];
  const unclear: NotSimulated[] = [];
  const needs: NeededClaim[] = [];
  const allocated: AllocatedClaim[] = [];
  for (const item of claims) {
    const { name, claim, problem } = item;
    const holder = claim === undefined ? undefined : taken().claims.get(claimKey(claim));
    if (problem !== undefined) {
      objections.push(refusal(name, problem));
    } else if (holder !== undefined) {
      allocated.push({ name, users: [podKey(holder)], reaches: isNodeOf(holder) });
    } else if (claim?.status.allocation !== undefined && !isReleased(world, claim)) {
      if (claim.status.reservedFor.length >= MAX_CONSUMERS && !isReservedFor(claim, pod)) {
        objections.push({ ...refusal(name, 'resourceclaim in use'), resolvable: true });
      } else {
        const users = claim.status.reservedFor.map(({ uid }) => uid);
        const isUsable = !hasFailed(claim);
        allocated.push({ name, users, reaches: (node) => isUsable && allocationReaches(claim, node) });
      }
    } else {
      const read = readRequests(world, item);
      if (read.need !== undefined) needs.push(read.need);
      objections.push(...read.objections);
      unclear.push(...read.unclear);
    }
  }
  if ((needs.length > 0 || extended.size > 0) && world.facts.resourceSlices().length === 0) {
    unclear.push(notSimulated('slices-unseen', needs[0]?.claim ?? ''));
  }
  const inUse = lazy((): DevicesInUse => {
    const { devices, unclear: nodes } = taken();
    const usesOf = (id: string): readonly DeviceUse[] => [
      ...(devicesInUse(world).get(id) ?? []),
      ...(devices.get(id) ?? []),
    ];
    return {
      has: (id) => usesOf(id).some(({ consumed }) => consumed === undefined),
      consumedOf(id) {
        const uses = usesOf(id).flatMap(({ consumed }) => (consumed === undefined ? [] : [consumed]));
        return uses.length === 0 ? undefined : sumOf(uses);
      },
      usersOf: (id) =>
        usesOf(id).flatMap(({ by }) => ('spec' in by ? [by] : consumersOf(world.facts, by.claim))),
      isUnclear: ({ metadata }) => nodes.has(metadata.name),
    };
  });
  return { objections, unclear, needs, extended, allocated, inUse };
}

/** The claims that count on this node: its own extended resources stand before devices. */
function needsOn(world: World, { needs, extended }: DeviceState, node: Node): readonly NeededClaim[] {
  if (extended.size === 0) return needs;
  const allocatable = world.facts.allocatable(node);
  const requests = [...extended]
    .filter(([resource]) => (allocatable.get(resource) ?? 0n) === 0n)
    .map(([name, alternative]) => ({ name, alternatives: [alternative] }));
  return requests.length === 0 ? needs : [...needs, { claim: '', requests, constraints: [] }];
}

/** What the node offers for all claims of the pod together; `undefined` where they need nothing. */
export function deviceOffer(world: World, state: DeviceState, node: Node): DeviceOffer | undefined {
  const needs = needsOn(world, state, node);
  return needs.length === 0 ? undefined : offerOf(needs, poolsFor(world.facts, node));
}

/** Who has a device, and what they consume of one that is shared. */
interface DeviceUse {
  readonly by: Pod | { readonly claim: ResourceClaim };
  readonly consumed: Amounts | undefined;
}

function addUse(uses: Map<string, DeviceUse[]>, id: string, use: DeviceUse): void {
  const others = uses.get(id);
  if (others === undefined) uses.set(id, [use]);
  else others.push(use);
}

/** What the pods that came to the world have taken, one after the other. */
interface DevicesTaken {
  /** By the id of the device. */
  readonly devices: ReadonlyMap<string, readonly DeviceUse[]>;
  /** The pod for which a claim got its devices. */
  readonly claims: ReadonlyMap<string, Pod>;
  /** Nodes on which it is not known which devices a pod took. */
  readonly unclear: ReadonlySet<string>;
}

const takenIn = new WeakMap<World, DevicesTaken>();

function devicesTaken(world: World): DevicesTaken {
  const known = takenIn.get(world) ?? takeDevices(world);
  takenIn.set(world, known);
  return known;
}

/**
 * The scheduler allocates devices when it places a pod, and never moves them
 * (`dynamicresources.go: Reserve`).
 */
function takeDevices(world: World): DevicesTaken {
  const devices = new Map<string, DeviceUse[]>();
  const claims = new Map<string, Pod>();
  const unclear = new Set<string>();
  const taken = { devices, claims, unclear };
  for (const pod of world.added) {
    const node = world.facts.node(pod.spec.nodeName ?? '');
    const state = stateBeside(world, pod, () => taken);
    const offer = node === undefined ? undefined : deviceOffer(world, state, node);
    if (node === undefined || (offer === undefined && state.unclear.length === 0)) continue;
    world.work?.spend((offer?.pools ?? []).reduce((sum, pool) => sum + pool.devices.length, 1));
    const assigned =
      offer === undefined || state.unclear.length > 0 || offer.unclear !== undefined
        ? undefined
        : allocateDevices(offer, state.inUse());
    if (assigned === undefined || assigned === 'unclear') unclear.add(node.metadata.name);
    else {
      for (const { device, isTaken, consumed } of assigned) {
        if (isTaken) addUse(devices, device.id, { by: pod, consumed });
      }
    }
    for (const { claim } of podClaims(world.facts, pod)) {
      if (claim !== undefined && !state.allocated.some((each) => each.name === claim.metadata.name))
        claims.set(claimKey(claim), pod);
    }
  }
  return taken;
}

function isNodeOf({ spec }: Pod): (node: Node) => boolean {
  return ({ metadata }) => metadata.name === spec.nodeName;
}

function claimKey({ metadata }: ResourceClaim): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** True when the allocation can be used on the node. */
function allocationReaches(claim: ResourceClaim, node: Node): boolean {
  const selector = claim.status.allocation?.nodeSelector;
  return selector === undefined || matchesNodeSelector(selector, node.metadata.labels, node.metadata.name);
}

/**
 * True when a driver reports that a device cannot be prepared: the scheduler then deallocates the claim
 * (`dynamicresources.go: isClaimReadyForBinding`).
 */
function hasFailed({ status }: ResourceClaim): boolean {
  const results = status.allocation?.devices?.results ?? [];
  return results.some(
    (result) =>
      result.bindingConditions.length > 0 &&
      status.devices.some(
        (device) =>
          device.driver === result.driver &&
          device.pool === result.pool &&
          device.device === result.device &&
          result.bindingFailureConditions.some((type) => conditionOf(device, type)?.status === 'True'),
      ),
  );
}

interface Read extends Pick<DeviceState, 'objections' | 'unclear'> {
  readonly need: NeededClaim | undefined;
}

function readRequests(world: World, { name, devices }: PodClaim): Read {
  if (devices === undefined)
    return { need: undefined, objections: [notSimulated('claim-unseen', name)], unclear: [] };
  const objections: Objection[] = [];
  const unclear: NotSimulated[] = [];
  const requests = devices.requests.map((request) => {
    if (request.alternatives.length === 0) unclear.push(notSimulated('device-features', name));
    const alternatives = request.alternatives.map((alternative) => {
      const { deviceClassName, derivedAttributes } = alternative;
      const deviceClass = world.facts.deviceClass(deviceClassName);
      if (derivedAttributes.length > 0) unclear.push(notSimulated('device-features', name));
      if (deviceClass !== undefined) return alternativeOf(deviceClass, alternative);
      if (world.facts.isUnseen('DeviceClass')) {
        unclear.push(notSimulated('claim-unseen', name));
      } else {
        const path = alternative.name === '' ? request.name : `${request.name}/${alternative.name}`;
        objections.push(refusal(name, `request ${path}: device class ${deviceClassName} does not exist`));
      }
      return undefined;
    });
    return { name: request.name, alternatives: alternatives.filter((each) => each !== undefined) };
  });
  return { need: { claim: name, requests, constraints: devices.constraints }, objections, unclear };
}

function alternativeOf({ spec }: DeviceClass, asked: RequestedDevices): DeviceAlternative {
  const { name, allocationMode, count, adminAccess, tolerations, selectors, capacity } = asked;
  return {
    name,
    mode: allocationMode,
    count,
    adminAccess,
    tolerations,
    selectors: [...spec.selectors, ...selectors].map(({ cel }) => cel?.expression),
    capacity: capacity?.requests ?? {},
  };
}

function extendedRequests({ facts }: World, pod: Pod): ReadonlyMap<string, DeviceAlternative> {
  const requests = new Map<string, DeviceAlternative>();
  if (facts.index.objects.DeviceClass.length === 0) return requests;
  for (const [resource, amount] of podRequests(pod, false)) {
    const deviceClass = resource.includes('/') && amount > 0n ? backingClass(facts, resource) : undefined;
    if (deviceClass === undefined) continue;
    requests.set(resource, {
      name: '',
      mode: 'ExactCount',
      count: Number(amount),
      adminAccess: false,
      tolerations: [],
      selectors: deviceClass.spec.selectors.map(({ cel }) => cel?.expression),
      capacity: {},
    });
  }
  return requests;
}

const inUseIn = new WeakMap<World, ReadonlyMap<string, readonly DeviceUse[]>>();

/** The claims that have a device, by the device's id. */
function devicesInUse(world: World): ReadonlyMap<string, readonly DeviceUse[]> {
  const known = inUseIn.get(world);
  if (known !== undefined) return known;
  const inUse = new Map<string, DeviceUse[]>();
  for (const claim of world.facts.deviceClaims()) {
    const results = claim.status.allocation?.devices?.results ?? [];
    if (results.length === 0 || isReleased(world, claim)) continue;
    for (const { driver, pool, device, adminAccess, shareID, consumedCapacity } of results) {
      if (adminAccess) continue;
      const consumed = shareID === undefined ? undefined : exactAmounts(consumedCapacity);
      addUse(inUse, `${driver}/${pool}/${device}`, { by: { claim }, consumed });
    }
  }
  world.work?.spend(world.facts.deviceClaims().length);
  inUseIn.set(world, inUse);
  return inUse;
}

function exactAmounts(quantities: Readonly<Record<string, string>>): Amounts {
  return new Map(
    Object.entries(quantities).map(([name, text]) => [name, parseQuantity(text)?.nano ?? 0n] as const),
  );
}

function refusal(claim: string, text: string): DeviceReason {
  return {
    id: 'dra',
    plugin: 'DynamicResources',
    text,
    resolvable: false,
    preemptible: false,
    claim,
    holders: [],
    tainted: [],
  };
}

function notSimulated(why: NotSimulatedWhy, subject: string): NotSimulated {
  return { id: 'not-simulated', plugin: 'DynamicResources', why, subject };
}

/**
 * True when devices must give what the node's device plugin does not: the node has none of the resource and a
 * DeviceClass stands for it (`noderesources/fit.go: shouldDelegateResourceToDRA`, on by default since 1.36).
 */
export function isDeviceBacked(facts: ClusterFacts, allocatable: Amounts, resource: string): boolean {
  if (!resource.includes('/') || (allocatable.get(resource) ?? 0n) > 0n) return false;
  return backingClass(facts, resource) !== undefined;
}

/**
 * The class whose devices stand for an extended resource, by its `extendedResourceName` or the implicit name.
 */
function backingClass(facts: ClusterFacts, resource: string): DeviceClass | undefined {
  const implicit = implicitDeviceClass(resource);
  return implicit === undefined ? facts.deviceClassOfExtendedResource(resource) : facts.deviceClass(implicit);
}

/** A claim of the pod, or the template a claim will be made from. */
interface PodClaim {
  readonly name: string;
  readonly claim: ResourceClaim | undefined;
  readonly devices: ResourceClaim['spec']['devices'] | undefined;
  /** What the scheduler says of a claim that cannot be used. */
  readonly problem: string | undefined;
}

/** The claims a pod names, as `resourceclaim.Name` resolves them; one without a claim to make is left out. */
function podClaims(facts: ClusterFacts, pod: Pod): readonly PodClaim[] {
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
function consumersOf(facts: ClusterFacts, claim: ResourceClaim): readonly Pod[] {
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
function isReleased(world: World, claim: ResourceClaim): boolean {
  if (world.preempted !== undefined) return false;
  const { removed, facts } = world;
  const gone = (uid: string, name: string): boolean => {
    const key = uid === '' ? `${claim.metadata.namespace}/${name}` : uid;
    return removed.has(key) || facts.hasEnded(key);
  };
  const { reservedFor } = claim.status;
  if (reservedFor.length > 0) return reservedFor.every(({ uid, name }) => gone(uid, name));
  return claim.metadata.ownerReferences.some((owner) => isPod(owner) && gone(owner.uid, owner.name));
}

function isReservedFor(claim: ResourceClaim, pod: Pod): boolean {
  return claim.status.reservedFor.some(({ uid }) => uid !== '' && uid === podKey(pod));
}
