import { greatestOf } from '../collections/collections.js';
import { convolve, pointAt, tailFrom } from './distribution.js';

import { hypergeometric, logChoose } from './hypergeometric.js';
import type { Incarnation, Life } from './incarnation.js';
import { bonferroni } from './multiplicity.js';
import { type AttributesByNode, nodeGroups } from './node-groups.js';

export interface Exposure {
  /** The probability of so many crashes there, had every pod that was at risk at the same moment been alike. */
  readonly p: number;
  /** Corrected for the choice of the nodes among all of their number. */
  readonly pAdjusted: number;
  /** Hours that pods ran there, and on all nodes. */
  readonly hoursThere: number;
  readonly hours: number;
}

type Lived = Incarnation & { readonly life: Life };

/**
 * Whether the crashes on chosen nodes are still beyond chance when it counts how long, and when, the pods were there:
 * each first crash is compared with the pods of its workload and revision that were at risk at that moment (the
 * log-rank test of Mantel and Haenszel, its tail exact given the risk sets). Twice: at risk at the same age, so that
 * pods which live longer, or crash at their start, blame no node; and at risk at the same time, so that an outage of
 * something else blames no node that had more pods just then. The greater probability counts.
 *
 * @param incarnations those without a `life` are left out
 * @param nodes chosen since they look bad
 */
export function exposureOf(
  incarnations: readonly Incarnation[],
  nodes: readonly string[],
  attributes: AttributesByNode = new Map(),
): Exposure {
  const lived = incarnations.flatMap((one): Lived[] =>
    one.life === undefined ? [] : [{ ...one, life: one.life }],
  );
  const chosen = new Set(nodes);
  const p = greatestOf(scales.map((scale) => chance(lived, chosen, scale)));
  const all = [...new Set(lived.map(({ node }) => node))].sort();
  const sets = Math.exp(logChoose(all.length, Math.min(nodes.length, all.length)));
  const groups = nodeGroups(all, attributes);
  const isGroup = groups.some(
    ({ members }) =>
      members.length === nodes.length && members.every((member) => chosen.has(all[member] ?? '')),
  );
  const choices = isGroup ? Math.min(sets, all.length + groups.length) : sets;
  return {
    p,
    pAdjusted: bonferroni(p, Math.max(1, choices)),
    hoursThere: hoursOf(lived.filter(({ node }) => chosen.has(node))),
    hours: hoursOf(lived),
  };
}

type Scale = (at: number, bornAt: number) => number;
const scales: readonly Scale[] = [(at, bornAt) => at - bornAt, (at) => at];

/** The tail of the number of crashes on the chosen nodes, over all strata and moments. */
function chance(lived: readonly Lived[], chosen: ReadonlySet<string>, scale: Scale): number {
  const strata = new Map<string, Lived[]>();
  for (const one of lived) {
    const key = JSON.stringify([one.workload, one.revision]);
    const known = strata.get(key);
    if (known === undefined) strata.set(key, [one]);
    else known.push(one);
  }
  let distribution = pointAt(0);
  let observed = 0;
  for (const stratum of strata.values()) {
    const spans = stratum.map(({ node, life: { bornAt, from, until, crashedAt } }) => ({
      there: chosen.has(node),
      enters: scale(from, bornAt),
      leaves: scale(crashedAt ?? until, bornAt),
      crashes: crashedAt !== undefined,
    }));
    const moments = [...new Set(spans.filter(({ crashes }) => crashes).map(({ leaves }) => leaves))];
    for (const moment of moments) {
      const atRisk = spans.filter(({ enters, leaves }) => enters <= moment && leaves >= moment);
      const crashing = atRisk.filter(({ crashes, leaves }) => crashes && leaves === moment);
      distribution = convolve(
        distribution,
        hypergeometric({
          population: atRisk.length,
          marked: crashing.length,
          drawn: atRisk.filter(({ there }) => there).length,
        }),
      );
      observed += crashing.filter(({ there }) => there).length;
    }
  }
  return tailFrom(distribution, observed);
}

function hoursOf(lived: readonly Lived[]): number {
  return lived.reduce((sum, { life: { from, until } }) => sum + Math.max(0, until - from), 0) / 3600;
}
