import type { Pod } from '../cluster/pod.js';
import type { Placement } from '../placement/placement.js';
import { withPodDefaults } from '../placement/pod-defaults.js';
import { createNodeChoice } from '../pod-oracle/node-choice.js';
import type { PodOracle } from '../rollout/pod-oracle.js';
import { isSimulated } from '../rollout/simulated-pods.js';
import { contestOf } from './contested-oracle.js';

/**
 * Answers the rollout engine's questions with the placement engine: a pod goes to the first node that would take it.
 * That a placed pod becomes ready is assumed, unless the caller knows what keeps it from that; a remediation can
 * promise a place, not that the new image works. Where pods of other workloads wait, the forecast is played against them
 * too (`contest`).
 */
export function podOracleOf(placement: Placement, becomesReady?: PodOracle['becomesReady']): PodOracle {
  const choice = createNodeChoice(placement, asStored);
  const oracle: PodOracle = {
    placementOf: (pod, difference) => choice.firstFor(pod, difference),
    becomesReady: becomesReady ?? (() => true),
    // What a caller knows of readiness may depend on pods that are gone, which a count of pods does not name.
    ...(becomesReady === undefined ? { countPlaces: choice.countPlaces } : {}),
    ...(placement.work === undefined ? {} : { work: placement.work }),
    likenessOf: choice.likenessOf,
    takeWork: choice.takeWork,
  };
  return { ...oracle, contest: (own) => contestOf(oracle, placement, asStored, own) };
}

const stored = new WeakMap<Pod, Pod>();

/** Defaults that a template lacks and every stored pod has: requests from limits, above all. */
function asStored(pod: Pod): Pod {
  if (!isSimulated(pod)) return pod;
  const known = stored.get(pod) ?? { ...pod, spec: withPodDefaults(pod.spec) };
  stored.set(pod, known);
  return known;
}
