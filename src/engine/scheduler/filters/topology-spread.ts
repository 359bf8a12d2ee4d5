import type { Objection, TopologySpreadReason } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter } from '../situation.js';
import type { SpreadCount } from '../spread-state.js';

/** Every constraint that the pod would break on this node (`podtopologyspread/filtering.go: Filter`). */
export const topologySpread: Filter = ({ pod, spread }, node) => {
  if (pod.spec.topologySpreadConstraints.length === 0) return noObjections;
  return spread().flatMap((count): readonly Objection[] => {
    const domain = node.metadata.labels[count.constraint.topologyKey];
    if (domain === undefined) return [missingLabel(count)];
    const matching = count.matching.get(domain) ?? 0;
    if (matching + count.self - count.minimum <= count.constraint.maxSkew) return noObjections;
    return [
      {
        ...missingLabel(count),
        text: "node(s) didn't match pod topology spread constraints",
        resolvable: matching > 0,
        preemptible: true,
        domain,
        matching,
        get holders() {
          return count.podsIn(domain);
        },
      },
    ];
  });
};

function missingLabel({ constraint, self, minimum, minimumDomains }: SpreadCount): TopologySpreadReason {
  return {
    id: 'topology-spread',
    plugin: 'PodTopologySpread',
    text: "node(s) didn't match pod topology spread constraints (missing required label)",
    resolvable: false,
    preemptible: false,
    topologyKey: constraint.topologyKey,
    domain: undefined,
    matching: 0,
    self,
    minimum,
    maxSkew: constraint.maxSkew,
    minimumDomains: minimumDomains(),
    holders: [],
  };
}
