import type { LabelSelector, Labels } from '../cluster/label-selector.js';
import type { Pod } from '../cluster/pod.js';
import type { ClusterFacts } from './cluster-facts.js';
import { affinityTerms, antiAffinityTerms, type PodTerm, termMatches } from './pod-terms.js';
import { isPresent, presentOf, type World } from './world.js';

/** Pods that bear on one topology key, by the domain they stand in. */
export type PodsByDomain = ReadonlyMap<string, readonly Pod[]>;

export interface AffinityState {
  readonly affinity: readonly PodTerm[];
  /** Per affinity term's key: pods that match all affinity terms. */
  readonly wanted: ReadonlyMap<string, PodsByDomain>;
  /** True when the pod may start the series it wants to be near to: nobody matches yet, and it matches itself. */
  readonly first: boolean;
  readonly antiAffinity: readonly PodTerm[];
  /** Per anti-affinity term's key: pods that match a term with that key. */
  readonly avoided: ReadonlyMap<string, PodsByDomain>;
  /** Per key: existing pods with an anti-affinity term that matches this pod. */
  readonly avoiding: ReadonlyMap<string, PodsByDomain>;
  /** Selectors over namespaces that could not be answered. */
  readonly unanswered: readonly string[];
  /** Nothing to check on any node. */
  readonly idle: boolean;
}

/** `interpodaffinity/filtering.go: PreFilter`. Terminating pods count in every direction. */
export function affinityState(world: World, pod: Pod): AffinityState {
  const { facts } = world;
  const affinity = affinityTerms(pod);
  const antiAffinity = antiAffinityTerms(pod);
  const matchesAll = (other: Pod): boolean =>
    affinity.every((term) => termMatches(term, other, facts.namespaceLabels));
  const wantedPods =
    affinity.length === 0 ? [] : presentOf(world, baseMatches(facts, affinity, matchesAll), matchesAll);
  const avoidingPods = avoiding(world, pod);
  return {
    affinity,
    wanted: new Map(
      affinity.map(({ topologyKey }) => [topologyKey, byDomain(facts, wantedPods, topologyKey)]),
    ),
    first: wantedPods.every((other) => !hasAnyDomain(facts, other, affinity)) && matchesAll(pod),
    antiAffinity,
    avoided: avoided(world, antiAffinity),
    avoiding: avoidingPods,
    unanswered: facts.namespacesSeen() ? [] : unanswered([...affinity, ...antiAffinity]),
    idle: affinity.length === 0 && antiAffinity.length === 0 && avoidingPods.size === 0,
  };
}

function avoided(world: World, terms: readonly PodTerm[]): ReadonlyMap<string, PodsByDomain> {
  const { facts } = world;
  const byKey = new Map<string, Set<Pod>>();
  for (const term of terms) {
    const matches = (other: Pod): boolean => termMatches(term, other, facts.namespaceLabels);
    const pods = byKey.get(term.topologyKey) ?? new Set<Pod>();
    for (const other of presentOf(world, baseMatches(facts, [term], matches), matches)) pods.add(other);
    byKey.set(term.topologyKey, pods);
  }
  return new Map([...byKey].map(([key, pods]) => [key, byDomain(facts, pods, key)]));
}

function avoiding(world: World, pod: Pod): ReadonlyMap<string, PodsByDomain> {
  const { facts } = world;
  const byKey = new Map<string, Set<Pod>>();
  const note = (other: Pod, terms: readonly PodTerm[]): void => {
    for (const term of terms) {
      if (!termMatches(term, pod, facts.namespaceLabels)) continue;
      const pods = byKey.get(term.topologyKey);
      if (pods === undefined) byKey.set(term.topologyKey, new Set([other]));
      else pods.add(other);
    }
  };
  for (const { pod: other, terms } of facts.avoidingPods()) {
    if (isPresent(world, other)) note(other, terms);
  }
  for (const other of world.added) note(other, antiAffinityTerms(other));
  return new Map([...byKey].map(([key, pods]) => [key, byDomain(facts, pods, key)]));
}

/** Only namespaces that a term can mean are searched; a namespaceSelector may mean any. */
function baseMatches(
  facts: ClusterFacts,
  terms: readonly PodTerm[],
  matches: (pod: Pod) => boolean,
): readonly Pod[] {
  const narrow = terms.find(({ namespaceSelector }) => namespaceSelector === undefined);
  const pods = narrow === undefined ? facts.assigned() : [...narrow.namespaces].flatMap(facts.assignedIn);
  return pods.filter(matches);
}

function byDomain(facts: ClusterFacts, pods: Iterable<Pod>, topologyKey: string): PodsByDomain {
  const domains = new Map<string, Pod[]>();
  for (const pod of pods) {
    const domain = labelsOfNode(facts, pod)[topologyKey];
    if (domain === undefined) continue;
    const members = domains.get(domain);
    if (members === undefined) domains.set(domain, [pod]);
    else members.push(pod);
  }
  return domains;
}

function hasAnyDomain(facts: ClusterFacts, pod: Pod, terms: readonly PodTerm[]): boolean {
  const labels = labelsOfNode(facts, pod);
  return terms.some(({ topologyKey }) => labels[topologyKey] !== undefined);
}

function labelsOfNode(facts: ClusterFacts, pod: Pod): Labels {
  return facts.node(pod.spec.nodeName ?? '')?.metadata.labels ?? {};
}

/** Without Namespace objects only the name label and the empty selector can be answered. */
function unanswered(terms: readonly PodTerm[]): readonly string[] {
  return terms
    .map(({ namespaceSelector }) => namespaceSelector)
    .filter((selector) => selector !== undefined && !isNameOnly(selector))
    .map((selector) => JSON.stringify(selector));
}

function isNameOnly(selector: LabelSelector): boolean {
  const keys = [...Object.keys(selector.matchLabels), ...selector.matchExpressions.map(({ key }) => key)];
  return keys.every((key) => key === 'kubernetes.io/metadata.name');
}

/** True when the pod matches all of its own affinity terms. */
export function wantsItself(facts: ClusterFacts, pod: Pod): boolean {
  const terms = affinityTerms(pod);
  return terms.length > 0 && terms.every((term) => termMatches(term, pod, facts.namespaceLabels));
}
