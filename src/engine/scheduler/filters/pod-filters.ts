import type { Node } from '../../objects/node.js';
import { byPodName, type Pod } from '../../objects/pod.js';
import type { PodTerm } from '../pod-terms.js';
import type { NotSimulated, Objection, PodAffinityReason, TopologySpreadReason } from '../reason.js';
import { noObjections } from '../reason.js';
import type { AffinityState, Filter, SpreadCount } from '../situation.js';

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

/**
 * Required affinity, anti-affinity, and other pods' anti-affinity, in the order in which the scheduler checks
 * them (`interpodaffinity/filtering.go: Filter`).
 */
export const interPodAffinity: Filter = ({ affinity }, node) => {
  const state = affinity();
  if (state.idle) return noObjections;
  return [
    ...unmetAffinity(state, node),
    ...distinct(state.antiAffinity.map(({ topologyKey }) => topologyKey)).flatMap((key) =>
      repelled(node, key, state.avoided.get(key)?.get(node.metadata.labels[key] ?? ''), 'anti-affinity'),
    ),
    ...[...state.avoiding].flatMap(([key, domains]) =>
      repelled(node, key, domains.get(node.metadata.labels[key] ?? ''), 'existing-anti-affinity'),
    ),
    ...state.unanswered.map(
      (subject): NotSimulated => ({
        id: 'not-simulated',
        plugin: 'InterPodAffinity',
        why: 'namespace-labels',
        subject,
      }),
    ),
  ];
};

const TEXT = {
  affinity: "node(s) didn't match pod affinity rules",
  'anti-affinity': "node(s) didn't match pod anti-affinity rules",
  'existing-anti-affinity': "node(s) didn't satisfy existing pods anti-affinity rules",
} as const;

function unmetAffinity(state: AffinityState, node: Node): readonly Objection[] {
  const labels = node.metadata.labels;
  const missing = state.affinity.filter(({ topologyKey }) => labels[topologyKey] === undefined);
  if (missing.length > 0) return missing.map((term) => unmet(term, undefined, false));
  const alone = state.affinity.filter(
    ({ topologyKey }) => state.wanted.get(topologyKey)?.has(labels[topologyKey] ?? '') !== true,
  );
  if (alone.length === 0 || state.first) return [];
  return alone.map((term) => unmet(term, labels[term.topologyKey], false));
}

function unmet(term: PodTerm, domain: string | undefined, resolvable: boolean): PodAffinityReason {
  return {
    id: 'pod-affinity',
    plugin: 'InterPodAffinity',
    text: TEXT.affinity,
    resolvable,
    preemptible: false,
    rule: 'affinity',
    topologyKey: term.topologyKey,
    domain,
    holders: [],
  };
}

function repelled(
  node: Node,
  topologyKey: string,
  pods: readonly Pod[] | undefined,
  rule: 'anti-affinity' | 'existing-anti-affinity',
): readonly PodAffinityReason[] {
  const domain = node.metadata.labels[topologyKey];
  if (domain === undefined || pods === undefined || pods.length === 0) return [];
  return [
    {
      id: 'pod-affinity',
      plugin: 'InterPodAffinity',
      text: TEXT[rule],
      resolvable: true,
      preemptible: true,
      rule,
      topologyKey,
      domain,
      get holders() {
        return [...pods].sort(byPodName);
      },
    },
  ];
}

function distinct(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)];
}
