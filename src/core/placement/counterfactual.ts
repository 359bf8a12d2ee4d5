import type { Node } from '../cluster/node.js';
import type { Pod } from '../cluster/pod.js';
import { byPodName, podKey } from '../cluster/pod-key.js';
import { compareText } from '../collections/collections.js';
import { podObjections } from './evaluation.js';
import { isReason } from './reason.js';
import { relevantPods } from './relevant-pods.js';
import { type Situation, situationOf } from './situation.js';
import { type Search, smallestSets } from './smallest-sets.js';
import { fitsOn, type NodeVerdict, verdictOn } from './verdict.js';
import { without } from './world.js';

/** What must go for the pod to fit on one node. */
export interface NodeCounterfactual {
  readonly node: string;
  /**
   * The smallest set whose removal makes the pod fit; empty when it fits already. Sorted by namespace and
   * name.
   */
  readonly remove: readonly Pod[];
  /** Other sets of the same size that do as well, at most 15. */
  readonly alternatives: readonly (readonly Pod[])[];
  /**
   * False: the search was cut short, so `remove` cannot be made smaller by leaving pods out, but another may
   * be.
   */
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
/** Pods tried in combinations per call, on all nodes together. */
const MAX_STEPS = 5_000_000;

/**
 * The smallest sets of `removable` pods without which the pod would fit: on each node, considering removable
 * pods everywhere, since topology-wide rules look beyond the node. Exact up to the limits in
 * `smallest-sets.ts`.
 *
 * @param verdicts what is said of the nodes with all pods in place, in the same order
 */
export function counterfactual(
  situation: Situation,
  removable: readonly Pod[],
  nodes: readonly Node[],
  verdicts: readonly NodeVerdict[],
): Counterfactual {
  const objections = podObjections(situation, nodes);
  const refusals = objections.filter(isReason);
  if (refusals.some(({ resolvable }) => !resolvable)) return { nodes: [], best: undefined };
  const question: Question = {
    situation,
    removable: new Map(removable.map((pod) => [podKey(pod), pod])),
    refused: refusals.length > 0,
    certain: objections.length === 0,
    search: { checksLeft: MAX_CHECKS, stepsLeft: MAX_STEPS },
  };
  const found = nodes
    .flatMap((node, position) => {
      const verdict = verdicts[position];
      if (situation.world.work?.isSpent()) return [];
      return (verdict && onNode(question, node, verdict)) ?? [];
    })
    .sort((a, b) => a.remove.length - b.remove.length || compareText(a.node, b.node));
  situation.world.work?.spend(MAX_STEPS - question.search.stepsLeft);
  return { nodes: found, best: found[0] };
}

interface Question {
  readonly situation: Situation;
  readonly removable: ReadonlyMap<string, Pod>;
  /** The pod as such is refused, for a reason that pods' leaving could remove. */
  readonly refused: boolean;
  /** Nothing about the pod as such was left unanswered. */
  readonly certain: boolean;
  readonly search: Search;
}

function onNode(question: Question, node: Node, verdict: NodeVerdict): NodeCounterfactual | undefined {
  const { situation, removable, search } = question;
  if (verdict.outcome !== 'refused' && !question.refused) {
    const certain = question.certain && verdict.outcome === 'fits';
    return { node: node.metadata.name, remove: [], alternatives: [], smallest: true, certain };
  }
  if (verdict.tooSmall) return undefined;
  const relevant = relevantPods(situation, node, verdict.reasons, removable);
  if (relevant === undefined) return undefined;
  const fitsWithout = (pods: readonly Pod[]): boolean => {
    const after = situationWithout(situation, pods);
    return fitsOn(after, node) && !(question.refused && podObjections(after, [node]).some(isReason));
  };
  const { sets, exact } = smallestSets(relevant, fitsWithout, search);
  const [remove, ...alternatives] = sets.map((set) => [...set].sort(byPodName));
  if (remove === undefined) return undefined;
  const after = situationWithout(situation, remove);
  const certain = verdictOn(after, node).outcome === 'fits' && podObjections(after, [node]).length === 0;
  return { node: node.metadata.name, remove, alternatives, smallest: exact, certain };
}

function situationWithout({ world, pod }: Situation, pods: readonly Pod[]): Situation {
  return situationOf(without(world, new Set(pods.map(podKey))), pod);
}
