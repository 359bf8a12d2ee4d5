import { compareText } from '../collections/collections.js';
import type { LabelSelector, Labels } from '../objects/label-selector.js';
import type { Pod } from '../objects/pod.js';
import { type AvoidingPod, type ClusterFacts, perPod } from './cluster-facts.js';
import { affinityTerms, antiAffinityTerms, type PodTerm, termMatches } from './pod-terms.js';
import { isPresent, presentOf, type World } from './world.js';

/** Pods that bear on one topology key, by the domain they stand in. */
type PodsByDomain = ReadonlyMap<string, readonly Pod[]>;

export interface AffinityState {
  readonly affinity: readonly PodTerm[];
  /** Per affinity term's key: pods that match all affinity terms. */
  readonly wanted: ReadonlyMap<string, PodsByDomain>;
  /**
   * True when the pod may start the series it wants to be near to: nobody matches yet, and it matches itself.
   */
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
  const { affinity, antiAffinity, ...matches } = matchesOf(facts, pod);
  const wanted =
    affinity.length === 0
      ? []
      : presentOf(world, matches.wanted, (other) => isWanted(facts, affinity, other));
  const avoidingPods = avoiding(world, pod, matches.avoiding);
  return {
    affinity,
    wanted: new Map(affinity.map(({ topologyKey }) => [topologyKey, byDomain(facts, wanted, topologyKey)])),
    first: isWanted(facts, affinity, pod) && wanted.every((other) => !hasAnyDomain(facts, other, affinity)),
    antiAffinity,
    avoided: avoided(world, antiAffinity, matches.avoided),
    avoiding: avoidingPods,
    unanswered: facts.namespacesSeen() ? [] : unanswered([...affinity, ...antiAffinity]),
    idle: affinity.length === 0 && antiAffinity.length === 0 && avoidingPods.size === 0,
  };
}

/** True when the pod matches all of its own affinity terms. */
export function wantsItself(facts: ClusterFacts, pod: Pod): boolean {
  const { affinity } = matchesOf(facts, pod);
  return affinity.length > 0 && isWanted(facts, affinity, pod);
}

interface Matches {
  readonly affinity: readonly PodTerm[];
  readonly antiAffinity: readonly PodTerm[];
  readonly wanted: readonly Pod[];
  /** Per anti-affinity term. */
  readonly avoided: readonly (readonly Pod[])[];
  /** With the keys of the terms that match. */
  readonly avoiding: readonly { readonly pod: Pod; readonly keys: readonly string[] }[];
}

const matchesOf = perPod((facts, pod): Matches => {
  const affinity = affinityTerms(pod);
  const antiAffinity = antiAffinityTerms(pod);
  return {
    affinity,
    antiAffinity,
    wanted:
      affinity.length === 0 ? [] : meant(facts, affinity).filter((other) => isWanted(facts, affinity, other)),
    avoided: antiAffinity.map((term) =>
      meant(facts, [term]).filter((other) => termMatches(term, other, facts.namespaceLabels)),
    ),
    avoiding: facts.avoidingPods().flatMap((other) => {
      const keys = keysAgainst(facts, other, pod);
      return keys.length === 0 ? [] : [{ pod: other.pod, keys }];
    }),
  };
});

function isWanted(facts: ClusterFacts, terms: readonly PodTerm[], other: Pod): boolean {
  return terms.every((term) => termMatches(term, other, facts.namespaceLabels));
}

function keysAgainst(
  facts: ClusterFacts,
  { terms }: Pick<AvoidingPod, 'terms'>,
  pod: Pod,
): readonly string[] {
  return terms
    .filter((term) => termMatches(term, pod, facts.namespaceLabels))
    .map(({ topologyKey }) => topologyKey);
}

function avoided(
  world: World,
  terms: readonly PodTerm[],
  matches: readonly (readonly Pod[])[],
): ReadonlyMap<string, PodsByDomain> {
  const { facts } = world;
  const byKey = new Map<string, Set<Pod>>();
  terms.forEach((term, index) => {
    const pods = presentOf(world, matches[index] ?? [], (other) =>
      termMatches(term, other, facts.namespaceLabels),
    );
    for (const other of pods) note(byKey, term.topologyKey, other);
  });
  return byKeyAndDomain(facts, byKey);
}

function avoiding(world: World, pod: Pod, matches: Matches['avoiding']): ReadonlyMap<string, PodsByDomain> {
  const { facts } = world;
  const byKey = new Map<string, Set<Pod>>();
  for (const { pod: other, keys } of matches) {
    if (isPresent(world, other)) for (const key of keys) note(byKey, key, other);
  }
  for (const other of world.added) {
    for (const key of keysAgainst(facts, { terms: antiAffinityTerms(other) }, pod)) note(byKey, key, other);
  }
  return byKeyAndDomain(facts, byKey);
}

function note(byKey: Map<string, Set<Pod>>, key: string, pod: Pod): void {
  const pods = byKey.get(key);
  if (pods === undefined) byKey.set(key, new Set([pod]));
  else pods.add(pod);
}

function byKeyAndDomain(
  facts: ClusterFacts,
  byKey: ReadonlyMap<string, ReadonlySet<Pod>>,
): ReadonlyMap<string, PodsByDomain> {
  const sorted = [...byKey].sort(([a], [b]) => compareText(a, b));
  return new Map(
    sorted
      .map(([key, pods]) => [key, byDomain(facts, pods, key)] as const)
      .filter(([, domains]) => domains.size > 0),
  );
}

/** Only pods of namespaces that a term can mean are searched; a namespaceSelector may mean any. */
function meant(facts: ClusterFacts, terms: readonly PodTerm[]): readonly Pod[] {
  const narrow = terms.find(({ namespaceSelector }) => namespaceSelector === undefined);
  return narrow === undefined ? facts.assigned() : [...narrow.namespaces].flatMap(facts.assignedIn);
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
