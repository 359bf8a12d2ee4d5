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
  /** Refusals of the whole pod (PreFilter), and claims of which nothing is known. */
  readonly objections: readonly Objection[];
  /** What leaves every node unanswered that nothing else refuses. */
  readonly unclear: readonly NotSimulated[];
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
  unclear: [],
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
  const unclear: NotSimulated[] = [];
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
      unclear.push(...read.unclear);
    }
  }
  if ((requests.length > 0 || extended.size > 0) && world.facts.resourceSlices().length === 0) {
    unclear.push(notSimulated('slices-unseen', requests[0]?.claim ?? ''));
  }
  return { objections, unclear, requests, extended, allocated, inUse: lazy(() => devicesInUse(world)) };
}

/** True when the allocation can be used on the node. */
export function allocationReaches(claim: ResourceClaim, node: Node): boolean {
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
