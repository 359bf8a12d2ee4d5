import type { Pod } from '../cluster/pod.js';
import type { Placement } from '../placement/placement.js';
import { podKey } from '../placement/pod-key.js';
import type { PodOracle } from '../rollout/pod-oracle.js';

/**
 * Answers the rollout engine's questions with the placement engine: a pod goes to the first node that would take it.
 * That a placed pod becomes ready is assumed; a remediation can promise a place, not that the new image works.
 */
export function podOracleOf(placement: Placement): PodOracle {
  return {
    placementOf(pod, { gone, placed }) {
      const remove = new Set(gone.map(podKey));
      const hypothetical = placement.with({ add: placed.filter(hasNode), remove });
      return hypothetical.evaluate(pod).feasible[0];
    },
    becomesReady: () => true,
  };
}

function hasNode(pod: Pod): boolean {
  return pod.spec.nodeName !== undefined && pod.spec.nodeName !== '';
}
