import { compareText, groupBy } from '../collections/collections.js';
import type { DeviceCapacity, DeviceTaint, DeviceTaintRule, ResourceSlice } from '../objects/device.js';
import type { Node } from '../objects/node.js';
import type { JsonObject } from '../objects/wire.js';
import type { Amounts } from './amounts.js';
import type { ClusterFacts } from './cluster-facts.js';
import { matchesNodeSelector } from './node-selector.js';
import { parseQuantity } from './quantity.js';

/** Devices of one driver that reach a node, in the order in which the scheduler tries them. */
export interface DevicePool {
  /**
   * `incomplete`: slices of its generation are missing. `invalid`: names of its devices repeat, or a device
   * consumes a counter that no slice has. Neither gives devices.
   */
  readonly state: 'complete' | 'incomplete' | 'invalid';
  readonly devices: readonly PooledDevice[];
  /** What its devices share, in billionths, by the name of the set and the counter. */
  readonly counters: Amounts;
  /** Devices of the whole pool that consume counters, on any node. */
  readonly consumers: readonly CounterConsumer[];
}

export interface CounterConsumer {
  /** driver/pool/name: unique in the cluster. */
  readonly id: string;
  readonly consumes: Amounts;
}

/** A device that a node can use. */
export interface PooledDevice extends CounterConsumer {
  readonly driver: string;
  readonly attributes: JsonObject;
  readonly capacity: Readonly<Record<string, DeviceCapacity>>;
  /** Several claims may have it, as far as its capacity goes. */
  readonly isShared: boolean;
  /** It uses a feature of the API that is off by default in every release, and that is not simulated. */
  readonly isUnknown: boolean;
  /** Of its driver, and of the rules that select it (`resourceslice/tracker: applyPatches`). */
  readonly taints: readonly PooledTaint[];
  readonly pool: DevicePool;
}

interface PooledTaint extends DeviceTaint {
  /** The DeviceTaintRule; none for a taint of the driver. */
  readonly rule: string | undefined;
}

/** The pools that reach the node (`structured/internal pools: GatherPools`). */
export function poolsFor(
  facts: Pick<ClusterFacts, 'resourceSlices' | 'deviceTaintRules'>,
  node: Node,
): readonly DevicePool[] {
  const slices = facts.resourceSlices();
  const sorted = sortedIn.get(slices) ?? sortSlices(slices);
  sortedIn.set(slices, sorted);
  const found = sorted.byNode.get(node);
  if (found !== undefined) return found;
  const reaching = [...(sorted.onNode.get(node.metadata.name) ?? []), ...sorted.elsewhere]
    .filter((slice) => reaches(slice, node))
    .sort(inOrder);
  const pools = [...groupBy(reaching, poolOf)]
    .flatMap(([id, found]): readonly DevicePool[] => {
      const pool = poolFrom(found, sorted.pools.get(id) ?? [], node, facts.deviceTaintRules());
      return pool === undefined ? [] : [pool];
    })
    // The scheduler prefers devices that need no preparation before a pod is bound.
    .sort((a, b) => Number(bindsLate(a, sorted)) - Number(bindsLate(b, sorted)));
  sorted.byNode.set(node, pools);
  return pools;
}

interface SortedSlices {
  /** By pool, each by name. */
  readonly pools: ReadonlyMap<string, readonly ResourceSlice[]>;
  readonly onNode: ReadonlyMap<string, readonly ResourceSlice[]>;
  /** Slices that may reach any node. */
  readonly elsewhere: readonly ResourceSlice[];
  readonly late: ReadonlySet<string>;
  /** A simulation asks for the devices of the same nodes at every step. */
  readonly byNode: WeakMap<Node, readonly DevicePool[]>;
}

const sortedIn = new WeakMap<readonly ResourceSlice[], SortedSlices>();

function sortSlices(slices: readonly ResourceSlice[]): SortedSlices {
  const sorted = [...slices].sort(inOrder);
  const late = sorted.flatMap(({ spec }) =>
    spec.devices
      .filter(({ bindingConditions }) => bindingConditions.length > 0)
      .map(({ name }) => deviceId(spec, name)),
  );
  return {
    pools: groupBy(sorted, poolOf),
    onNode: groupBy(sorted, ({ spec }) => spec.nodeName ?? ''),
    elsewhere: sorted.filter(({ spec }) => (spec.nodeName ?? '') === ''),
    late: new Set(late),
    byNode: new WeakMap(),
  };
}

function inOrder(a: ResourceSlice, b: ResourceSlice): number {
  return (
    compareText(a.spec.driver, b.spec.driver) ||
    compareText(a.spec.pool.name, b.spec.pool.name) ||
    compareText(a.metadata.name, b.metadata.name)
  );
}

const bindsLate = ({ devices }: DevicePool, { late }: SortedSlices): boolean =>
  devices.some(({ id }) => late.has(id));

const poolOf = ({ spec }: ResourceSlice): string => `${spec.driver}/${spec.pool.name}`;
const deviceId = ({ driver, pool }: ResourceSlice['spec'], device: string): string =>
  `${driver}/${pool.name}/${device}`;

interface Chosen {
  readonly nodeName?: string | undefined;
  readonly allNodes: boolean;
  readonly nodeSelector?: ResourceSlice['spec']['nodeSelector'];
}

function reaches({ spec }: ResourceSlice, node: Node): boolean {
  return spec.perDeviceNodeSelection
    ? spec.devices.some((device) => isMeantFor(device, node))
    : isMeantFor(spec, node);
}

function isMeantFor({ nodeName = '', allNodes, nodeSelector }: Chosen, { metadata }: Node): boolean {
  if (nodeName !== '') return nodeName === metadata.name;
  if (allNodes) return true;
  return nodeSelector !== undefined && matchesNodeSelector(nodeSelector, metadata.labels, metadata.name);
}

/**
 * Of the slices that reach the node the newest generation counts, if all slices of that generation exist, on
 * any node. A pool is left out while a newer generation is on its way.
 */
function poolFrom(
  reaching: readonly ResourceSlice[],
  all: readonly ResourceSlice[],
  node: Node,
  rules: readonly DeviceTaintRule[],
): DevicePool | undefined {
  const generation = Math.max(...reaching.map(({ spec }) => spec.pool.generation));
  const isCurrent = ({ spec }: ResourceSlice): boolean => spec.pool.generation === generation;
  const slices = reaching.filter(isCurrent);
  const wanted = slices[0]?.spec.pool.resourceSliceCount;
  const isWhole = slices.length === wanted;
  const known = isWhole ? slices : all.filter(isCurrent);
  if (!isWhole && all.some(({ spec }) => spec.pool.generation > generation)) return undefined;
  if (known.length !== wanted) return withoutDevices('incomplete');
  const counters = new Map<string, bigint>();
  const sets = known.flatMap(({ spec }) => spec.sharedCounters);
  for (const { name, counters: named } of sets) addCounters(counters, name, named);
  const offering = known.filter(({ spec }) => spec.sharedCounters.length === 0);
  const consumers = offering.flatMap(consumersIn);
  const devices: PooledDevice[] = [];
  const pool: DevicePool = { state: 'complete', devices, counters, consumers };
  const names = new Set<string>();
  let count = 0;
  for (const slice of offering) {
    if (!slices.includes(slice)) continue;
    count += slice.spec.devices.length;
    for (const device of slice.spec.devices) {
      names.add(device.name);
      if (slice.spec.perDeviceNodeSelection && !isMeantFor(device, node)) continue;
      devices.push(pooled(slice, device, pool, rules));
    }
  }
  const isConsistent =
    names.size === count &&
    new Set(sets.map(({ name }) => name)).size === sets.length &&
    consumers.every(({ consumes }) => [...consumes.keys()].every((key) => counters.has(key)));
  return isConsistent ? pool : withoutDevices('invalid');
}

function withoutDevices(state: DevicePool['state']): DevicePool {
  return { state, devices: [], counters: new Map(), consumers: [] };
}

type Device = ResourceSlice['spec']['devices'][number];

function consumersIn({ spec }: ResourceSlice): readonly CounterConsumer[] {
  return spec.devices
    .filter(({ consumesCounters }) => consumesCounters.length > 0)
    .map((device) => ({ id: deviceId(spec, device.name), consumes: consumedBy(device) }));
}

function consumedBy({ consumesCounters }: Device): Amounts {
  if (consumesCounters.length === 0) return nothing;
  const consumed = new Map<string, bigint>();
  for (const { counterSet, counters } of consumesCounters) addCounters(consumed, counterSet, counters);
  return consumed;
}

const nothing: Amounts = new Map();

function addCounters(
  to: Map<string, bigint>,
  set: string,
  counters: Readonly<Record<string, { readonly value: string }>>,
): void {
  for (const [name, { value }] of Object.entries(counters)) {
    const key = `${set} ${name}`;
    to.set(key, (to.get(key) ?? 0n) + (parseQuantity(value)?.nano ?? 0n));
  }
}

function pooled(
  { spec }: ResourceSlice,
  device: Device,
  pool: DevicePool,
  rules: readonly DeviceTaintRule[],
): PooledDevice {
  return {
    id: deviceId(spec, device.name),
    driver: spec.driver,
    attributes: device.attributes ?? {},
    capacity: device.capacity ?? {},
    isShared: device.allowMultipleAllocations,
    isUnknown:
      device.nodeAllocatableResources !== undefined ||
      spec.skipNodeOperations.length > 0 ||
      device.consumesCounters.some(({ compatibilityGroups }) => compatibilityGroups.length > 0),
    consumes: consumedBy(device),
    taints: [
      ...device.taints.map((taint) => ({ ...taint, rule: undefined })),
      ...rules
        .filter(({ spec: { deviceSelector } }) => selects(deviceSelector, spec, device.name))
        .map(({ metadata, spec: { taint } }) => ({ ...taint, rule: metadata.name })),
    ],
    pool,
  };
}

function selects(
  selector: DeviceTaintRule['spec']['deviceSelector'],
  { driver, pool }: ResourceSlice['spec'],
  device: string,
): boolean {
  if (selector === undefined) return false;
  return (
    (selector.driver ?? driver) === driver &&
    (selector.pool ?? pool.name) === pool.name &&
    (selector.device ?? device) === device
  );
}
