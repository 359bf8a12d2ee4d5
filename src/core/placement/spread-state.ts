import { type LabelSelector, matchesSelector } from '../cluster/label-selector.js';
import type { Node } from '../cluster/node.js';
import { isTerminating, type Pod } from '../cluster/pod.js';
import type { TopologySpreadConstraint } from '../cluster/pod-spec.js';
import { matchesRequiredNodeAffinity } from './node-selector.js';
import { byPodName } from './pod-key.js';
import { keyRequirements } from './pod-terms.js';
import { untoleratedTaints } from './toleration.js';
import { presentOf, type World } from './world.js';

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

export type SpreadState = readonly SpreadCount[];

/**
 * Counts as `podtopologyspread/filtering.go: calPreFilterState`: nodes must have the labels of all constraints and be
 * let in by the constraint's policies; pods of the pod's own namespace count, terminating ones do not; with fewer
 * domains than `minDomains` the minimum is 0.
 */
export function spreadState(world: World, pod: Pod): SpreadState {
  const constraints = hardConstraints(pod);
  if (constraints.length === 0) return [];
  const nodes = world.facts
    .nodes()
    .filter(({ metadata }) =>
      constraints.every(({ topologyKey }) => metadata.labels[topologyKey] !== undefined),
    );
  return constraints.map((constraint) => count(world, pod, constraint, nodes));
}

export function hardConstraints(pod: Pod): readonly TopologySpreadConstraint[] {
  return pod.spec.topologySpreadConstraints.filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
}

function count(
  world: World,
  pod: Pod,
  constraint: TopologySpreadConstraint,
  nodes: readonly Node[],
): SpreadCount {
  const selector = spreadSelector(pod, constraint);
  const domainOf = new Map<string, string>();
  const matching = new Map<string, number>();
  for (const node of nodes) {
    if (!isLetIn(pod, constraint, node)) continue;
    const domain = node.metadata.labels[constraint.topologyKey] ?? '';
    domainOf.set(node.metadata.name, domain);
    if (!matching.has(domain)) matching.set(domain, 0);
  }
  const counted = countedPods(world, pod, selector).filter(({ spec }) => domainOf.has(spec.nodeName ?? ''));
  for (const { spec } of counted) {
    const domain = domainOf.get(spec.nodeName ?? '') ?? '';
    matching.set(domain, (matching.get(domain) ?? 0) + 1);
  }
  let least = Number.POSITIVE_INFINITY;
  for (const number of matching.values()) least = Math.min(least, number);
  return {
    constraint,
    self: matchesSelector(selector, pod.metadata.labels) ? 1 : 0,
    matching,
    minimum: matching.size < (constraint.minDomains ?? 1) ? 0 : least,
    minimumDomains: () =>
      [...matching]
        .filter(([, number]) => number === least)
        .map(([domain]) => domain)
        .sort(),
    podsIn: (domain) =>
      counted.filter(({ spec }) => domainOf.get(spec.nodeName ?? '') === domain).sort(byPodName),
  };
}

/** An empty selector counts nothing, though the pod itself matches it (`common.go: countPodsMatchSelector`). */
function countedPods(world: World, pod: Pod, selector: LabelSelector | undefined): readonly Pod[] {
  if (selector === undefined || isEmpty(selector)) return [];
  const counts = (other: Pod): boolean =>
    other.metadata.namespace === pod.metadata.namespace &&
    !isTerminating(other) &&
    matchesSelector(selector, other.metadata.labels);
  return presentOf(world, world.facts.assignedIn(pod.metadata.namespace), counts).filter(counts);
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
