import type { Node } from '../../objects/node.js';
import type { Pod } from '../../objects/pod.js';
import { byPodName } from '../../objects/pod.js';
import { releaseRules } from '../../objects/release-rules.js';
import { lazy } from '../cluster-facts.js';
import type { DeviceChoice, DeviceOffer } from '../device-allocation.js';
import { allocateDevices, competingDevices, intolerableTaints } from '../device-allocation.js';
import { type DeviceState, deviceOffer } from '../device-state.js';
import type { DeviceReason, Objection } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter, Situation } from '../situation.js';

/**
 * Claims whose devices are elsewhere, and claims for which the node has no devices left
 * (`dynamicresources/dynamicresources.go: Filter`).
 */
export const dynamicResources: Filter = (situation, node) => {
  const state = situation.devices();
  const offer = deviceOffer(situation.world, state, node);
  if (offer === undefined && state.allocated.length === 0) return state.unclear;
  const elsewhere = state.allocated
    .filter(({ reaches }) => !reaches(node))
    .map(({ name }) => refusal(name, 'resourceclaim not available on the node', []));
  const others = unallocatable(situation, state, offer, node);
  // The allocator is asked first, and its refusal is the only one that is reported.
  return others.some(({ id }) => id === 'dra') ? [...others, ...elsewhere] : [...elsewhere, ...others];
};

const nothingTaken = { has: () => false, consumedOf: () => undefined };

function unallocatable(
  { world }: Situation,
  state: DeviceState,
  offer: DeviceOffer | undefined,
  node: Node,
): readonly Objection[] {
  if (state.unclear.length > 0) return state.unclear;
  if (offer === undefined) return noObjections;
  const inUse = state.inUse();
  const choices = [...offer.choices.values()];
  const found =
    offer.unclear === undefined && !inUse.isUnclear(node) ? allocateDevices(offer, inUse) : 'unclear';
  world.work?.spend(choices.length);
  if (found === 'unclear') {
    const { why, subject } = offer.unclear ?? {
      why: 'device-features',
      subject: choices[0]?.claim || (choices[0]?.request ?? ''),
    };
    return [{ id: 'not-simulated', plugin: 'DynamicResources', why, subject }];
  }
  if (found !== undefined) {
    const { isUnseen, index } = world.facts;
    const mayBeTainted =
      isUnseen('DeviceTaintRule') && releaseRules(index.serverVersion).driversAndRulesRefuse;
    if (!mayBeTainted) return noObjections;
    const subject = choices[0]?.claim ?? '';
    return [{ id: 'not-simulated', plugin: 'DynamicResources', why: 'device-rules-unseen', subject }];
  }
  const usable = choices.map((choice) => ({
    ...choice,
    selected: choice.selected.filter((device) => intolerableTaints(choice.alternative, device).length === 0),
  }));
  const short = usable.find(
    ({ alternative, selected }) => selected.filter(({ id }) => !inUse.has(id)).length < alternative.count,
  );
  const claim = (short ?? usable[0])?.claim ?? '';
  const holders = lazy(() => {
    const ids = new Set(
      usable.flatMap(({ selected }) => selected.flatMap(competingDevices).map(({ id }) => id)),
    );
    return [...new Set([...ids].flatMap(inUse.usersOf))].sort(byPodName);
  });
  const text = offer.pools.some(({ state }) => state === 'invalid')
    ? 'invalid resource pools were encountered'
    : 'cannot allocate all claims';
  return [
    {
      ...refusal(claim, text, []),
      tainted: choices.flatMap(taintedIn),
      resolvable: allocateDevices(offer, nothingTaken) !== undefined,
      get holders() {
        return holders();
      },
    },
  ];
}

function taintedIn({ alternative, selected }: DeviceChoice): DeviceReason['tainted'] {
  return selected.flatMap((device) =>
    intolerableTaints(alternative, device).map(({ key, effect, rule }) => ({
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
