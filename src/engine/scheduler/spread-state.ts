import { type LabelSelector, matchesSelector } from '../objects/label-selector.js';
import type { Node } from '../objects/node.js';
import { byPodName, isTerminating, type Pod } from '../objects/pod.js';
import type { TopologySpreadConstraint } from '../objects/pod-spec.js';
import { lazy, perPod } from './cluster-facts.js';
import { matchesRequiredNodeAffinity, untoleratedTaints } from './node-selector.js';
import { keyRequirements } from './pod-terms.js';
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
 * Counts as `podtopologyspread/filtering.go: calPreFilterState`: nodes must have the labels of all
 * constraints and be let in by the constraint's policies; pods of the pod's own namespace count, terminating
 * ones do not; with fewer domains than `minDomains` the minimum is 0.
 */
export function spreadState(world: World, pod: Pod): SpreadState {
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
