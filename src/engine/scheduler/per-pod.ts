import type { Pod } from '../objects/pod.js';
import type { ClusterFacts } from './cluster-facts.js';

/**
 * Remembers what was worked out for a pod in a cluster as read, so that the many worlds of a counterfactual
 * share it. Held as long as cluster and pod are.
 */
export function perPod<Value>(
  compute: (facts: ClusterFacts, pod: Pod) => Value,
): (facts: ClusterFacts, pod: Pod) => Value {
  const known = new WeakMap<ClusterFacts, WeakMap<Pod, { readonly value: Value }>>();
  return (facts, pod) => {
    const ofCluster = known.get(facts) ?? new WeakMap<Pod, { readonly value: Value }>();
    known.set(facts, ofCluster);
    const found = ofCluster.get(pod);
    if (found !== undefined) return found.value;
    const value = compute(facts, pod);
    ofCluster.set(pod, { value });
    return value;
  };
}
