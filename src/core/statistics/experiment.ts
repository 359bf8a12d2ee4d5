import { candidate, weighed } from './candidate.js';
import type { Incarnation } from './incarnation.js';
import { atMost, bonferroni } from './multiplicity.js';
import { informative, tally } from './tally.js';

/** What would decide between the node and chance, or the node and the revision. */
export interface Experiment {
  /** A crashed incarnation to recreate away from its node: if it runs there, the node is the suspect. */
  readonly recreate: string;
  readonly awayFrom: string;
  /** Other nodes that already run such incarnations in health, where the outcome says most. */
  readonly onto: readonly string[];
  /** How many more incarnations, all crashing on the node, would settle it; undefined: no reasonable number. */
  readonly moreCrashesThere: number | undefined;
  /** How many more healthy ones elsewhere are needed besides. */
  readonly moreHealthyElsewhere: number;
}

const mostRounds = 12;

/** The experiment for a suspected node: the node with the highest share of crashed incarnations unless said. */
export function experimentFor(
  incarnations: readonly Incarnation[],
  suspect: string,
  alpha: number,
): Experiment | undefined {
  const crashed = incarnations.find((one) => one.node === suspect && one.crashed);
  if (crashed === undefined) return undefined;
  const like = incarnations.filter(
    (one) => one.workload === crashed.workload && one.node !== suspect && !one.crashed,
  );
  const onto = [...new Set(like.map((one) => one.node))].slice(0, 5);
  return { recreate: crashed.uid, awayFrom: suspect, onto, ...needed(incarnations, crashed, alpha) };
}

/** First only more crashes on the node, then as many healthy incarnations elsewhere besides. */
function needed(
  incarnations: readonly Incarnation[],
  crashed: Incarnation,
  alpha: number,
): Pick<Experiment, 'moreCrashesThere' | 'moreHealthyElsewhere'> {
  const same = incarnations.filter(
    (one) => one.workload === crashed.workload && one.revision === crashed.revision,
  );
  const others = [...new Set(incarnations.filter((one) => one.node !== crashed.node).map((one) => one.node))];
  for (const healthyToo of [false, true]) {
    for (let rounds = 1; rounds <= mostRounds; rounds += 1) {
      const there = Array.from({ length: rounds }, (_, i) => ({ ...crashed, uid: `${crashed.uid}+${i}` }));
      const elsewhere = healthyToo
        ? there.map((one, i) => ({
            ...one,
            uid: `${one.uid}-`,
            node: others[i % others.length] ?? 'another node',
            crashed: false,
          }))
        : [];
      if (decides([...same, ...there, ...elsewhere], crashed.node, alpha)) {
        return { moreCrashesThere: rounds, moreHealthyElsewhere: elsewhere.length };
      }
    }
  }
  return { moreCrashesThere: undefined, moreHealthyElsewhere: 0 };
}

function decides(incarnations: readonly Incarnation[], node: string, alpha: number): boolean {
  const table = tally(incarnations);
  const strata = informative(table.strata);
  if (strata.length === 0) return false;
  const singles = weighed(
    table.nodes.map((_, i) => candidate(strata, [i])),
    alpha,
  );
  const own = singles[table.nodes.indexOf(node)];
  return own !== undefined && atMost(bonferroni(own.p, own.weight), alpha);
}
