import type { DeviceRequest } from './device-claims.js';
import type { PooledDevice } from './device-pool.js';
import { matchesDeviceSelector } from './device-selector.js';
import { assignAll } from './matching.js';
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
 * except under administrative access, which takes none.
 */
export function assignDevices(
  choices: readonly DeviceChoice[],
  isFree: (device: PooledDevice) => boolean,
): readonly PooledDevice[] | undefined {
  const slots: (readonly PooledDevice[])[] = [];
  for (const { request, selected } of choices) {
    const usable = request.adminAccess ? selected : selected.filter(isFree);
    const wanted = request.mode === 'All' ? selected.length : request.count;
    if (usable.length < wanted || wanted === 0) return undefined;
    if (request.adminAccess) continue;
    for (let slot = 0; slot < wanted; slot += 1) slots.push(usable);
  }
  const assigned = assignAll(slots);
  return assigned === undefined ? undefined : [...assigned.keys()];
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
