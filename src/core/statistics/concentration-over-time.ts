import { greatestOf, groupBy } from '../collections/collections.js';
import { type AttributesByNode, nodeGroups } from './candidate.js';
import { atMost, choose, convolve, type Distribution, hypergeometric, upperTails } from './distribution.js';
import { type Incarnation, type Life, setCensoredApart, stratumOf } from './incarnation.js';
import {
  type Concentration,
  type ConcentrationOptions,
  experimentFor,
  nodeConcentration,
} from './node-concentration.js';

export interface Exposure {
  /**
   * The probability of so many crashes there, had every pod that was at risk at the same moment been alike.
   */
  readonly p: number;
  /** Corrected for the choice of the nodes among all of their number. */
  readonly pAdjusted: number;
  /** Hours that pods ran there, and on all nodes. */
  readonly hoursThere: number;
  readonly hours: number;
}

/** A concentration, and where it was tried against the time that pods ran, what came of it. */
export interface ConcentrationOverTime {
  readonly concentration: Concentration;
  readonly exposure?: Exposure;
}

/**
 * `nodeConcentration` of incarnations that a history remembers, which lived at different times and for
 * different lengths: concentrated is only what is beyond chance by the count of pods and by their time at
 * risk as well. Both tests keep to `alpha`, so that the two together do.
 */
export function concentrationOverTime(
  incarnations: readonly Incarnation[],
  options: ConcentrationOptions = {},
): ConcentrationOverTime {
  const { alpha = 0.05, attributes } = options;
  const found = nodeConcentration(incarnations, options);
  if (found.verdict !== 'concentrated') return { concentration: found };
  const exposure = exposureOf(incarnations, found.nodes, attributes);
  const { p, pAdjusted } = exposure;
  if (atMost(pAdjusted, alpha)) {
    return { concentration: { ...found, pAdjusted: Math.max(found.pAdjusted, pAdjusted) }, exposure };
  }
  const suspect = found.nodes[0] ?? '';
  return {
    concentration: {
      verdict: 'cannot-tell',
      because: 'unequal-exposure',
      suspect,
      revision: undefined,
      p,
      pAdjusted,
      experiment: experimentFor(setCensoredApart(incarnations).counted, suspect),
      table: found.table,
    },
    exposure,
  };
}

type Lived = Incarnation & { readonly life: Life };
type Scale = (at: number, bornAt: number) => number;

/**
 * Whether the crashes on chosen nodes are still beyond chance when it counts how long, and when, the pods
 * were there: each first crash is compared with the pods of its workload and revision that were at risk at
 * that moment (the log-rank test of Mantel and Haenszel, its tail exact given the risk sets). Twice: at risk
 * at the same age, so that pods which live longer, or crash at their start, blame no node; and at risk at the
 * same time, so that an outage of something else blames no node that had more pods just then. The greater
 * probability counts.
 *
 * @param incarnations those without a `life` are left out
 * @param nodes chosen since they look bad
 */
export function exposureOf(
  incarnations: readonly Incarnation[],
  nodes: readonly string[],
  attributes: AttributesByNode = new Map(),
): Exposure {
  const lived = incarnations.filter((one): one is Lived => one.life !== undefined);
  const scales: readonly Scale[] = [(at, bornAt) => at - bornAt, (at) => at];
  const chosen = new Set(nodes);
  const p = greatestOf(scales.map((scale) => chance(lived, chosen, scale)));
  const all = [...new Set(lived.map(({ node }) => node))].sort();
  const groups = nodeGroups(all, attributes);
  const isGroup = groups.some((group) => group.nodes.join() === [...nodes].sort().join());
  const sets = choose(all.length, Math.min(nodes.length, all.length));
  const choices = isGroup ? Math.min(sets, all.length + groups.length) : sets;
  return {
    p,
    pAdjusted: Math.min(1, p * choices),
    hoursThere: hoursOf(lived.filter(({ node }) => chosen.has(node))),
    hours: hoursOf(lived),
  };
}

/** The tail of the number of crashes on the nodes, over all strata and moments. */
function chance(lived: readonly Lived[], nodes: ReadonlySet<string>, scale: Scale): number {
  let distribution: Distribution = { low: 0, mass: [1] };
  let observed = 0;
  for (const stratum of groupBy(lived, stratumOf).values()) {
    const spans = stratum.map(({ node, life: { bornAt, from, until, crashedAt } }) => ({
      there: nodes.has(node),
      enters: scale(from, bornAt),
      leaves: scale(crashedAt ?? until, bornAt),
      crashes: crashedAt !== undefined,
    }));
    const moments = new Set(spans.filter(({ crashes }) => crashes).map(({ leaves }) => leaves));
    for (const moment of moments) {
      const atRisk = spans.filter(({ enters, leaves }) => enters <= moment && leaves >= moment);
      const crashing = atRisk.filter(({ crashes, leaves }) => crashes && leaves === moment);
      const drawn = atRisk.filter(({ there }) => there).length;
      const draw = { population: atRisk.length, marked: crashing.length, drawn };
      distribution = convolve(distribution, hypergeometric(draw));
      observed += crashing.filter(({ there }) => there).length;
    }
  }
  return upperTails(distribution)[observed - distribution.low] ?? 1;
}

function hoursOf(lived: readonly Lived[]): number {
  return lived.reduce((sum, { life: { from, until } }) => sum + Math.max(0, until - from), 0) / 3600;
}
