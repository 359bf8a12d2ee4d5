import type { DeviceClass, DeviceTaint, DeviceToleration, ResourceClaim } from '../objects/device.js';
import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod-key.js';
import type { JsonObject } from '../objects/wire.js';
import type { Amounts } from './amounts.js';
import type { ClusterFacts } from './cluster-facts.js';
import { devicesFor, type PooledDevice } from './device-pool.js';
import { lazy } from './lazy.js';
import { matchesNodeSelector } from './node-selector.js';
import { podRequests } from './pod-requests.js';
import type { DeviceReason, NotSimulated, NotSimulatedWhy, Objection } from './reason.js';
import { implicitDeviceClass } from './resource-name.js';
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

/** A request with the devices that its selectors accept. */
export interface DeviceChoice {
  readonly request: DeviceRequest;
  readonly selected: readonly PooledDevice[];
  /** Why it is not known which devices they accept. */
  readonly why: NotSimulatedWhy | undefined;
}

export function choicesOf(
  requests: readonly DeviceRequest[],
  devices: readonly PooledDevice[],
): readonly DeviceChoice[] {
  return requests.map((request) => ({ request, ...selectable(request, devices) }));
}

/**
 * Free devices for all requests together, or `undefined` when there are too few. Devices are exclusive,
 * except under administrative access, which takes none. A taint that the request does not tolerate keeps it
 * off the device in either case.
 */
export function assignDevices(
  choices: readonly DeviceChoice[],
  isFree: (device: PooledDevice) => boolean,
): readonly PooledDevice[] | undefined {
  const slots: (readonly PooledDevice[])[] = [];
  for (const { request, selected } of choices) {
    const usable = selected.filter(
      (device) => intolerableTaints(request, device).length === 0 && (request.adminAccess || isFree(device)),
    );
    const wanted = request.mode === 'All' ? selected.length : request.count;
    if (usable.length < wanted || wanted === 0) return undefined;
    if (request.adminAccess) continue;
    for (let slot = 0; slot < wanted; slot += 1) slots.push(usable);
  }
  const assigned = assignAll(slots);
  return assigned === undefined ? undefined : [...assigned.keys()];
}

/** Taints that keep the request off the device (`allocator_stable.go: taintPreventsAllocation`). */
export function intolerableTaints(
  { tolerations }: DeviceRequest,
  { taints }: PooledDevice,
): PooledDevice['taints'] {
  return taints.filter(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** `resourceclaim/devicetoleration.go: ToleratesTaint`. */
function tolerates({ key, operator, value, effect }: DeviceToleration, taint: DeviceTaint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (operator === 'Equal' && value === taint.value);
}

function selectable(
  { selectors }: DeviceRequest,
  devices: readonly PooledDevice[],
): Pick<DeviceChoice, 'selected' | 'why'> {
  const selected: PooledDevice[] = [];
  for (const device of devices) {
    const answers = selectors.map((selector) =>
      selector === undefined ? undefined : matchesDeviceSelector(selector, device),
    );
    if (answers.includes(false)) continue;
    if (answers.includes(undefined)) return { selected: [], why: 'device-selector' };
    if (!device.simple) return { selected: [], why: 'device-features' };
    selected.push(device);
  }
  return { selected, why: undefined };
}

/**
 * The items by slot when every slot can have an item of its own; `acceptable` gives each slot's items. Exact
 * (augmenting paths), so that a greedy choice for one slot never makes another one seem impossible.
 */
export function assignAll<Item>(
  acceptable: readonly (readonly Item[])[],
): ReadonlyMap<Item, number> | undefined {
  const slotOf = new Map<Item, number>();
  const assign = (slot: number, tried: Set<Item>): boolean => {
    for (const item of acceptable[slot] ?? []) {
      if (tried.has(item)) continue;
      tried.add(item);
      const holder = slotOf.get(item);
      if (holder === undefined || assign(holder, tried)) {
        slotOf.set(item, slot);
        return true;
      }
    }
    return false;
  };
  return acceptable.every((_, slot) => assign(slot, new Set())) ? slotOf : undefined;
}

/** What a selector is asked about. Attribute names without a domain belong to the driver's. */
interface SelectableDevice {
  readonly driver: string;
  readonly attributes: JsonObject;
}

/** `undefined`: the expression is more than this reads, or the device lacks what it compares. */
type Answer = boolean | undefined;

const DRIVER = /^device\.driver\s*==\s*(?:"([^"\\]*)"|'([^'\\]*)')$/;
const ATTRIBUTE =
  /^device\.attributes\[(?:"([^"\\]+)"|'([^'\\]+)')\]\.([A-Za-z_]\w*)\s*==\s*(?:"([^"\\]*)"|'([^'\\]*)'|(-?\d+)|(true|false))$/;

/**
 * Answers the part of CEL that device classes are mostly made of: `device.driver == "x"` and
 * `device.attributes["domain"].name == literal`, joined by `&&`. Everything else stays unanswered, but one
 * false part decides, as it does in CEL.
 */
export function matchesDeviceSelector(expression: string, device: SelectableDevice): Answer {
  let answer: Answer = true;
  for (const part of expression.split('&&')) {
    const partial = matchesPart(part.trim(), device);
    if (partial === false) return false;
    if (partial === undefined) answer = undefined;
  }
  return answer;
}

function matchesPart(part: string, device: SelectableDevice): Answer {
  const driver = DRIVER.exec(part);
  if (driver !== null) return (driver[1] ?? driver[2]) === device.driver;
  const attribute = ATTRIBUTE.exec(part);
  if (attribute === null) return undefined;
  const [, doubleDomain, singleDomain, name = '', doubleText, singleText, integer, boolean] = attribute;
  const found = attributeOf(device, doubleDomain ?? singleDomain ?? '', name);
  const text = doubleText ?? singleText;
  if (text !== undefined) return typeof found?.string === 'string' ? found.string === text : undefined;
  if (integer !== undefined)
    return typeof found?.int === 'number' ? found.int === Number(integer) : undefined;
  return typeof found?.bool === 'boolean' ? found.bool === (boolean === 'true') : undefined;
}

function attributeOf(device: SelectableDevice, domain: string, name: string): JsonObject | undefined {
  const found =
    device.attributes[`${domain}/${name}`] ??
    (domain === device.driver ? device.attributes[name] : undefined);
  return typeof found === 'object' && found !== null ? (found as JsonObject) : undefined;
}

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

function isReservedFor(claim: ResourceClaim, pod: Pod): boolean {
  return claim.status.reservedFor.some(({ uid }) => uid !== '' && uid === podKey(pod));
}
