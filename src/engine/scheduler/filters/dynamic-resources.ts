import type { Node } from '../../objects/node.js';
import type { Pod } from '../../objects/pod.js';
import { byPodName } from '../../objects/pod-key.js';
import { devicesFor } from '../device-pool.js';
import type { DeviceRequest } from '../device-state.js';
import {
  assignDevices,
  choicesOf,
  type DeviceChoice,
  type DeviceState,
  intolerableTaints,
  requestsOn,
} from '../device-state.js';
import { lazy } from '../lazy.js';
import type { DeviceReason, Objection } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter, Situation } from '../situation.js';

/**
 * Claims whose devices are elsewhere, and requests for which the node has no devices left
 * (`dynamicresources/dynamicresources.go: Filter`). Devices are exclusive; requests are matched exactly, and
 * taints are tolerated or not.
 */
export const dynamicResources: Filter = (situation, node) => {
  const state = situation.devices();
  const requests = requestsOn(situation.world, state, node);
  if (requests.length === 0 && state.allocated.length === 0) return state.unclear;
  const elsewhere = state.allocated
    .filter(({ reaches }) => !reaches(node))
    .map(({ name }) => refusal(name, 'resourceclaim not available on the node', []));
  return [...elsewhere, ...unallocatable(situation, state, requests, node)];
};

function unallocatable(
  { world }: Situation,
  state: DeviceState,
  requests: readonly DeviceRequest[],
  node: Node,
): readonly Objection[] {
  if (state.unclear.length > 0) return state.unclear;
  if (requests.length === 0) return noObjections;
  const choices = choicesOf(requests, devicesFor(world.facts, node));
  const inUse = state.inUse();
  const unclear =
    choices.find(({ why }) => why !== undefined) ?? (inUse.isUnclear(node) ? choices[0] : undefined);
  if (unclear !== undefined) {
    const subject = unclear.request.claim || unclear.request.name;
    const why = unclear.why ?? 'device-features';
    return [{ id: 'not-simulated', plugin: 'DynamicResources', why, subject }];
  }
  if (assignDevices(choices, (device) => !inUse.has(device.id)) !== undefined) return noObjections;
  const usable = choices.map(({ request, selected }) => ({
    request,
    selected: selected.filter((device) => intolerableTaints(request, device).length === 0),
  }));
  const short = usable.find(
    ({ request, selected }) => selected.filter(({ id }) => !inUse.has(id)).length < request.count,
  );
  const claim = (short ?? usable[0])?.request.claim ?? '';
  const holders = lazy(() => {
    const pods = usable.flatMap(({ selected }) => selected.flatMap(({ id }) => inUse.usersOf(id)));
    return [...new Set(pods)].sort(byPodName);
  });
  return [
    {
      ...refusal(claim, 'cannot allocate all claims', []),
      tainted: choices.flatMap(taintedIn),
      resolvable: assignDevices(choices, () => true) !== undefined,
      get holders() {
        return holders();
      },
    },
  ];
}

function taintedIn({ request, selected }: DeviceChoice): DeviceReason['tainted'] {
  return selected.flatMap((device) =>
    intolerableTaints(request, device).map(({ key, effect, rule }) => ({
      device: device.id,
      key,
      effect,
      rule,
    })),
  );
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
    tainted: [],
  };
}
