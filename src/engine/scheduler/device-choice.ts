import type { DeviceTaint, DeviceToleration } from '../objects/device.js';
import type { JsonObject } from '../objects/wire.js';
import type { DeviceRequest } from './device-claims.js';
import type { PooledDevice } from './device-pool.js';
import type { NotSimulatedWhy } from './reason.js';

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
