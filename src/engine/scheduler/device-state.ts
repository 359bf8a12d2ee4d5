import type { ResourceClaim } from '../objects/device.js';
import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod-key.js';
import { backingClass } from './device-backed.js';
import { assignDevices, choicesOf } from './device-choice.js';
import {
  consumersOf,
  type DeviceRequest,
  isReleased,
  isReservedFor,
  type PodClaim,
  podClaims,
} from './device-claims.js';
import { devicesFor } from './device-pool.js';
import { lazy } from './lazy.js';
import { matchesNodeSelector } from './node-selector.js';
import { podRequests } from './pod-requests.js';
import type { DeviceReason, NotSimulated, NotSimulatedWhy, Objection } from './reason.js';
import type { World } from './world.js';

export interface DeviceState {
  /** Refusals of the whole pod (PreFilter), and claims of which nothing is known. */
  readonly objections: readonly Objection[];
  /** What leaves every node unanswered that nothing else refuses. */
  readonly unclear: readonly NotSimulated[];
  /** Requests that still need devices, whatever the node. */
  readonly requests: readonly DeviceRequest[];
  /**
   * Extended resources that a DeviceClass stands for, as requests; they count where the node has none itself.
   */
  readonly extended: ReadonlyMap<string, DeviceRequest>;
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
export interface DevicesInUse {
  readonly has: (id: string) => boolean;
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
  requests: [],
  extended: new Map(),
  allocated: [],
  inUse: () => ({ has: () => false, usersOf: () => [], isUnclear: () => false }),
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
  const requests: DeviceRequest[] = [];
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
        allocated.push({ name, users, reaches: (node) => allocationReaches(claim, node) });
      }
    } else {
      const read = readRequests(world, item);
      requests.push(...read.requests);
      objections.push(...read.objections);
      unclear.push(...read.unclear);
    }
  }
  if ((requests.length > 0 || extended.size > 0) && world.facts.resourceSlices().length === 0) {
    unclear.push(notSimulated('slices-unseen', requests[0]?.claim ?? ''));
  }
  const inUse = lazy((): DevicesInUse => {
    const { pods, unclear: nodes } = taken();
    const claims = devicesInUse(world);
    return {
      has: (id) => pods.has(id) || claims.has(id),
      usersOf(id) {
        const pod = pods.get(id);
        if (pod !== undefined) return [pod];
        const claim = claims.get(id);
        return claim === undefined ? [] : consumersOf(world.facts, claim);
      },
      isUnclear: ({ metadata }) => nodes.has(metadata.name),
    };
  });
  return { objections, unclear, requests, extended, allocated, inUse };
}

/** The requests that count on this node: its own extended resources stand before devices. */
export function requestsOn(world: World, state: DeviceState, node: Node): readonly DeviceRequest[] {
  if (state.extended.size === 0) return state.requests;
  const allocatable = world.facts.allocatable(node);
  const extended = [...state.extended].filter(([resource]) => (allocatable.get(resource) ?? 0n) === 0n);
  return [...state.requests, ...extended.map(([, request]) => request)];
}

/** What the pods that came to the world have taken, one after the other. */
interface DevicesTaken {
  /** By the id of the device. */
  readonly pods: ReadonlyMap<string, Pod>;
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
  const pods = new Map<string, Pod>();
  const claims = new Map<string, Pod>();
  const unclear = new Set<string>();
  const taken = { pods, claims, unclear };
  const before = devicesInUse(world);
  for (const pod of world.added) {
    const node = world.facts.node(pod.spec.nodeName ?? '');
    const state = stateBeside(world, pod, () => taken);
    const requests = node === undefined ? [] : requestsOn(world, state, node);
    if (node === undefined || (requests.length === 0 && state.unclear.length === 0)) continue;
    const devices = devicesFor(world.facts, node);
    world.work?.spend(devices.length * (1 + requests.length));
    const choices = choicesOf(requests, devices);
    const assigned =
      state.unclear.length > 0 || choices.some(({ why }) => why !== undefined)
        ? undefined
        : assignDevices(choices, ({ id }) => !before.has(id) && !pods.has(id));
    if (assigned === undefined) unclear.add(node.metadata.name);
    for (const { id } of assigned ?? []) pods.set(id, pod);
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

type Read = Pick<DeviceState, 'requests' | 'objections' | 'unclear'>;

function readRequests(world: World, { name, devices }: PodClaim): Read {
  if (devices === undefined)
    return { requests: [], objections: [notSimulated('claim-unseen', name)], unclear: [] };
  const requests: DeviceRequest[] = [];
  const objections: Objection[] = [];
  const unclear: NotSimulated[] = [];
  if (devices.constraints.length > 0) unclear.push(notSimulated('device-features', name));
  for (const { name: request, exactly } of devices.requests) {
    const deviceClass = exactly === undefined ? undefined : world.facts.deviceClass(exactly.deviceClassName);
    if (exactly === undefined) {
      unclear.push(notSimulated('device-features', name));
    } else if (deviceClass !== undefined) {
      requests.push({
        claim: name,
        name: request,
        deviceClass: exactly.deviceClassName,
        mode: exactly.allocationMode,
        count: exactly.count,
        adminAccess: exactly.adminAccess,
        tolerations: exactly.tolerations,
        selectors: [...deviceClass.spec.selectors, ...exactly.selectors].map(({ cel }) => cel?.expression),
      });
    } else if (world.facts.isUnseen('DeviceClass')) {
      unclear.push(notSimulated('claim-unseen', name));
    } else {
      objections.push(
        refusal(name, `request ${request}: device class ${exactly.deviceClassName} does not exist`),
      );
    }
  }
  return { requests, objections, unclear };
}

function extendedRequests({ facts }: World, pod: Pod): ReadonlyMap<string, DeviceRequest> {
  const requests = new Map<string, DeviceRequest>();
  if (facts.index.objects.DeviceClass.length === 0) return requests;
  for (const [resource, amount] of podRequests(pod, false)) {
    const deviceClass = resource.includes('/') && amount > 0n ? backingClass(facts, resource) : undefined;
    if (deviceClass === undefined) continue;
    requests.set(resource, {
      claim: '',
      name: resource,
      deviceClass: deviceClass.metadata.name,
      mode: 'ExactCount',
      count: Number(amount),
      adminAccess: false,
      tolerations: [],
      selectors: deviceClass.spec.selectors.map(({ cel }) => cel?.expression),
    });
  }
  return requests;
}

const inUseIn = new WeakMap<World, ReadonlyMap<string, ResourceClaim>>();

/** The claim that has a device, by the device's id. */
function devicesInUse(world: World): ReadonlyMap<string, ResourceClaim> {
  const known = inUseIn.get(world);
  if (known !== undefined) return known;
  const inUse = new Map<string, ResourceClaim>();
  for (const claim of world.facts.deviceClaims()) {
    const results = claim.status.allocation?.devices?.results ?? [];
    if (results.length === 0 || isReleased(world, claim)) continue;
    for (const { driver, pool, device, adminAccess } of results) {
      if (!adminAccess) inUse.set(`${driver}/${pool}/${device}`, claim);
    }
  }
  world.work?.spend(world.facts.deviceClaims().length);
  inUseIn.set(world, inUse);
  return inUse;
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
