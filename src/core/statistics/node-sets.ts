import { type Candidate, candidate } from './candidate.js';
import { hypergeometric, logChoose } from './hypergeometric.js';
import { atMost } from './multiplicity.js';
import type { Stratum } from './tally.js';

/** Two bad nodes hide each other: each is compared with the other. Up to so many are also tried together. */
const largestSet = 4;

/** Sizes of sets worth trying: at least two nodes, and fewer than half of all, since most nodes are not "the bad ones". */
export function setSizes(nodeCount: number): readonly number[] {
  return [2, 3, 4].filter((size) => size <= largestSet && size * 2 < nodeCount);
}

/** How many sets of that size there were to choose from. */
export function setWeight(nodeCount: number, size: number): number {
  return Math.exp(logChoose(nodeCount, size));
}

/** Orders nodes from the most suspicious on: by probability, then crashes, then name. */
function bySuspicion(a: Candidate, b: Candidate): number {
  return a.p - b.p || b.observed - a.observed || (a.members[0] ?? 0) - (b.members[0] ?? 0);
}

/** For every size, the set of the most suspicious nodes. */
export function nodeSets(strata: readonly Stratum[], singles: readonly Candidate[]): readonly Candidate[] {
  const order = [...singles].sort(bySuspicion);
  return setSizes(singles.length).flatMap((size) => {
    const chosen = order.slice(0, size);
    if (chosen.some(({ observed }) => observed === 0)) return [];
    const members = chosen.flatMap(({ members: own }) => own).sort((a, b) => a - b);
    return [candidate(strata, members, [], setWeight(singles.length, size))];
  });
}

/**
 * An upper bound of the probability that any set of that size scores the limit or below: the limit itself (Bonferroni),
 * or 0 where no set could, even with the most favourable sizes of nodes and every crash on it.
 */
export function chanceOfAnySet(
  strata: readonly Stratum[],
  nodeCount: number,
  size: number,
  limit: number,
): number {
  const best = strata.reduce((product, stratum) => product * smallestForSize(stratum, size), 1);
  return atMost(best * setWeight(nodeCount, size), limit) ? limit : 0;
}

/** The tail at full separation is smallest when the set holds as many pods as crashed: as near to that as sizes allow. */
function smallestForSize({ places, crashedPlaces, totals }: Stratum, size: number): number {
  const sorted = [...totals].sort((a, b) => a - b);
  const fewest = sum(sorted.slice(0, size));
  const most = sum(sorted.slice(-size));
  const drawn = Math.min(most, Math.max(fewest, crashedPlaces.length));
  return hypergeometric({ population: places.length, marked: crashedPlaces.length, drawn }).mass.at(-1) ?? 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
