import type { DeviceTaint, DeviceTaintRule, ResourceSlice } from '../objects/device.js';
import type { Node } from '../objects/node.js';
import type { JsonObject } from '../objects/wire.js';
import type { ClusterFacts } from './cluster-facts.js';
import { matchesNodeSelector } from './node-selector.js';

/** A device that a node can use. */
export interface PooledDevice {
  /** driver/pool/name: unique in the cluster. */
  readonly id: string;
  readonly driver: string;
  readonly attributes: JsonObject;
  /**
   * True when it is an ordinary, exclusive device: no shared counters, shares or binding conditions.
   */
  readonly simple: boolean;
  /** Of its driver, and of the rules that select it (`resourceslice/tracker: applyPatches`). */
  readonly taints: readonly PooledTaint[];
}

interface PooledTaint extends DeviceTaint {
  /** The DeviceTaintRule; none for a taint of the driver. */
  readonly rule: string | undefined;
}

/**
 * The devices of every pool that reaches the node. Of each pool only its newest generation counts, and only
 * if all its slices are there (`structured/internal pools: GatherPools`).
 */
export function devicesFor(
  facts: Pick<ClusterFacts, 'resourceSlices' | 'deviceTaintRules'>,
  node: Node,
): readonly PooledDevice[] {
  const slices = facts.resourceSlices();
  const known = byNode.get(slices) ?? new WeakMap<Node, readonly PooledDevice[]>();
  byNode.set(slices, known);
  const found = known.get(node);
  if (found !== undefined) return found;
  const devices = currentOf(slices).flatMap((slice) =>
    reaches(slice, node) ? devicesOf(slice, facts.deviceTaintRules()) : [],
  );
  known.set(node, devices);
  return devices;
}

/** A simulation asks for the devices of the same nodes at every step. */
const byNode = new WeakMap<readonly ResourceSlice[], WeakMap<Node, readonly PooledDevice[]>>();
const current = new WeakMap<readonly ResourceSlice[], readonly ResourceSlice[]>();

function currentOf(slices: readonly ResourceSlice[]): readonly ResourceSlice[] {
  const found = current.get(slices) ?? currentSlices(slices);
  current.set(slices, found);
  return found;
}

function currentSlices(slices: readonly ResourceSlice[]): readonly ResourceSlice[] {
  const pools = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    const key = `${slice.spec.driver}/${slice.spec.pool.name}`;
    const newest = pools.get(key)?.[0]?.spec.pool.generation ?? Number.NEGATIVE_INFINITY;
    if (slice.spec.pool.generation > newest) pools.set(key, [slice]);
    else if (slice.spec.pool.generation === newest) pools.get(key)?.push(slice);
  }
  return [...pools.values()].filter((pool) => pool.length === pool[0]?.spec.pool.resourceSliceCount).flat();
}

/** A slice whose devices choose their nodes one by one is offered to all, as devices that are not simple. */
function reaches({ spec }: ResourceSlice, node: Node): boolean {
  if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName === node.metadata.name;
  if (spec.allNodes || spec.perDeviceNodeSelection) return true;
  return (
    spec.nodeSelector !== undefined &&
    matchesNodeSelector(spec.nodeSelector, node.metadata.labels, node.metadata.name)
  );
}

function devicesOf({ spec }: ResourceSlice, rules: readonly DeviceTaintRule[]): readonly PooledDevice[] {
  return spec.devices.map((device) => ({
    id: `${spec.driver}/${spec.pool.name}/${device.name}`,
    driver: spec.driver,
    attributes: device.attributes ?? (device.basic?.attributes as JsonObject | undefined) ?? {},
    simple:
      !spec.perDeviceNodeSelection &&
      spec.sharedCounters.length === 0 &&
      device.consumesCounters.length === 0 &&
      device.bindingConditions.length === 0 &&
      !device.allowMultipleAllocations,
    taints: [
      ...device.taints.map((taint) => ({ ...taint, rule: undefined })),
      ...rules
        .filter(({ spec: { deviceSelector } }) => selects(deviceSelector, spec, device.name))
        .map(({ metadata, spec: { taint } }) => ({ ...taint, rule: metadata.name })),
    ],
  }));
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
