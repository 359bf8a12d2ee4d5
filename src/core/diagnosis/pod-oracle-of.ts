import type { Pod } from '../cluster/pod.js';
import { nowOf } from '../cluster/snapshot.js';
import { withPodDefaults } from '../placement/pod-defaults.js';
import { contestOf } from '../pod-oracle/contested-oracle.js';
import { createNodeChoice } from '../pod-oracle/node-choice.js';
import type { PodOracle } from '../rollout/pod-oracle.js';
import { isSimulated } from '../rollout/simulated-pods.js';
import type { Examination } from './rule.js';

/**
 * Answers the rollout engine's questions with the placement engine: a pod goes to the first node that would take it.
 * That a placed pod becomes ready is assumed, unless the caller knows what keeps it from that; a remediation can
 * promise a place, not that the new image works. Where pods of other workloads wait, or a quota refuses them, the
 * forecast is played against them too (`contest`).
 */
export function podOracleOf(
  { snapshot, placement }: Examination,
  becomesReady?: PodOracle['becomesReady'],
): PodOracle {
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
  const { workload, index } = snapshot;
  const quotas = index.objects.ResourceQuota;
  const contested = { base: oracle, placement, stored: asStored, workload, quotas, now: nowOf(snapshot) };
  return { ...oracle, contest: (own) => contestOf({ ...contested, own }) };
}

const stored = new WeakMap<Pod, Pod>();

/** Defaults that a template lacks and every stored pod has: requests from limits, above all. */
function asStored(pod: Pod): Pod {
  if (!isSimulated(pod)) return pod;
  const known = stored.get(pod) ?? { ...pod, spec: withPodDefaults(pod.spec) };
  stored.set(pod, known);
  return known;
}
