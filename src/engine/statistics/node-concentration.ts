import { compareText, groupBy } from '../collections/collections.js';
import { atMost, choose, convolve, type Distribution, hypergeometric, upperTails } from './distribution.js';
import { distinct, type Incarnation, setCensoredApart, stratumOf } from './incarnation.js';

/** A label that nodes share, such as a zone, a pool or a kernel. */
export type NodeAttribute = { readonly name: string; readonly value: string };

export type AttributesByNode = ReadonlyMap<string, readonly NodeAttribute[]>;

/**
 * Nodes by name, and the attributes that exactly these share; none where the nodes were chosen for their
 * crashes.
 */
type NodeGroup = { readonly nodes: readonly string[]; readonly attributes: readonly NodeAttribute[] };

/**
 * A node, a group of nodes that share attributes, or a set of nodes, that may hold more crashes than chance
 * gives it.
 */
interface Candidate extends NodeGroup {
  /** How many candidates of its kind there are: what choosing the worst costs. */
  readonly weight: number;
  /** Crashed incarnations it holds. */
  readonly observed: number;
  /** The probabilities of at least so many crashes, from the smallest possible number on. */
  readonly tails: readonly number[];
  /** The probability of so many crashes, uncorrected. */
  readonly p: number;
}

interface Selection extends Candidate {
  /** Corrected for having chosen the strongest of all nodes, groups and sets. */
  readonly pAdjusted: number;
}

interface SelectionOptions {
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
    .map(([, same]) => ({ nodes: [...new Set(same.map(({ node }) => node))], attribute: same[0].attribute }))
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

function countsByNode(incarnations: readonly Incarnation[]): ReadonlyMap<string, Count> {
  const nodes = groupBy(incarnations, ({ node }) => node);
  return new Map([...nodes].map(([node, group]) => [node, countOf(group)]));
}

function countOf(incarnations: readonly Incarnation[]): Count {
  return { crashed: incarnations.filter(({ crashed }) => crashed).length, total: incarnations.length };
}

/** What one node saw. */
interface NodeCount extends Count {
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

/** What would decide between the node and chance, or the node and the revision. */
interface Experiment {
  /** A crashed incarnation to recreate away from its node: if it runs there, the node is the suspect. */
  readonly recreate: string;
  /** Other nodes that already run such incarnations in health, where the outcome says most. */
  readonly onto: readonly string[];
}

export interface ConcentrationOptions {
  /** The accepted rate of false alarms; 0.05 unless said. */
  readonly alpha?: number;
  /** Labels and other properties of nodes that may group them (zone, pool, kernel, …). */
  readonly attributes?: AttributesByNode;
}

/** Why the incarnations do not tell. */
type CannotTell =
  | 'one-node'
  | 'one-pod-per-node'
  | 'confounded-with-revision'
  | 'too-few'
  /** More pods crashed there than chance explains, but not more than the time explains that they ran. */
  | 'unequal-exposure';

export type Concentration =
  /**
   * `nodes`: all beyond chance, the strongest finding's first; `attributes`: what they and no others share,
   * where they were found as a group; `p`, of the strongest finding: Fisher's one-sided probability, over all
   * strata; `pAdjusted`: the same, corrected for having looked at every node, group and set.
   */
  | (BadNodes & { readonly verdict: 'concentrated'; readonly table: readonly NodeCount[] })
  | {
      readonly verdict: 'everywhere';
      readonly nodes: readonly string[];
      readonly table: readonly NodeCount[];
    }
  | {
      readonly verdict: 'cannot-tell';
      readonly because: CannotTell;
      /** The node under suspicion. */
      readonly suspect: string;
      /** The revision that cannot be told apart from the node. */
      readonly revision: string | undefined;
      readonly p: number;
      readonly pAdjusted: number;
      readonly experiment: Experiment | undefined;
      readonly table: readonly NodeCount[];
    }
  | { readonly verdict: 'not-concentrated'; readonly table: readonly NodeCount[] };

/**
 * Whether crashes concentrate on nodes beyond chance. Compared are incarnations of the same workload and
 * revision; all strata are weighed together. At most `alpha` of tables without any bad node are called
 * concentrated.
 *
 * The unit is the incarnation (`Incarnation`); censored ones are set apart; input order does not matter.
 * `everywhere`: crashes on every node that ran a crashing revision, two at least. `cannot-tell` names a
 * suspect and an experiment.
 */
export function nodeConcentration(
  incarnations: readonly Incarnation[],
  { alpha = 0.05, attributes = new Map() }: ConcentrationOptions = {},
): Concentration {
  const { counted, censored } = setCensoredApart(distinct(incarnations));
  const table = nodeTable(counted, censored);
  if (!counted.some(({ crashed }) => crashed)) return { verdict: 'not-concentrated', table };
  const { found, strongest } = searchBadNodes(counted, { attributes, sets: true }, alpha);
  const [first] = found;
  if (first !== undefined) {
    return { ...first, verdict: 'concentrated', nodes: found.flatMap(({ nodes }) => nodes), table };
  }
  const nodes = crashesEverywhere(counted);
  if (nodes !== undefined) return { verdict: 'everywhere', nodes, table };
  return undecided(counted, strongest, table, alpha);
}

/**
 * The nodes of the crashing revisions, when each of these crashed on every node it ran on, and one on
 * several.
 */
function crashesEverywhere(counted: readonly Incarnation[]): readonly string[] | undefined {
  const crashing = [...groupBy(counted, stratumOf).values()]
    .filter((stratum) => stratum.some(({ crashed }) => crashed))
    .map(countsByNode);
  const isSpared = crashing.some((byNode) => [...byNode.values()].some(({ crashed }) => crashed === 0));
  if (isSpared || !crashing.some(({ size }) => size > 1)) return undefined;
  return [...new Set(crashing.flatMap((byNode) => [...byNode.keys()]))].sort(compareText);
}

function undecided(
  counted: readonly Incarnation[],
  strongest: Selection | undefined,
  table: readonly NodeCount[],
  alpha: number,
): Concentration {
  const selection = strongestNode(counted, strongest);
  const confounded = confoundedRevision(counted, alpha);
  const suspect = confounded?.node ?? selection?.nodes[0] ?? table[0]?.node ?? '';
  const because = confounded ? 'confounded-with-revision' : reasonOf(counted, selection, alpha);
  if (because === undefined) return { verdict: 'not-concentrated', table };
  return {
    verdict: 'cannot-tell',
    because,
    suspect,
    revision: confounded?.revision,
    p: selection?.p ?? 1,
    pAdjusted: selection?.pAdjusted ?? 1,
    experiment: experimentFor(counted, suspect),
    table,
  };
}

/** The single node that chance explains worst; where a group or set was stronger, corrected for these too. */
function strongestNode(
  counted: readonly Incarnation[],
  strongest: Selection | undefined,
): Selection | undefined {
  if (strongest === undefined || strongest.nodes.length === 1) return strongest;
  const single = strongestCandidate(strataOf(counted), { attributes: new Map(), sets: false });
  return single && { ...single, pAdjusted: Math.max(single.pAdjusted, strongest.pAdjusted) };
}

/** A probability within so many times the accepted one is worth an experiment. */
const suggestive = 2;

/**
 * Undefined where the data could have shown a bad node and did not: crashes on several nodes, none beyond
 * chance alone.
 */
function reasonOf(
  counted: readonly Incarnation[],
  selection: Selection | undefined,
  alpha: number,
): CannotTell | undefined {
  if (selection === undefined) return 'one-node';
  const strata = strataOf(counted);
  const isOnePodEach =
    strata.length === 1 &&
    strata.every(({ byNode }) => [...byNode.values()].every(({ total }) => total === 1));
  const allOnOne = selection.observed === strata.reduce((sum, { crashed }) => sum + crashed, 0);
  if (isOnePodEach && allOnOne) return 'one-pod-per-node';
  return allOnOne || atMost(selection.pAdjusted, suggestive * alpha) ? 'too-few' : undefined;
}

/** The experiment for a suspected node; `undefined` where nothing crashed on it. */
export function experimentFor(incarnations: readonly Incarnation[], suspect: string): Experiment | undefined {
  const crashed = incarnations.find((one) => one.node === suspect && one.crashed);
  if (crashed === undefined) return undefined;
  const like = incarnations.filter(
    (one) => one.workload === crashed.workload && one.node !== suspect && !one.crashed,
  );
  const onto = [...new Set(like.map((one) => one.node))].slice(0, 5);
  return { recreate: crashed.uid, onto };
}

/** A node and the revision whose crashes it holds: either may be the cause. */
type Confounded = { readonly node: string; readonly revision: string };

/**
 * Whether the node cannot be told from the revision: with the revisions of a workload pooled some node would
 * be beyond chance, within revisions none is; or the only revision that crashes ran on one node, where no
 * other revision did, while others run elsewhere in health. Call it once the comparison within revisions has
 * found nothing.
 */
export function confoundedRevision(
  incarnations: readonly Incarnation[],
  alpha: number,
): Confounded | undefined {
  const pooled = strongestCandidate(strataOf(incarnations, 'workload'), {
    attributes: new Map(),
    sets: false,
  });
  const isPooled = pooled !== undefined && atMost(pooled.pAdjusted, alpha);
  return (isPooled ? byPooling(incarnations, pooled.nodes) : undefined) ?? byPlacement(incarnations);
}

/** Where all crashes on the node are of one revision, and the workload has others. */
function byPooling(incarnations: readonly Incarnation[], [node]: readonly string[]): Confounded | undefined {
  const [first, ...more] = incarnations.filter((one) => one.node === node && one.crashed);
  if (first === undefined || more.some(({ revision }) => revision !== first.revision)) return undefined;
  return otherRevisions(incarnations, first).length > 0
    ? { node: first.node, revision: first.revision }
    : undefined;
}

function byPlacement(incarnations: readonly Incarnation[]): Confounded | undefined {
  const [first, ...more] = incarnations.filter(({ crashed }) => crashed);
  if (first === undefined || more.some((one) => stratumOf(one) !== stratumOf(first))) return undefined;
  const alike = incarnations.filter((one) => stratumOf(one) === stratumOf(first));
  const { node, revision } = first;
  const isElsewhere = (one: Incarnation): boolean => one.node !== node;
  return !alike.some(isElsewhere) && otherRevisions(incarnations, first).some(isElsewhere)
    ? { node, revision }
    : undefined;
}

function otherRevisions(incarnations: readonly Incarnation[], { workload, revision }: Incarnation) {
  return incarnations.filter((one) => one.workload === workload && one.revision !== revision);
}

/**
 * Nodes on which crashes concentrate beyond chance. Attributes are empty where they were found one by one.
 */
interface BadNodes extends NodeGroup {
  readonly p: number;
  readonly pAdjusted: number;
}

interface Search {
  readonly found: readonly BadNodes[];
  /** The strongest candidate of all, whether or not it is beyond chance. */
  readonly strongest: Selection | undefined;
}

/**
 * The strongest first, then what is still beyond chance among the remaining nodes, each step at the same
 * level (Holm).
 */
function searchBadNodes(
  incarnations: readonly Incarnation[],
  options: SelectionOptions,
  alpha: number,
): Search {
  const strongest = strongestCandidate(strataOf(incarnations), options);
  const bad = strongest && beyondChance(incarnations, strongest, options, alpha);
  if (bad === undefined) return { found: [], strongest };
  if (bad.attributes.length > 0) return { found: [bad], strongest };
  const rest = without(bad.nodes, incarnations);
  return { found: [bad, ...searchBadNodes(rest, options, alpha).found], strongest };
}

function beyondChance(
  incarnations: readonly Incarnation[],
  { nodes, attributes, p, pAdjusted }: Selection,
  options: SelectionOptions,
  alpha: number,
): BadNodes | undefined {
  const members = new Set(nodes);
  const there = incarnations.filter(({ node }) => members.has(node));
  // A single crash is no concentration, however rare crashes are.
  if (!atMost(pAdjusted, alpha) || countOf(there).crashed < 2) return undefined;
  const isBad = (suspects: readonly string[], others: readonly string[]): boolean => {
    const strata = strataOf(without(others, incarnations));
    return atMost(candidate(strata, { nodes: suspects, attributes: [] }, 1).p, alpha);
  };
  if (attributes.length === 0) {
    // Of a set, those that are worse than the nodes outside it, each without the others.
    const guilty = nodes.filter((node) =>
      isBad(
        [node],
        nodes.filter((other) => other !== node),
      ),
    );
    return guilty.length > 0 ? { nodes: guilty, attributes, p, pAdjusted } : undefined;
  }
  // One bad node makes its whole zone look bad: where the zone's other nodes are not, the node is named in
  // its place.
  const [worst, ...others] = nodeTable(there).map(({ node }) => node);
  const group = { nodes, attributes, p, pAdjusted };
  if (worst === undefined || isBad(others, [worst])) return group;
  const ungrouped = { ...options, attributes: new Map() };
  const strongest = strongestCandidate(strataOf(incarnations), ungrouped);
  return (strongest && beyondChance(incarnations, strongest, ungrouped, alpha)) ?? group;
}

function without(nodes: readonly string[], incarnations: readonly Incarnation[]): readonly Incarnation[] {
  const left = new Set(nodes);
  return incarnations.filter(({ node }) => !left.has(node));
}
