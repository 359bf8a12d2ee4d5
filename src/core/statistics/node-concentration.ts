import { type BadNodes, searchBadNodes } from './bad-nodes.js';
import type { NodeAttribute } from './candidate.js';
import { confoundedRevision } from './confounding.js';
import { distinct, type Incarnation, setCensoredApart } from './incarnation.js';
import { atMost } from './multiplicity.js';
import type { AttributesByNode } from './node-groups.js';
import { type Selection, type SelectionOptions, strongestCandidate } from './strongest-candidate.js';
import { informative, type NodeCount, nodeTable, type Tally, tally } from './tally.js';

/** What would decide between the node and chance, or the node and the revision. */
export interface Experiment {
  /** A crashed incarnation to recreate away from its node: if it runs there, the node is the suspect. */
  readonly recreate: string;
  /** Other nodes that already run such incarnations in health, where the outcome says most. */
  readonly onto: readonly string[];
}

export interface ConcentrationOptions {
  /** Of the generator that deals labels where no exact bound decides: same seed and data, same answer. */
  readonly seed: number;
  /** The accepted rate of false alarms; 0.05 unless said. */
  readonly alpha?: number;
  /** Labels and other properties of nodes that may group them (zone, pool, kernel, …). */
  readonly attributes?: AttributesByNode;
  /** How often labels are dealt at most; 4999 unless said. */
  readonly permutations?: number;
}

/** Why the incarnations do not tell. */
export type CannotTell =
  | 'one-node'
  | 'one-pod-per-node'
  | 'confounded-with-revision'
  | 'too-few'
  /** More pods crashed there than chance explains, but not more than the time explains that they ran. */
  | 'unequal-exposure';

export type Concentration =
  | {
      readonly verdict: 'concentrated';
      /** All nodes beyond chance, the strongest finding's first. */
      readonly nodes: readonly string[];
      /** What the nodes and no others share, where they were found as a group. */
      readonly attributes: readonly NodeAttribute[];
      /** Of the strongest finding: Fisher's one-sided probability, over all strata. */
      readonly p: number;
      /** The same, corrected for having looked at every node, group and set. */
      readonly pAdjusted: number;
      readonly findings: readonly BadNodes[];
      readonly table: readonly NodeCount[];
    }
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
 * Whether crashes concentrate on nodes beyond chance. Compared are incarnations of the same workload and revision; all
 * strata are weighed together. At most `alpha` of tables without any bad node are called concentrated.
 *
 * The unit is the incarnation (`Incarnation`); censored ones are set apart; input order does not matter. `everywhere`:
 * crashes on every node that ran a crashing revision, two at least. `cannot-tell` names a suspect and an experiment.
 */
export function nodeConcentration(
  incarnations: readonly Incarnation[],
  options: ConcentrationOptions,
): Concentration {
  const { counted, censored } = setCensoredApart(distinct(incarnations));
  const table = nodeTable(counted, censored);
  const crashed = counted.filter((one) => one.crashed);
  if (crashed.length === 0) return { verdict: 'not-concentrated', table };
  const counts = tally(counted);
  const search = selectionOptions(options, crashed.length, counts.strata.length);
  const { found: findings, strongest } = searchBadNodes(counted, search);
  const [first] = findings;
  if (first !== undefined) {
    const { attributes, p, pAdjusted } = first;
    const nodes = findings.flatMap((finding) => finding.nodes);
    return { verdict: 'concentrated', nodes, attributes, p, pAdjusted, findings, table };
  }
  const everywhere = crashesEverywhere(counts);
  if (everywhere !== undefined) return { verdict: 'everywhere', nodes: everywhere, table };
  return undecided(counted, counts, strongest, table, search);
}

/** What weighing the sets of one deal takes for each stratum, in labels dealt. */
const stepsForSets = 30;

/** Labels dealt in all stay within what takes some tens of milliseconds. */
const mostLabels = 600_000;

function selectionOptions(
  { seed, alpha = 0.05, attributes = new Map(), permutations = 4_999 }: ConcentrationOptions,
  crashes: number,
  strata: number,
): SelectionOptions {
  const affordable = Math.max(499, Math.floor(mostLabels / (crashes + stepsForSets * strata)));
  return { seed, alpha, attributes, permutations: Math.min(permutations, affordable), sets: true };
}

/** The nodes of the crashing revisions, when each of these crashed on every node it ran on, and one on several. */
function crashesEverywhere({ nodes, strata }: Tally): readonly string[] | undefined {
  const crashing = strata.filter(({ crashedPlaces }) => crashedPlaces.length > 0);
  const spread = crashing.map(({ places, crashedPlaces }) => ({
    on: new Set(places),
    crashed: new Set(crashedPlaces),
  }));
  if (!spread.some(({ on }) => on.size > 1) || spread.some(({ on, crashed }) => crashed.size < on.size))
    return undefined;
  const hit = new Set(spread.flatMap(({ on }) => [...on]));
  return nodes.filter((_, i) => hit.has(i));
}

function undecided(
  counted: readonly Incarnation[],
  counts: Tally,
  strongest: Selection | undefined,
  table: readonly NodeCount[],
  options: SelectionOptions,
): Concentration {
  const selection = strongestNode(counts, strongest, options);
  const confounded = confoundedRevision(counted, options);
  const suspect = confounded?.node ?? suspectOf(counts, selection, table);
  const because = reasonOf(counts, selection, confounded !== undefined, options.alpha);
  if (because === undefined) return { verdict: 'not-concentrated', table };
  return {
    verdict: 'cannot-tell',
    because,
    suspect,
    revision: confounded?.revision,
    p: selection?.candidate.p ?? 1,
    pAdjusted: selection?.pAdjusted ?? 1,
    experiment: experimentFor(counted, suspect),
    table,
  };
}

/** The single node that chance explains worst; where a group or set was stronger, corrected for these too. */
function strongestNode(
  counts: Tally,
  strongest: Selection | undefined,
  options: SelectionOptions,
): Selection | undefined {
  if (strongest === undefined || strongest.candidate.members.length === 1) return strongest;
  const single = strongestCandidate(counts, {
    ...options,
    attributes: new Map(),
    sets: false,
    permutations: 499,
  });
  return single === undefined
    ? undefined
    : { ...single, pAdjusted: Math.max(single.pAdjusted, strongest.pAdjusted) };
}

function suspectOf(counts: Tally, selection: Selection | undefined, table: readonly NodeCount[]): string {
  const place = selection?.candidate.members[0];
  return (place === undefined ? undefined : counts.nodes[place]) ?? table[0]?.node ?? '';
}

/** A probability within so many times the accepted one is worth an experiment. */
const suggestive = 2;

/**
 * Undefined where the data could have shown a bad node and did not: crashes on several nodes, none beyond chance alone.
 */
function reasonOf(
  counts: Tally,
  selection: Selection | undefined,
  confounded: boolean,
  alpha: number,
): CannotTell | undefined {
  if (confounded) return 'confounded-with-revision';
  if (selection === undefined) return 'one-node';
  const strata = informative(counts.strata);
  const onePodEach = strata.length === 1 && strata.every(({ totals }) => totals.every((total) => total <= 1));
  const crashes = strata.reduce((sum, { crashedPlaces }) => sum + crashedPlaces.length, 0);
  const allOnOne = selection.candidate.observed === crashes;
  if (onePodEach && allOnOne) return 'one-pod-per-node';
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
