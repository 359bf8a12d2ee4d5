import { compareText } from '../collections/collections.js';
import { type LabelSelector, type Labels, matchesSelector } from '../objects/label-selector.js';
import type { Node } from '../objects/node.js';
import { byPodName, isTerminating, type Pod } from '../objects/pod.js';
import type { ContainerPort, TopologySpreadConstraint } from '../objects/pod-spec.js';
import type { Amounts } from './amounts.js';
import { type AvoidingPod, type ClusterFacts, lazy, perPod } from './cluster-facts.js';
import { type DeviceState, deviceState, isDeviceBacked } from './device-state.js';
import { matchesRequiredNodeAffinity, untoleratedTaints } from './node-selector.js';
import { isSidecar, podRequests } from './pod-requests.js';
import { affinityTerms, antiAffinityTerms, keyRequirements, type PodTerm, termMatches } from './pod-terms.js';
import type { Objection } from './reason.js';
import { type VolumeState, volumeState } from './volume-state.js';
import { isPresent, presentOf, type World } from './world.js';

/** One DoNotSchedule constraint and how the matching pods stand in its domains. */
export interface SpreadCount {
  readonly constraint: TopologySpreadConstraint;
  /** 1 when the pod itself matches. */
  readonly self: number;
  readonly matching: ReadonlyMap<string, number>;
  /** The count that skew is measured from. */
  readonly minimum: number;
  readonly minimumDomains: () => readonly string[];
  readonly podsIn: (domain: string) => readonly Pod[];
}

type SpreadState = readonly SpreadCount[];

/**
 * Counts as `podtopologyspread/filtering.go: calPreFilterState`: nodes must have the labels of all
 * constraints and be let in by the constraint's policies; pods of the pod's own namespace count, terminating
 * ones do not; with fewer domains than `minDomains` the minimum is 0.
 */
function spreadState(world: World, pod: Pod): SpreadState {
  return scopesOf(world.facts, pod).map((scope) => count(world, pod, scope));
}

/** A constraint with all that does not depend on which pods are there. */
interface Scope {
  readonly constraint: TopologySpreadConstraint;
  readonly selector: LabelSelector | undefined;
  /** Domain by node, for the nodes that count. */
  readonly domainOf: ReadonlyMap<string, string>;
  /** Pods of the cluster as read that count. */
  readonly pods: readonly Pod[];
}

const scopesOf = perPod((facts, pod): readonly Scope[] => {
  const constraints = pod.spec.topologySpreadConstraints.filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  if (constraints.length === 0) return [];
  const nodes = facts
    .nodes()
    .filter(({ metadata }) =>
      constraints.every(({ topologyKey }) => metadata.labels[topologyKey] !== undefined),
    );
  return constraints.map((constraint) => {
    const selector = spreadSelector(pod, constraint);
    const counted = nodes.filter((node) => isLetIn(pod, constraint, node));
    return {
      constraint,
      selector,
      domainOf: new Map(
        counted.map(({ metadata }) => [metadata.name, metadata.labels[constraint.topologyKey] ?? '']),
      ),
      pods: facts.assignedIn(pod.metadata.namespace).filter((other) => isCounted(pod, selector, other)),
    };
  });
});

function count(world: World, pod: Pod, { constraint, selector, domainOf, pods }: Scope): SpreadCount {
  const matching = new Map<string, number>();
  for (const domain of domainOf.values()) matching.set(domain, 0);
  const present = presentOf(world, pods, (other) => isCounted(pod, selector, other));
  for (const { spec } of present) {
    const domain = domainOf.get(spec.nodeName ?? '');
    if (domain !== undefined) matching.set(domain, (matching.get(domain) ?? 0) + 1);
  }
  let least = Number.POSITIVE_INFINITY;
  for (const number of matching.values()) least = Math.min(least, number);
  return {
    constraint,
    self: matchesSelector(selector, pod.metadata.labels) ? 1 : 0,
    matching,
    minimum: matching.size < (constraint.minDomains ?? 1) ? 0 : least,
    minimumDomains: lazy(() =>
      [...matching]
        .filter(([, number]) => number === least)
        .map(([domain]) => domain)
        .sort(),
    ),
    podsIn: (domain) =>
      present.filter(({ spec }) => domainOf.get(spec.nodeName ?? '') === domain).sort(byPodName),
  };
}

/**
 * An empty selector counts nothing, though the pod itself matches it (`common.go: countPodsMatchSelector`).
 */
function isCounted(pod: Pod, selector: LabelSelector | undefined, other: Pod): boolean {
  return (
    selector !== undefined &&
    !isEmpty(selector) &&
    other.metadata.namespace === pod.metadata.namespace &&
    !isTerminating(other) &&
    matchesSelector(selector, other.metadata.labels)
  );
}

function isEmpty(selector: LabelSelector): boolean {
  return Object.keys(selector.matchLabels).length === 0 && selector.matchExpressions.length === 0;
}

function spreadSelector(pod: Pod, { labelSelector, matchLabelKeys }: TopologySpreadConstraint) {
  if (labelSelector === undefined || matchLabelKeys.length === 0) return labelSelector;
  return {
    matchLabels: labelSelector.matchLabels,
    matchExpressions: [
      ...labelSelector.matchExpressions,
      ...keyRequirements(matchLabelKeys, 'In', pod.metadata.labels),
    ],
  };
}

function isLetIn(pod: Pod, constraint: TopologySpreadConstraint, node: Node): boolean {
  if (constraint.nodeAffinityPolicy === 'Honor' && !matchesRequiredNodeAffinity(pod.spec, node)) return false;
  return (
    constraint.nodeTaintsPolicy !== 'Honor' ||
    untoleratedTaints(node.spec.taints, pod.spec.tolerations).length === 0
  );
}

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
function affinityState(world: World, pod: Pod): AffinityState {
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

/** One pod to be placed into one world, with what the filters work out once for all nodes. */
export interface Situation {
  readonly world: World;
  readonly pod: Pod;
  readonly requests: () => Amounts;
  /**
   * Resources that a node must offer, or nothing there can make up for it: it is too small without a further
   * read.
   */
  readonly indispensable: () => readonly string[];
  readonly ports: () => readonly HostPort[];
  readonly volumes: () => VolumeState;
  readonly spread: () => SpreadState;
  readonly affinity: () => AffinityState;
  readonly devices: () => DeviceState;
}

/**
 * A scheduler plugin's Filter: every objection it has to this node, the one the scheduler would name first.
 */
export type Filter = (situation: Situation, node: Node) => readonly Objection[];

export function situationOf(world: World, pod: Pod): Situation {
  return {
    world,
    pod,
    requests: () => requestsOf(world.facts, pod),
    indispensable: () => indispensableOf(world.facts, pod),
    ports: lazy(() => hostPorts(pod)),
    volumes: lazy(() => volumeState(world, pod)),
    spread: lazy(() => {
      const { length } = pod.spec.topologySpreadConstraints;
      if (length > 0) world.work?.spend(length * world.facts.assigned().length);
      return spreadState(world, pod);
    }),
    affinity: lazy(() => {
      const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
      const terms =
        (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution.length ?? 0) +
        (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution.length ?? 0);
      if (terms > 0) world.work?.spend(terms * world.facts.assigned().length);
      return affinityState(world, pod);
    }),
    devices: lazy(() => deviceState(world, pod)),
  };
}

const requestsOf = perPod((_facts, pod) => podRequests(pod, false));

const indispensableOf = perPod((facts, pod) =>
  [...requestsOf(facts, pod)]
    .filter(([resource, amount]) => amount > 0n && !isDeviceBacked(facts, nothing, resource))
    .map(([resource]) => resource),
);

const nothing: Amounts = new Map();

export type HostPort = { readonly port: number; readonly protocol: string; readonly hostIP: string };

const ANY_ADDRESS = '0.0.0.0';

/** Ports that the pod takes on its node: containers and sidecars only (`scheduler/util: GetHostPorts`). */
export function hostPorts(pod: Pod): readonly HostPort[] {
  const ports: HostPort[] = [];
  for (const container of pod.spec.initContainers) {
    if (isSidecar(container)) collect(ports, container.ports);
  }
  for (const container of pod.spec.containers) collect(ports, container.ports);
  return ports;
}

function collect(into: HostPort[], ports: readonly ContainerPort[]): void {
  for (const { hostPort, protocol, hostIP } of ports) {
    if (hostPort <= 0) continue;
    into.push({ port: hostPort, protocol: protocol || 'TCP', hostIP: hostIP || ANY_ADDRESS });
  }
}

/**
 * Same protocol and port, and the same address or one of them all addresses (`HostPortInfo.CheckConflict`).
 */
export function portsConflict(a: HostPort, b: HostPort): boolean {
  return (
    a.port === b.port &&
    a.protocol === b.protocol &&
    (a.hostIP === b.hostIP || a.hostIP === ANY_ADDRESS || b.hostIP === ANY_ADDRESS)
  );
}
