import type { Pod } from '../cluster/pod.js';
import type { Placement } from '../placement/placement.js';
import { withPodDefaults } from '../placement/pod-defaults.js';
import { podKey } from '../placement/pod-key.js';
import type { PodOracle } from '../rollout/pod-oracle.js';

/**
 * Answers the rollout engine's questions with the placement engine: a pod goes to the first node that would take it.
 * That a placed pod becomes ready is assumed, unless the caller knows what keeps it from that; a remediation can
 * promise a place, not that the new image works.
 */
export function podOracleOf(
  placement: Placement,
  becomesReady: PodOracle['becomesReady'] = () => true,
): PodOracle {
  return {
    placementOf(pod, { gone, placed }) {
      const remove = new Set(gone.map(podKey));
      const hypothetical = placement.with({ add: placed.filter(hasNode).map(asStored), remove });
      return hypothetical.firstFeasible(asStored(pod));
    },
    becomesReady,
  };
}

/** Defaults that a template lacks and every stored pod has: requests from limits, above all. */
function asStored(pod: Pod): Pod {
  const simulated = pod.metadata.uid.startsWith('simulated:');
  return simulated ? { ...pod, spec: withPodDefaults(pod.spec) } : pod;
}

function hasNode(pod: Pod): boolean {
  return pod.spec.nodeName !== undefined && pod.spec.nodeName !== '';
}
