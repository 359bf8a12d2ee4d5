import { compareText, groupBy } from '../collections/collections.js';
import { atMost, choose, convolve, type Distribution, hypergeometric, upperTails } from './distribution.js';
import { type Incarnation, stratumOf } from './incarnation.js';

/** A label that nodes share, such as a zone, a pool or a kernel. */
export interface NodeAttribute {
  readonly name: string;
  readonly value: string;
}

export type AttributesByNode = ReadonlyMap<string, readonly NodeAttribute[]>;

/**
 * Nodes by name, and the attributes that exactly these share; none where the nodes were chosen for their
 * crashes.
 */
export interface NodeGroup {
  readonly nodes: readonly string[];
  readonly attributes: readonly NodeAttribute[];
}

/**
 * A node, a group of nodes that share attributes, or a set of nodes, that may hold more crashes than chance
 * gives it.
 */
export interface Candidate extends NodeGroup {
  /** How many candidates of its kind there are: what choosing the worst costs. */
  readonly weight: number;
  /** Crashed incarnations it holds. */
  readonly observed: number;
  /** The probabilities of at least so many crashes, from the smallest possible number on. */
  readonly tails: readonly number[];
  /** The probability of so many crashes, uncorrected. */
  readonly p: number;
}

export interface Selection extends Candidate {
  /** Corrected for having chosen the strongest of all nodes, groups and sets. */
  readonly pAdjusted: number;
}

export interface SelectionOptions {
  readonly attributes: AttributesByNode;
  /** Whether sets of nodes that share nothing are tried too. */
  readonly sets: boolean;
}

/**
 * The candidate that chance explains worst; undefined: nothing to compare. It is corrected for the choice by
 * the sum, over all candidates, of their own chances to score as low: counts are whole numbers, and those of
 * a small node seldom do.
 */
export function strongestCandidate(
  strata: readonly Stratum[],
  { attributes, sets }: SelectionOptions,
): Selection | undefined {
  const nodes = [...new Set(strata.flatMap(({ byNode }) => [...byNode.keys()]))].sort(compareText);
  if (nodes.length === 0) return undefined;
  const kind = (groups: readonly NodeGroup[]): readonly Candidate[] =>
    groups.map((group) => candidate(strata, group, groups.length));
  const singles = kind(nodes.map((node) => ({ nodes: [node], attributes: [] })));
  const alone = [...singles, ...kind(nodeGroups(nodes, attributes))];
  const kinds = sets ? setKinds(nodes.length) : [];
  const best = [...alone, ...kinds.flatMap((each) => worstSet(strata, singles, each))].reduce((a, b) =>
    score(b) < score(a) * (1 - 1e-9) ? b : a,
  );
  const limit = score(best);
  const chances = [
    ...alone.map(({ tails, weight }) => tails.find((tail) => atMost(weight * tail, limit)) ?? 0),
    ...kinds.map((each) => chanceOfAnySet(strata, nodes.length, each, limit)),
  ];
  return { ...best, pAdjusted: Math.min(1, Math.max(best.p, sum(chances))) };
}

/** Weighs the nodes as one; the null is the convolution of the strata's hypergeometric distributions. */
export function candidate(
  strata: readonly Stratum[],
  { nodes, attributes }: NodeGroup,
  weight: number,
): Candidate {
  let distribution: Distribution = { low: 0, mass: [1] };
  let observed = 0;
  for (const { total, crashed, byNode } of strata) {
    const there = nodes.flatMap((node) => byNode.get(node) ?? []);
    if (there.length === 0) continue;
    const drawn = sum(there.map((count) => count.total));
    distribution = convolve(distribution, hypergeometric({ population: total, marked: crashed, drawn }));
    observed += sum(there.map((count) => count.crashed));
  }
  const tails = upperTails(distribution);
  return { nodes, attributes, weight, observed, tails, p: tails[observed - distribution.low] ?? 1 };
}

/**
 * The probability corrected for the choice within its kind; what candidates of different kinds are compared
 * by.
 */
function score({ weight, p }: Candidate): number {
  return weight * p;
}

/**
 * Groups of two or more nodes, but not all, that share the value of an attribute. Attributes with the same
 * nodes (zone and pool, say) are one group: nothing in the data tells them apart.
 */
export function nodeGroups(nodes: readonly string[], attributes: AttributesByNode): readonly NodeGroup[] {
  const shared = nodes.flatMap((node) =>
    (attributes.get(node) ?? []).map((attribute) => ({ node, attribute, key: keyOf(attribute) })),
  );
  const byValue = [...groupBy(shared, ({ key }) => key)]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, same]) => ({
      nodes: [...new Set(same.map(({ node }) => node))],
      attribute: same[0].attribute,
    }))
    .filter((group) => group.nodes.length > 1 && group.nodes.length < nodes.length);
  return [...groupBy(byValue, (group) => JSON.stringify(group.nodes)).values()].map((same) => ({
    nodes: same[0].nodes,
    attributes: same.map(({ attribute }) => attribute),
  }));
}

function keyOf({ name, value }: NodeAttribute): string {
  return JSON.stringify([name, value]);
}

/** Sets of so many nodes. Their weight shares the cost of one kind among all sizes. */
interface SetKind {
  readonly size: number;
  readonly weight: number;
  /** The part of the sets' chance that this size takes. */
  readonly part: number;
}

/**
 * Two bad nodes hide each other: each is compared with the other. So up to four are also tried together, and
 * fewer than half of all, since most nodes are not "the bad ones".
 */
function setKinds(nodeCount: number): readonly SetKind[] {
  const sizes = [2, 3, 4].filter((size) => size * 2 < nodeCount);
  const part = 1 / sizes.length;
  return sizes.map((size) => ({ size, weight: choose(nodeCount, size) / part, part }));
}

/**
 * The set of the most suspicious nodes: by probability, then crashes, then name. Each of them has a crash.
 */
function worstSet(
  strata: readonly Stratum[],
  singles: readonly Candidate[],
  { size, weight }: SetKind,
): readonly Candidate[] {
  const chosen = [...singles].sort((a, b) => a.p - b.p || b.observed - a.observed).slice(0, size);
  if (chosen.some(({ observed }) => observed === 0)) return [];
  const nodes = chosen.flatMap((one) => one.nodes).sort(compareText);
  return [candidate(strata, { nodes, attributes: [] }, weight)];
}

/**
 * An upper bound of the probability that any set of the kind scores the limit or below (Bonferroni); 0 where
 * none could, even with every crash on it. The tail is smallest when the set holds as many pods as crashed:
 * as near to that as nodes allow.
 */
function chanceOfAnySet(
  strata: readonly Stratum[],
  nodeCount: number,
  { size, weight, part }: SetKind,
  limit: number,
): number {
  const smallest = strata.map(({ total, crashed, byNode }) => {
    const elsewhere = new Array<number>(nodeCount - byNode.size).fill(0);
    const pods = [...elsewhere, ...[...byNode.values()].map((count) => count.total)].sort((a, b) => a - b);
    const drawn = Math.min(sum(pods.slice(-size)), Math.max(sum(pods.slice(0, size)), crashed));
    return hypergeometric({ population: total, marked: crashed, drawn }).mass.at(-1) ?? 1;
  });
  const least = smallest.reduce((product, p) => product * p, 1);
  return atMost(least * weight, limit) ? limit * part : 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** What the pods of a node, or of all, did. */
interface Count {
  readonly crashed: number;
  /** Crashed and healthy ones. */
  readonly total: number;
}

/** Incarnations that can fairly be compared: of one workload and, unless pooled, one revision. */
interface Stratum extends Count {
  readonly byNode: ReadonlyMap<string, Count>;
}

/**
 * The strata that show something about nodes: some of their incarnations crashed, some did not, and they ran
 * on several nodes.
 */
export function strataOf(
  incarnations: readonly Incarnation[],
  by: 'revision' | 'workload' = 'revision',
): readonly Stratum[] {
  const groups = groupBy(incarnations, (one) => (by === 'workload' ? one.workload : stratumOf(one)));
  return [...groups.values()]
    .map((group) => ({ ...countOf(group), byNode: countsByNode(group) }))
    .filter(({ crashed, total, byNode }) => crashed > 0 && crashed < total && byNode.size > 1);
}

export function countsByNode(incarnations: readonly Incarnation[]): ReadonlyMap<string, Count> {
  const nodes = groupBy(incarnations, ({ node }) => node);
  return new Map([...nodes].map(([node, group]) => [node, countOf(group)]));
}

export function countOf(incarnations: readonly Incarnation[]): Count {
  return { crashed: incarnations.filter(({ crashed }) => crashed).length, total: incarnations.length };
}

/** What one node saw. */
export interface NodeCount extends Count {
  readonly node: string;
  /** Healthy ones too young to count. */
  readonly censored: number;
}

/** The nodes' counts, the worst first: by the share of crashed incarnations, then their number, then name. */
export function nodeTable(
  counted: readonly Incarnation[],
  censored: readonly Incarnation[] = [],
): readonly NodeCount[] {
  const counts = countsByNode(counted);
  const young = countsByNode(censored);
  return [...new Set([...counts.keys(), ...young.keys()])]
    .map((node) => ({ node, ...(counts.get(node) ?? countOf([])), censored: young.get(node)?.total ?? 0 }))
    .sort((a, b) => share(b) - share(a) || b.crashed - a.crashed || compareText(a.node, b.node));
}

function share({ crashed, total }: Count): number {
  return total === 0 ? 0 : crashed / total;
}
