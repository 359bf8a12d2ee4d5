import { compareText } from '../cluster/cluster-objects.js';
import type { Node } from '../cluster/node.js';
import type { Pod } from '../cluster/pod.js';
import { podObjections } from './evaluation.js';
import { byPodName, podKey } from './pod-key.js';
import { isReason } from './reason.js';
import { relevantPods } from './relevant-pods.js';
import { type Situation, situationOf } from './situation.js';
import { type Search, smallestSets } from './smallest-sets.js';
import { fitsOn, verdictOn } from './verdict.js';
import { without } from './world.js';

/** What must go for the pod to fit on one node. */
export interface NodeCounterfactual {
  readonly node: string;
  /** The smallest set whose removal makes the pod fit; empty when it fits already. Sorted by namespace and name. */
  readonly remove: readonly Pod[];
  /** Other sets of the same size that do as well, at most 15. */
  readonly alternatives: readonly (readonly Pod[])[];
  /** False: the search was cut short, so `remove` cannot be made smaller by leaving pods out, but another may be. */
  readonly smallest: boolean;
  /** False: something on this node could not be simulated. */
  readonly certain: boolean;
}

/** What must go for the pod to fit anywhere. */
export interface Counterfactual {
  /** Nodes where a set was found, the smallest sets first, then by name. */
  readonly nodes: readonly NodeCounterfactual[];
  /** The first of them; `undefined` when no set of the removable pods makes room. */
  readonly best: NodeCounterfactual | undefined;
}

/** Full checks per call, so that a hostile cluster cannot keep a diagnosis busy. */
const MAX_CHECKS = 4000;

/**
 * The smallest sets of `removable` pods without which the pod would fit: on each node, considering removable pods
 * everywhere, since topology-wide rules look beyond the node. Exact up to the limits in `smallest-sets.ts`.
 */
export function counterfactual(
  situation: Situation,
  removable: readonly Pod[],
  nodes: readonly Node[],
): Counterfactual {
  const pods = new Map(removable.map((pod) => [podKey(pod), pod]));
  const search: Search = { checksLeft: MAX_CHECKS };
  const found = isHopeless(situation, nodes)
    ? []
    : nodes.flatMap((node) => onNode(situation, node, pods, search) ?? []);
  const sorted = found.sort((a, b) => a.remove.length - b.remove.length || compareText(a.node, b.node));
  return { nodes: sorted, best: sorted[0] };
}

function isHopeless(situation: Situation, nodes: readonly Node[]): boolean {
  return podObjections(situation, nodes).some((objection) => isReason(objection) && !objection.resolvable);
}

function onNode(
  situation: Situation,
  node: Node,
  removable: ReadonlyMap<string, Pod>,
  search: Search,
): NodeCounterfactual | undefined {
  const fitsWithout = (pods: readonly Pod[]): boolean =>
    fitsOn(situationOf(without(situation.world, new Set(pods.map(podKey))), situation.pod), node) &&
    !podRefused(situation, pods, node);
  const verdict = verdictOn(situation, node);
  const podLevel = podRefused(situation, [], node);
  if (verdict.outcome !== 'refused' && !podLevel) return outcome(situation, node, [[]], true);
  const relevant = relevantPods(situation, node, verdict.reasons, removable);
  if (relevant === undefined) return undefined;
  const { sets, exact } = smallestSets(relevant, fitsWithout, search);
  return sets.length === 0 ? undefined : outcome(situation, node, sets, exact);
}

/** A claim with too many users refuses the pod as such, until enough of them leave. */
function podRefused(situation: Situation, pods: readonly Pod[], node: Node): boolean {
  const world = without(situation.world, new Set(pods.map(podKey)));
  return podObjections(situationOf(world, situation.pod), [node]).some(isReason);
}

function outcome(
  situation: Situation,
  node: Node,
  sets: readonly (readonly Pod[])[],
  exact: boolean,
): NodeCounterfactual {
  const [remove = [], ...alternatives] = sets.map((set) => [...set].sort(byPodName));
  const world = without(situation.world, new Set(remove.map(podKey)));
  const after = situationOf(world, situation.pod);
  const certain = verdictOn(after, node).outcome === 'fits' && podObjections(after, [node]).length === 0;
  return { node: node.metadata.name, remove, alternatives, smallest: exact, certain };
}
