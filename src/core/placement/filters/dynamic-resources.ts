import type { Node } from '../../cluster/node.js';
import type { Pod } from '../../cluster/pod.js';
import { byPodName } from '../../cluster/pod-key.js';
import type { DeviceRequest } from '../device-claims.js';
import { devicesFor, type PooledDevice } from '../device-pool.js';
import { matchesDeviceSelector } from '../device-selector.js';
import { allocationReaches, type DeviceState } from '../device-state.js';
import { canAssignAll } from '../matching.js';
import type { DeviceReason, NotSimulatedWhy, Objection } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter, Situation } from '../situation.js';

/**
 * Claims whose devices are elsewhere, and requests for which the node has no devices left
 * (`dynamicresources/dynamicresources.go: Filter`). Devices are exclusive; requests are matched exactly.
 */
export const dynamicResources: Filter = (situation, node) => {
  const state = situation.devices();
  const requests = requestsOn(situation, state, node);
  if (requests.length === 0 && state.allocated.length === 0) return state.unclear;
  const elsewhere = state.allocated
    .filter((claim) => !allocationReaches(claim, node))
    .map(({ metadata }) => refusal(metadata.name, 'resourceclaim not available on the node', []));
  return [...elsewhere, ...unallocatable(situation, state, requests, node)];
};

function requestsOn({ world }: Situation, state: DeviceState, node: Node): readonly DeviceRequest[] {
  if (state.extended.size === 0) return state.requests;
  const allocatable = world.facts.allocatable(node);
  const extended = [...state.extended].filter(([resource]) => (allocatable.get(resource) ?? 0n) === 0n);
  return [...state.requests, ...extended.map(([, request]) => request)];
}

function unallocatable(
  { world }: Situation,
  state: DeviceState,
  requests: readonly DeviceRequest[],
  node: Node,
): readonly Objection[] {
  if (state.unclear.length > 0) return state.unclear;
  if (requests.length === 0) return noObjections;
  const devices = devicesFor(world.facts.resourceSlices(), node);
  const choices = requests.map((request) => ({ request, ...selectable(request, devices) }));
  const unclear = choices.find(({ why }) => why !== undefined);
  if (unclear?.why !== undefined) {
    const subject = unclear.request.claim || unclear.request.name;
    return [{ id: 'not-simulated', plugin: 'DynamicResources', why: unclear.why, subject }];
  }
  const inUse = state.inUse();
  if (isAllocatable(choices, (device) => !inUse.has(device.id))) return noObjections;
  const holders = choices.flatMap(({ selected }) => selected.flatMap(({ id }) => inUse.get(id) ?? []));
  const short = choices.find(
    ({ request, selected }) => selected.filter(({ id }) => !inUse.has(id)).length < request.count,
  );
  const claim = (short ?? choices[0])?.request.claim ?? '';
  const reason = refusal(claim, 'cannot allocate all claims', [...new Set(holders)].sort(byPodName));
  return [{ ...reason, resolvable: isAllocatable(choices, () => true) }];
}

interface Choice {
  readonly request: DeviceRequest;
  readonly selected: readonly PooledDevice[];
}

function isAllocatable(choices: readonly Choice[], isFree: (device: PooledDevice) => boolean): boolean {
  const slots: (readonly PooledDevice[])[] = [];
  for (const { request, selected } of choices) {
    const usable = request.adminAccess ? selected : selected.filter(isFree);
    const wanted = request.mode === 'All' ? selected.length : request.count;
    if (usable.length < wanted || wanted === 0) return false;
    if (request.adminAccess) continue;
    for (let slot = 0; slot < wanted; slot += 1) slots.push(usable);
  }
  return canAssignAll(slots);
}

function selectable(
  { selectors }: DeviceRequest,
  devices: readonly PooledDevice[],
): { readonly selected: readonly PooledDevice[]; readonly why: NotSimulatedWhy | undefined } {
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

function refusal(claim: string, text: string, holders: readonly Pod[]): DeviceReason {
  return {
    id: 'dra',
    plugin: 'DynamicResources',
    text,
    resolvable: false,
    preemptible: false,
    claim,
    holders,
  };
}
