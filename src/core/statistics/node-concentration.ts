import { compareText, groupBy } from '../collections/collections.js';
import { type BadNodes, searchBadNodes } from './bad-nodes.js';
import { type AttributesByNode, type Selection, strongestCandidate } from './candidate.js';
import { confoundedRevision } from './confounding.js';
import { atMost } from './distribution.js';
import { distinct, type Incarnation, setCensoredApart, stratumOf } from './incarnation.js';
import { countsByNode, type NodeCount, nodeTable, strataOf } from './strata.js';

/** What would decide between the node and chance, or the node and the revision. */
export interface Experiment {
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
export type CannotTell =
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
