import { compareText } from '../collections/collections.js';
import type { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import { byPodName, podKey } from '../objects/pod.js';
import { countedAmount } from './amounts.js';
import { podObjections } from './evaluation.js';
import { podRequests } from './pod-requests.js';
import { parseQuantity } from './quantity.js';
import { holdersOf, isReason, type Reason, type ResourceReason } from './reason.js';
import { type Situation, situationOf, wantsItself } from './situation.js';
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

/** Shared by the nodes of one question, so that all of it stays bounded. */
interface Search {
  /** Full checks of a node. */
  checksLeft: number;
  /** Pods tried in a combination. */
  stepsLeft: number;
}

interface SmallestSets {
  /** All of one size, the first being the choice; empty when no set helps. */
  readonly sets: readonly (readonly Pod[])[];
  /** False when the search was cut short: then the one set cannot lose a pod, but a smaller one may exist. */
  readonly exact: boolean;
}

const MAX_SETS = 16;
/** Combinations looked at per node, most of them dismissed by arithmetic alone. */
const MAX_COMBINATIONS = 200_000;

/**
 * Tries sets of growing size, the most useful pods first, until a size is found at which some set helps. Sums
 * of what the pods free rule most combinations out before `fitsWithout` is asked.
 */
function smallestSets(
  relevant: RelevantPods,
  fitsWithout: (pods: readonly Pod[]) => boolean,
  search: Search,
): SmallestSets {
  const { required, optional } = relevant;
  const budget = { combinations: MAX_COMBINATIONS };
  const asks = (chosen: readonly OptionalPod[]): boolean => {
    search.checksLeft -= 1;
    return fitsWithout([...required, ...chosen.map(({ pod }) => pod)]);
  };
  for (let size = fewestNeeded(relevant); size <= optional.length; size += 1) {
    const sets: (readonly Pod[])[] = [];
    for (const chosen of combinations(relevant, size, budget, search)) {
      if (search.checksLeft <= 0) break;
      if (asks(chosen)) sets.push([...required, ...chosen.map(({ pod }) => pod)]);
      if (sets.length === MAX_SETS) break;
    }
    if (sets.length > 0) return { sets, exact: true };
    if (search.checksLeft <= 0 || budget.combinations <= 0) return reduced(relevant, fitsWithout);
  }
  return { sets: [], exact: true };
}

/** No fewer can free enough, even the largest ones. */
function fewestNeeded({ optional, short, atLeast }: RelevantPods): number {
  const needed = short.map((amount, index) => {
    const largest = optional
      .map(({ frees }) => frees[index] ?? 0n)
      .sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
    let left = amount;
    let count = 0;
    while (left > 0n && count < largest.length) {
      left -= largest[count] ?? 0n;
      count += 1;
    }
    return left > 0n ? Number.POSITIVE_INFINITY : count;
  });
  return Math.max(0, atLeast, ...needed);
}

/**
 * Combinations of one size that free enough, in order of usefulness. Not recursive: a node may run thousands
 * of pods.
 */
function* combinations(
  { optional, short }: RelevantPods,
  size: number,
  budget: { combinations: number },
  search: Search,
): Generator<readonly OptionalPod[]> {
  const chosen: number[] = [];
  const left: (readonly bigint[])[] = [short];
  let next = 0;
  while (budget.combinations > 0) {
    const missing = left.at(-1) ?? short;
    const item = optional[next];
    if (chosen.length < size && item !== undefined && next <= optional.length - (size - chosen.length)) {
      if (search.stepsLeft <= 0) budget.combinations = 0;
      search.stepsLeft -= 1;
      chosen.push(next);
      left.push(missing.map((amount, position) => amount - (item.frees[position] ?? 0n)));
      next += 1;
      continue;
    }
    if (chosen.length === size) {
      budget.combinations -= 1;
      if (missing.every((amount) => amount <= 0n)) yield chosen.flatMap((index) => optional[index] ?? []);
    }
    const last = chosen.pop();
    if (last === undefined) return;
    left.pop();
    next = last + 1;
  }
}

/**
 * Above it, each pod of a crowded node would be examined as often as there are pods. A kubelet runs about
 * 110.
 */
const MAX_REDUCED = 1_000;

/**
 * All relevant pods, less each one that is not needed, the least useful tried first. No set beyond
 * `MAX_REDUCED`.
 */
function reduced(
  { required, optional }: RelevantPods,
  fitsWithout: (pods: readonly Pod[]) => boolean,
): SmallestSets {
  let set = [...required, ...optional.map(({ pod }) => pod)];
  if (set.length > MAX_REDUCED || !fitsWithout(set)) return { sets: [], exact: false };
  for (const { pod } of [...optional].reverse()) {
    const fewer = set.filter((other) => other !== pod);
    if (fitsWithout(fewer)) set = fewer;
  }
  return { sets: [set], exact: false };
}

/** A pod whose removal could help, with what it would free of each scarce resource. */
type OptionalPod = { readonly pod: Pod; readonly frees: readonly bigint[] };

/** What a search for the smallest set works on. */
interface RelevantPods {
  /** Each of these alone keeps the pod away: every set contains them. */
  readonly required: readonly Pod[];
  /** The most useful first, then by name. */
  readonly optional: readonly OptionalPod[];
  /** What the optional pods must free of each scarce resource, after the required ones are gone. */
  readonly short: readonly bigint[];
  /** So many optional pods must go at least, by the spread rules alone. */
  readonly atLeast: number;
}

/**
 * Splits the removable pods by what the node's reasons say of them. `undefined` when no set can help: a
 * reason that nobody's leaving removes, or a holder that must go and is not removable. Pods left out can only
 * make matters worse by leaving, so that a smallest set never needs them.
 */
function relevantPods(
  situation: Situation,
  node: Node,
  reasons: readonly Reason[],
  removable: ReadonlyMap<string, Pod>,
): RelevantPods | undefined {
  if (removable.size === 0) return undefined;
  const startsSeries = wantsItself(situation.world.facts, situation.pod);
  if (reasons.some((reason) => !reason.resolvable && !(startsSeries && isLonely(reason)))) return undefined;
  const required = new Map<string, Pod>();
  for (const reason of reasons.filter(isHeldByAll)) {
    for (const holder of holdersOf(reason)) {
      const pod = removable.get(podKey(holder));
      if (pod === undefined) return undefined;
      required.set(podKey(pod), pod);
    }
  }
  const scarce = reasons.filter(isResource);
  const freed = (pod: Pod): readonly bigint[] => scarce.map(({ resource }) => freedAmount(pod, resource));
  const gone = [...required.values()].filter(({ spec }) => spec.nodeName === node.metadata.name).map(freed);
  const short = scarce.map(({ resource, short: text }, index) =>
    gone.reduce((left, frees) => left - (frees[index] ?? 0n), shortAmount(resource, text)),
  );
  const atLeast = reasons.reduce((most, reason) => Math.max(most, excess(reason)), 0) - required.size;
  const optional = candidates(situation, node, reasons, startsSeries)
    .map((pod) => removable.get(podKey(pod)))
    .filter((pod): pod is Pod => pod !== undefined && !required.has(podKey(pod)))
    .map((pod) => ({
      pod,
      frees: pod.spec.nodeName === node.metadata.name ? freed(pod) : scarce.map(() => 0n),
    }));
  return {
    required: [...required.values()].sort(byPodName),
    optional: mostUseful(optional, short),
    short,
    atLeast,
  };
}

function candidates(
  situation: Situation,
  node: Node,
  reasons: readonly Reason[],
  startsSeries: boolean,
): readonly Pod[] {
  const pods = new Map<string, Pod>();
  const note = (pod: Pod): void => {
    pods.set(podKey(pod), pod);
  };
  for (const reason of reasons) holdersOf(reason).forEach(note);
  for (const count of situation.spread()) {
    const domain = node.metadata.labels[count.constraint.topologyKey];
    if (domain !== undefined) count.podsIn(domain).forEach(note);
  }
  if (startsSeries) {
    for (const domains of situation.affinity().wanted.values()) [...domains.values()].flat().forEach(note);
  }
  if (situation.pod.spec.resourceClaims.length > 0) {
    situation.world.facts
      .assigned()
      .filter(({ spec }) => spec.resourceClaims.length > 0)
      .forEach(note);
  }
  return [...pods.values()];
}

/**
 * The affinity reason that goes away when nobody matches any more and the pod may start the series itself.
 */
function isLonely(reason: Reason): boolean {
  return reason.id === 'pod-affinity' && reason.rule === 'affinity' && reason.domain !== undefined;
}

/** Pods that must leave the domain until its skew is allowed; other domains' pods can only make that more. */
function excess(reason: Reason): number {
  if (reason.id !== 'topology-spread' || reason.domain === undefined) return 0;
  return reason.matching + reason.self - reason.minimum - reason.maxSkew;
}

function isHeldByAll(reason: Reason): boolean {
  return (
    reason.id === 'host-port' ||
    reason.id === 'rwop' ||
    reason.id === 'disk-conflict' ||
    (reason.id === 'pod-affinity' && reason.rule !== 'affinity')
  );
}

function isResource(reason: Reason): reason is ResourceReason {
  return 'short' in reason;
}

function freedAmount(pod: Pod, resource: string): bigint {
  return resource === 'pods' ? 1n : (podRequests(pod, true).get(resource) ?? 0n);
}

function shortAmount(resource: string, text: string): bigint {
  return countedAmount(resource, parseQuantity(text) ?? { nano: 0n, format: 'DecimalSI' });
}

function mostUseful(pods: readonly OptionalPod[], short: readonly bigint[]): readonly OptionalPod[] {
  const use = ({ frees }: OptionalPod): number =>
    frees.reduce((sum, amount, index) => {
      const needed = short[index] ?? 0n;
      return needed <= 0n ? sum : sum + Math.min(1, Number(amount) / Number(needed));
    }, 0);
  return pods
    .map((item) => ({ item, use: use(item) }))
    .sort((a, b) => b.use - a.use || byPodName(a.item.pod, b.item.pod))
    .map(({ item }) => item);
}
