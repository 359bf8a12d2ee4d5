import type { ClusterIndex } from '../objects/cluster-index.js';
import type { ResourceKind } from '../objects/cluster-objects.js';
import type { Node } from '../objects/node.js';
import { isTerminal, type Pod, podKey } from '../objects/pod.js';
import type { Volume } from '../objects/pod-spec.js';
import type { WorkBudget } from '../objects/work-budget.js';
import { type ClusterFacts, clusterFacts, lazy } from './cluster-facts.js';
import { type Counterfactual, counterfactual } from './counterfactual.js';
import { decisiveReasons, type Evaluation, evaluation, podObjections } from './evaluation.js';
import { podRequests } from './pod-requests.js';
import { antiAffinityTerms } from './pod-terms.js';
import { type Preemption, preemptionOf } from './preemption.js';
import { isReason, type Reason } from './reason.js';
import { hostPorts, type Situation, situationOf } from './situation.js';
import { fitsForSure, type NearNode, type NodeVerdict, nearest, verdictOn } from './verdict.js';
import { claimUses } from './volume-state.js';
import { isPresent, podsOn, requestedOn, type World, without, withPods, worldOf } from './world.js';

/** Keys of pods (`podKey`: the uid, or namespace/name of a pod without one). */
type PodKeys = ReadonlySet<string>;

interface PlacementOptions {
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
    status: { allocation: undefined, reservedFor: [], devices: [] },
  }));
  const { podsReadOn: _all, ...rest } = index;
  return {
    ...rest,
    objects: { ...index.objects, Pod: [], VolumeAttachment: [], ResourceClaim },
    podsByNode: new Map(),
    podsByOwner: new Map(),
    podsOfControllers: [],
    unassignedPods: [],
    terminatingPods: [],
    avoidingPods: [],
    finitePods: [],
  };
}

/**
 * How many of a workload's pods fit on each node while none of `own` is there, where all pods are
 * interchangeable: each takes exactly one place of its node, whichever pod it is, and no pod changes the
 * places of another node. Nodes without a place are left out.
 *
 * `undefined` where pods are not interchangeable or that is not certain: they request different amounts, a
 * rule looks at other nodes or at a pod's own volumes and claims, or a pod runs on a node that has fewer
 * places than pods.
 *
 * @param own all pods of the workload, in the cluster as it was read
 * @param wanted pods that are placed or created, as the API server would store them
 */
function countPlaces(
  world: World,
  own: readonly Pod[],
  wanted: readonly Pod[],
): ReadonlyMap<string, number> | undefined {
  const running = own.filter((pod) => (pod.spec.nodeName ?? '') !== '' && !isTerminal(pod));
  const distinct = [...new Map(wanted.map((pod) => [askedOf(pod), pod])).values()];
  const [first] = distinct;
  if (first === undefined || distinct.length > maxDistinct) return undefined;
  const taken = takenBy(first);
  const isAlike = (pod: Pod): boolean => pod.spec.volumes.every(isLocal) && takenBy(pod) === taken;
  if (!running.every(isAlike) || !distinct.every((pod) => isAlike(pod) && accountsWhatItAsks(pod))) {
    return undefined;
  }
  const emptied = without(world, new Set(own.map(podKey)));
  const [places, ...others] = distinct.map((pod) => placesFor(situationOf(emptied, pod)));
  if (places === undefined || others.some((other) => other === undefined || !isSame(places, other))) {
    return undefined;
  }
  return hasPlaceForAll(places, running) ? places : undefined;
}

const maxDistinct = 8;

/** What the pod takes of its node. */
function takenBy(pod: Pod): string {
  const ports = hostPorts(pod).map(({ port, protocol, hostIP }) => `${protocol}/${hostIP}:${port}`);
  return `${amountsText(pod, true)} ${ports.sort().join()}`;
}

function amountsText(pod: Pod, isAccounted: boolean): string {
  return [...podRequests(pod, isAccounted)]
    .filter(([, amount]) => amount !== 0n)
    .map(([resource, amount]) => `${resource}=${amount}`)
    .sort()
    .join();
}

function accountsWhatItAsks(pod: Pod): boolean {
  return amountsText(pod, false) === amountsText(pod, true);
}

/** Equal text for pods that every filter answers alike. */
function askedOf({ metadata, spec, status }: Pod): string {
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, resourceClaims } = spec;
  const { schedulerName, schedulingGates, priority } = spec;
  return JSON.stringify([
    metadata.namespace,
    metadata.labels,
    [nodeSelector, affinity, tolerations, topologySpreadConstraints, resourceClaims],
    [schedulerName, schedulingGates, priority, status.nominatedNodeName],
    spec.containers.map(({ resources, ports }) => [resources, ports]),
    spec.initContainers.map(({ resources, ports, restartPolicy }) => [resources, ports, restartPolicy]),
    [spec.resources, spec.overhead],
  ]);
}

/** Nothing outside its node is used for it. */
function isLocal(volume: Volume): boolean {
  return (
    volume.persistentVolumeClaim === undefined &&
    volume.ephemeral === undefined &&
    volume.gcePersistentDisk === undefined &&
    volume.awsElasticBlockStore === undefined &&
    volume.iscsi === undefined &&
    volume.rbd === undefined
  );
}

function placesFor(situation: Situation): ReadonlyMap<string, number> | undefined {
  const nodes = situation.world.facts.nodes();
  if (!dependsOnNodeAlone(situation)) return undefined;
  const places = new Map<string, number>();
  if (podObjections(situation, nodes).some(isReason)) return places;
  for (const node of nodes) {
    if (!fitsForSure(situation, node)) continue;
    const count = placesOn(situation, node);
    if (!isConfirmed(situation, node, count)) return undefined;
    places.set(node.metadata.name, count);
  }
  return places;
}

/** By arithmetic alone, for a node that takes at least one. */
function placesOn(situation: Situation, node: Node): number {
  const { world, requests } = situation;
  const { name } = node.metadata;
  if (situation.ports().length > 0) return 1;
  const allocatable = world.facts.allocatable(node);
  const used = requestedOn(world, name);
  let least = (allocatable.get('pods') ?? 0n) - BigInt(podsOn(world, name).length);
  for (const [resource, requested] of requests()) {
    if (requested <= 0n) continue;
    const fits = ((allocatable.get(resource) ?? 0n) - (used.get(resource) ?? 0n)) / requested;
    if (fits < least) least = fits;
  }
  return Number(least);
}

/**
 * The filters themselves say so, for the first places; what follows is the same subtraction again and again.
 */
const maxConfirmed = 2;

function isConfirmed(situation: Situation, node: Node, count: number): boolean {
  if (count < 1 || !Number.isSafeInteger(count)) return false;
  const beside = (copies: number): boolean => {
    const { world, pod } = situation;
    const added = Array.from({ length: copies }, (_, position) => copyOn(pod, node, position));
    return fitsForSure(situationOf(withPods(world, added), pod), node);
  };
  return count <= maxConfirmed ? !beside(count) && (count < 2 || beside(count - 1)) : beside(maxConfirmed);
}

function copyOn(pod: Pod, node: Node, position: number): Pod {
  const name = `${pod.metadata.name}:place-${position}`;
  const metadata = { ...pod.metadata, name, uid: `place:${name}` };
  return { ...pod, metadata, spec: { ...pod.spec, nodeName: node.metadata.name } };
}

function isSame(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && [...a].every(([node, count]) => b.get(node) === count);
}

function hasPlaceForAll(places: ReadonlyMap<string, number>, running: readonly Pod[]): boolean {
  const used = new Map<string, number>();
  for (const { spec } of running) used.set(spec.nodeName ?? '', (used.get(spec.nodeName ?? '') ?? 0) + 1);
  return [...used].every(([node, count]) => (places.get(node) ?? 0) >= count);
}

/** The nodes that would take pods like one pod, kept up to date while pods come to nodes and leave them. */
export interface FeasibleNodes {
  /**
   * The pods that came to the node and that left it since the cluster was read, both in full. Gives pods
   * examined.
   */
  readonly update: (node: string, came: readonly Pod[], left: readonly Pod[]) => number;
  readonly first: () => string | undefined;
  readonly last: () => string | undefined;
  readonly count: () => number;
}

/**
 * `undefined` where the answer for a node also depends on what runs on other nodes, or is nominated for them:
 * then every node must be asked again after each change.
 */
function trackFeasibleNodes(situation: Situation): FeasibleNodes | undefined {
  const { world, pod } = situation;
  const nodes = world.facts.nodes();
  if (!dependsOnNodeAlone(situation)) return undefined;
  const isRefused = podObjections(situation, nodes).some(isReason);
  const fits = nodes.map((node) => !isRefused && fitsForSure(situation, node));
  const positions = new Map(nodes.map(({ metadata }, position) => [metadata.name, position]));
  let count = fits.filter(Boolean).length;
  /** No node below `low` or above `high` fits. */
  let low = 0;
  let high = nodes.length - 1;
  return {
    update(name, came, left) {
      const position = positions.get(name);
      const node = position === undefined ? undefined : nodes[position];
      if (position === undefined || node === undefined || isRefused) return 1;
      const examined = 1 + world.facts.podsOn(name).length + 2 * (came.length + left.length);
      const now = fitsForSure(situationOf(changedWorld(world, came, left), pod), node);
      if (now === fits[position]) return examined;
      fits[position] = now;
      count += now ? 1 : -1;
      if (now) {
        low = Math.min(low, position);
        high = Math.max(high, position);
      }
      return examined;
    },
    first() {
      while (low < nodes.length && !fits[low]) low += 1;
      return nameAt(nodes, low);
    },
    last() {
      while (high >= 0 && !fits[high]) high -= 1;
      return nameAt(nodes, high);
    },
    count: () => count,
  };
}

function nameAt(nodes: readonly Node[], position: number): string | undefined {
  return nodes[position]?.metadata.name;
}

function changedWorld(world: World, came: readonly Pod[], left: readonly Pod[]): World {
  return withPods(without(world, new Set(left.map(podKey))), came);
}

/** True where the answer for a node follows from that node and the pod alone. */
function dependsOnNodeAlone(situation: Situation): boolean {
  const { pod, world } = situation;
  return (
    isLikePodsOfItsTemplate(pod) &&
    claimUses(pod).length === 0 &&
    situation.devices().extended.size === 0 &&
    situation.spread().length === 0 &&
    situation.affinity().idle &&
    !hasNominations(world.facts)
  );
}

/** Nothing about the pod is its own: no claim by its name, no node nominated for it. */
export function isLikePodsOfItsTemplate({ spec, status }: Pod): boolean {
  return (
    (status.nominatedNodeName ?? '') === '' &&
    spec.resourceClaims.length === 0 &&
    spec.volumes.every(({ ephemeral }) => ephemeral === undefined)
  );
}

/** True for a pod that keeps others away from nodes other than its own. */
export function avoidsOthers(pod: Pod): boolean {
  return antiAffinityTerms(pod).length > 0;
}

function hasNominations(facts: ClusterFacts): boolean {
  return facts.nodes().some(({ metadata }) => facts.nominatedOn(metadata.name).length > 0);
}
