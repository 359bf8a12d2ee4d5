import type { ResourceClaim } from '../cluster/device.js';
import type { Node } from '../cluster/node.js';
import type { Pod } from '../cluster/pod.js';
import { backingClass } from './device-backed.js';
import {
  consumersOf,
  type DeviceRequest,
  isReleased,
  isReservedFor,
  type PodClaim,
  podClaims,
} from './device-claims.js';
import { lazy } from './lazy.js';
import { matchesNodeSelector } from './node-selector.js';
import { podRequests } from './pod-requests.js';
import type { DeviceReason, NotSimulated, NotSimulatedWhy, Objection } from './reason.js';
import type { World } from './world.js';

export interface DeviceState {
  /** Refusals of the whole pod (PreFilter) and what could not be worked out. */
  readonly objections: readonly Objection[];
  /** Requests that still need devices, whatever the node. */
  readonly requests: readonly DeviceRequest[];
  /** Extended resources that a DeviceClass stands for, as requests; they count where the node has none itself. */
  readonly extended: ReadonlyMap<string, DeviceRequest>;
  /** Claims that already have devices, which must be usable on the node. */
  readonly allocated: readonly ResourceClaim[];
  /** Devices that are taken in this world, with the pods that use them. */
  readonly inUse: () => ReadonlyMap<string, readonly Pod[]>;
}

/** A shared claim is reserved for 256 pods at most (`ResourceClaimReservedForMaxSize`). */
const MAX_CONSUMERS = 256;

const none: DeviceState = {
  objections: [],
  requests: [],
  extended: new Map(),
  allocated: [],
  inUse: () => new Map(),
};

/** `dynamicresources/dynamicresources.go: PreFilter`. */
export function deviceState(world: World, pod: Pod): DeviceState {
  const claims = podClaims(world.facts, pod);
  const extended = extendedRequests(world, pod);
  if (claims.length === 0 && extended.size === 0) return none;
  const objections: Objection[] = [];
  const requests: DeviceRequest[] = [];
  const allocated: ResourceClaim[] = [];
  for (const item of claims) {
    const { name, claim, problem } = item;
    if (problem !== undefined) {
      objections.push(refusal(name, problem));
    } else if (claim?.status.allocation !== undefined && !isReleased(world, claim)) {
      if (claim.status.reservedFor.length >= MAX_CONSUMERS && !isReservedFor(claim, pod)) {
        objections.push({ ...refusal(name, 'resourceclaim in use'), resolvable: true });
      } else allocated.push(claim);
    } else {
      const read = readRequests(world, item);
      requests.push(...read.requests);
      objections.push(...read.objections);
    }
  }
  if ((requests.length > 0 || extended.size > 0) && world.facts.resourceSlices().length === 0) {
    objections.push(notSimulated('slices-unseen', requests[0]?.claim ?? ''));
  }
  return { objections, requests, extended, allocated, inUse: lazy(() => devicesInUse(world)) };
}

/** True when the allocation can be used on the node. */
export function allocationReaches(claim: ResourceClaim, node: Node): boolean {
  const selector = claim.status.allocation?.nodeSelector;
  return selector === undefined || matchesNodeSelector(selector, node.metadata.labels, node.metadata.name);
}

function readRequests(
  world: World,
  { name, devices }: PodClaim,
): Pick<DeviceState, 'requests' | 'objections'> {
  if (devices === undefined) return { requests: [], objections: [notSimulated('claim-unseen', name)] };
  if (devices.constraints.length > 0)
    return { requests: [], objections: [notSimulated('device-features', name)] };
  const requests: DeviceRequest[] = [];
  const objections: Objection[] = [];
  for (const { name: request, exactly } of devices.requests) {
    if (exactly === undefined) {
      objections.push(notSimulated('device-features', name));
      continue;
    }
    const deviceClass = world.facts.deviceClass(exactly.deviceClassName);
    if (deviceClass === undefined) {
      const text = `request ${request}: device class ${exactly.deviceClassName} does not exist`;
      objections.push(
        world.facts.isUnseen('DeviceClass') ? notSimulated('claim-unseen', name) : refusal(name, text),
      );
      continue;
    }
    requests.push({
      claim: name,
      name: request,
      deviceClass: exactly.deviceClassName,
      mode: exactly.allocationMode,
      count: exactly.count,
      adminAccess: exactly.adminAccess,
      selectors: [...deviceClass.spec.selectors, ...exactly.selectors].map(({ cel }) => cel?.expression),
    });
  }
  return { requests, objections };
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
      selectors: deviceClass.spec.selectors.map(({ cel }) => cel?.expression),
    });
  }
  return requests;
}

function devicesInUse(world: World): ReadonlyMap<string, readonly Pod[]> {
  const inUse = new Map<string, readonly Pod[]>();
  for (const claim of world.facts.deviceClaims()) {
    const results = claim.status.allocation?.devices?.results ?? [];
    if (results.length === 0 || isReleased(world, claim)) continue;
    const pods = consumersOf(world.facts, claim);
    for (const { driver, pool, device, adminAccess } of results) {
      if (!adminAccess) inUse.set(`${driver}/${pool}/${device}`, pods);
    }
  }
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
  };
}

function notSimulated(why: NotSimulatedWhy, subject: string): NotSimulated {
  return { id: 'not-simulated', plugin: 'DynamicResources', why, subject };
}
