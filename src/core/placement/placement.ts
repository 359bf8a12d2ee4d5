import type { ClusterIndex } from '../cluster/cluster-index.js';
import type { ResourceKind } from '../cluster/cluster-objects.js';
import type { Node } from '../cluster/node.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { WorkBudget } from '../cluster/work-budget.js';
import { type ClusterFacts, clusterFacts } from './cluster-facts.js';
import { type Counterfactual, counterfactual } from './counterfactual.js';
import { type Evaluation, evaluation, podObjections } from './evaluation.js';
import { type FeasibleNodes, trackFeasibleNodes } from './feasible-nodes.js';
import { decisiveReasons } from './fit-error.js';
import { lazy } from './lazy.js';
import { type NearNode, nearest } from './nearest-nodes.js';
import { countPlaces } from './places.js';
import { type Preemption, preemptionOf } from './preemption.js';
import { isReason, type Reason } from './reason.js';
import { type Situation, situationOf } from './situation.js';
import { fitsForSure, type NodeVerdict, verdictOn } from './verdict.js';
import { isPresent, type World, without, withPods, worldOf } from './world.js';

/** Keys of pods (`podKey`: the uid, or namespace/name of a pod without one). */
export type PodKeys = ReadonlySet<string>;

export interface PlacementOptions {
  /** Kinds that could not be read: an object of these that is missing proves nothing. */
  readonly unseen?: Iterable<ResourceKind>;
  /** All questions together spend it; once it is spent, every further answer is `not-simulated`. */
  readonly work?: WorkBudget;
}

/** Answers for one cluster, as it is or as it would be; every question leaves it unchanged. */
export interface Placement {
  /** What the scheduler would say of this pod on this node, with `without` gone. */
  readonly check: (pod: Pod, node: Node, without?: PodKeys) => NodeVerdict;
  /** The same for all nodes, or for those named. */
  readonly evaluate: (
    pod: Pod,
    options?: { readonly without?: PodKeys; readonly nodes?: readonly Node[] },
  ) => Evaluation;
  /** The first node by name that would take the pod: the first of `evaluate(pod).feasible`, found sooner. */
  readonly firstFeasible: (pod: Pod) => string | undefined;
  /** The cluster as it was read. */
  readonly index: ClusterIndex;
  /** Nodes that the cluster has. */
  readonly nodeCount: number;
  /** Nodes may exist that were not read: that none takes a pod says nothing. */
  readonly missesNodes: boolean;
  /** What the diagnosis that asks has left to spend. */
  readonly work: WorkBudget | undefined;
  /**
   * The nodes that would take pods like this one, kept up to date while pods come and go:
   * `trackFeasibleNodes`.
   */
  readonly trackFeasible: (pod: Pod) => FeasibleNodes | undefined;
  /** How many interchangeable pods fit on each node while none of `own` is there: `countPlaces`. */
  readonly countPlaces: (
    own: readonly Pod[],
    wanted: readonly Pod[],
  ) => ReadonlyMap<string, number> | undefined;
  /** The smallest sets of removable pods without which the pod would fit, per node and overall. */
  readonly wouldFitIf: (pod: Pod, removable: readonly Pod[], node?: Node) => Counterfactual;
  /** The nodes with the least missing, with all that each lacks. */
  readonly nearestNodes: (pod: Pod, count: number) => readonly NearNode[];
  /**
   * Could the node take the pod with all `removable` pods gone? Without a list: with every pod gone, and with
   * the pods there that its affinity wants. Needs no pods to be loaded then.
   */
  readonly couldEverFit: (pod: Pod, node: Node, removable?: readonly Pod[]) => boolean;
  /** The nodes that could ever fit, by name. */
  readonly candidateNodes: (pod: Pod) => readonly Node[];
  /** What preemption could do for the pod, on nodes where the scheduler would try it. */
  readonly preemption: (pod: Pod) => Preemption;
  /** True when preemption finds victims, on this node or on any. */
  readonly canPreempt: (pod: Pod, node?: Node) => boolean;
  /**
   * The cluster with pods assigned (each needs `spec.nodeName`) and pods gone. Cheap: what was computed is
   * shared.
   */
  readonly with: (changes: { readonly add?: readonly Pod[]; readonly remove?: PodKeys }) => Placement;
}

export function createPlacement(index: ClusterIndex, options: PlacementOptions = {}): Placement {
  const unseen = new Set(options.unseen);
  const known = unseen.size === 0 ? knownClusters.get(index) : undefined;
  const cluster = known ?? {
    facts: clusterFacts(index, unseen),
    emptied: lazy(() => clusterFacts(emptiedIndex(index), unseen)),
  };
  if (unseen.size === 0) knownClusters.set(index, cluster);
  return placementOf(worldOf(cluster.facts, options.work), cluster.emptied);
}

/** What was computed for an index is shared by all placements made of it. */
const knownClusters = new WeakMap<
  ClusterIndex,
  { readonly facts: ClusterFacts; readonly emptied: () => ClusterFacts }
>();

function placementOf(world: World, emptied: () => ClusterFacts): Placement {
  const { facts } = world;
  const situation = (pod: Pod, keys: PodKeys = new Set()): Situation =>
    situationOf(without(withoutItself(world, pod), keys), pod);
  const known = new WeakMap<Pod, Evaluation>();
  /** On all nodes as they are: asked again and again of the same pod, by every rule. */
  const asThingsAre = (pod: Pod): Evaluation => {
    const found = known.get(pod) ?? evaluation(situation(pod), facts.nodes());
    known.set(pod, found);
    return found;
  };
  const evaluate: Placement['evaluate'] = (pod, { without: keys = nobody, nodes } = {}) =>
    keys.size === 0 && nodes === undefined
      ? asThingsAre(pod)
      : evaluation(situation(pod, keys), nodes ?? facts.nodes());
  const couldEverFit: Placement['couldEverFit'] = (pod, node, removable) => {
    if (removable !== undefined) {
      return verdictOn(situation(pod, new Set(removable.map(podKey))), node).outcome !== 'refused';
    }
    return couldFitEmptied(situationOf(worldOf(emptied(), world.work), pod), node);
  };
  const candidateNodes = (pod: Pod): readonly Node[] => {
    const alone = situationOf(worldOf(emptied(), world.work), pod);
    return facts.nodes().filter((node) => couldFitEmptied(alone, node));
  };
  const preemption = (pod: Pod, node?: Node): Preemption => {
    const nodes = node === undefined ? facts.nodes() : [node];
    const asked = situation(pod);
    const verdicts = node === undefined ? asThingsAre(pod).nodes : [verdictOn(asked, node)];
    return preemptionOf(
      asked,
      nodes.filter((_, position) => {
        const verdict = verdicts[position];
        // Of the plugins before the one that finds the node too small, only that of the ports can be
        // preempted for.
        if (verdict === undefined || (verdict.tooSmall && asked.ports().length === 0)) return false;
        const reasons = decisiveReasons(verdict);
        return reasons.length > 0 && reasons.every(({ preemptible }) => preemptible);
      }),
    );
  };
  return {
    check: (pod, node, keys) => verdictOn(situation(pod, keys), node),
    evaluate,
    firstFeasible(pod) {
      const asked = situation(pod);
      if (podObjections(asked, facts.nodes()).some(isReason)) return undefined;
      return facts.nodes().find((node) => fitsForSure(asked, node))?.metadata.name;
    },
    index: facts.index,
    nodeCount: facts.index.nodes.size,
    missesNodes: facts.isUnseen('Node'),
    work: world.work,
    trackFeasible: (pod) => trackFeasibleNodes(situation(pod)),
    countPlaces: (own, wanted) => countPlaces(world, own, wanted),
    wouldFitIf: (pod, removable, node) =>
      node === undefined
        ? counterfactual(situation(pod), removable, facts.nodes(), asThingsAre(pod).nodes)
        : counterfactual(situation(pod), removable, [node], [verdictOn(situation(pod), node)]),
    nearestNodes: (pod, count) => nearest(evaluate(pod).nodes, count),
    couldEverFit,
    candidateNodes,
    preemption: (pod) => preemption(pod),
    canPreempt: (pod, node) => preemption(pod, node).outcome === 'possible',
    with: ({ add = [], remove = new Set() }) => placementOf(withPods(without(world, remove), add), emptied),
  };
}

const nobody: PodKeys = new Set();

/** A pod never competes with itself. */
function withoutItself(world: World, pod: Pod): World {
  const isThere =
    pod.spec.nodeName !== undefined &&
    (world.added.some((other) => podKey(other) === podKey(pod)) ||
      world.facts
        .podsOn(pod.spec.nodeName)
        .some((other) => podKey(other) === podKey(pod) && isPresent(world, other)));
  return isThere ? without(world, new Set([podKey(pod)])) : world;
}

/** On the emptied cluster nothing is left to refuse but what no pod can change. */
function couldFitEmptied(situation: Situation, node: Node): boolean {
  const verdict = verdictOn(situation, node);
  return !verdict.tooSmall && !verdict.reasons.some(isLasting);
}

/** Neither pods that leave nor pods that come remove it. */
function isLasting(reason: Reason): boolean {
  return !(reason.id === 'pod-affinity' && reason.rule === 'affinity' && reason.domain !== undefined);
}

/** The same cluster without pods, attachments and allocations. */
function emptiedIndex(index: ClusterIndex): ClusterIndex {
  const ResourceClaim = index.objects.ResourceClaim.map((claim) => ({
    ...claim,
    status: { allocation: undefined, reservedFor: [] },
  }));
  const { podsReadOn: _all, ...rest } = index;
  return {
    ...rest,
    objects: { ...index.objects, Pod: [], VolumeAttachment: [], ResourceClaim },
    podsByNode: new Map(),
    podsByOwner: new Map(),
    unassignedPods: [],
    terminatingPods: [],
    finitePods: [],
  };
}
