import { convolve, pointAt, upperTails } from './distribution.js';
import { hypergeometric } from './hypergeometric.js';
import { atMost, taroneTests } from './multiplicity.js';
import type { Stratum } from './tally.js';

/** A label that nodes share, such as a zone, a pool or a kernel. */
export interface NodeAttribute {
  readonly name: string;
  readonly value: string;
}

/** A node, a group of nodes that share attributes, or a set of nodes, that may hold more crashes than chance gives it. */
export interface Candidate {
  readonly members: readonly number[];
  readonly attributes: readonly NodeAttribute[];
  /** How many candidates of its kind were looked at: what choosing the worst costs. */
  readonly weight: number;
  /** Crashed incarnations it holds in the strata looked at. */
  readonly observed: number;
  /** `tails[i]` is the probability of `low + i` crashes or more. */
  readonly low: number;
  readonly tails: readonly number[];
  /** The probability of so many crashes, uncorrected. */
  readonly p: number;
}

/** Weighs the members as one; the null is the convolution of the strata's hypergeometric distributions. */
export function candidate(
  strata: readonly Stratum[],
  members: readonly number[],
  attributes: readonly NodeAttribute[] = [],
  weight = 1,
): Candidate {
  const inside = new Set(members);
  let distribution = pointAt(0);
  let observed = 0;
  for (const { places, crashedPlaces, totals } of strata) {
    const drawn = members.reduce((sum, member) => sum + (totals[member] ?? 0), 0);
    if (drawn === 0) continue;
    distribution = convolve(
      distribution,
      hypergeometric({ population: places.length, marked: crashedPlaces.length, drawn }),
    );
    observed += crashedPlaces.filter((place) => inside.has(place)).length;
  }
  const tails = upperTails(distribution);
  return {
    members,
    attributes,
    weight,
    observed,
    low: distribution.low,
    tails,
    p: tails[observed - distribution.low] ?? 1,
  };
}

/** The probability corrected for the choice within its kind; what candidates of different kinds are compared by. */
export function score({ weight, p }: Candidate): number {
  return weight * p;
}

/** The smallest probability it could have reached, had all crashes that can be on it been on it. */
function smallestP({ tails }: Candidate): number {
  return tails.at(-1) ?? 1;
}

/** Every candidate with the number of those of its kind that could have been significant as its weight (Tarone). */
export function weighed(kind: readonly Candidate[], alpha: number): readonly Candidate[] {
  const weight = taroneTests(kind.map(smallestP), alpha);
  return kind.map((one) => ({ ...one, weight }));
}

/** The fewest crashes with which the candidate's score is at most the limit; Infinity where none. */
export function crashesToReach({ tails, low, weight }: Candidate, limit: number): number {
  const first = tails.findIndex((tail) => atMost(weight * tail, limit));
  return first < 0 ? Number.POSITIVE_INFINITY : low + first;
}

/** The probability that chance alone brings the candidate's score to the limit or below. */
export function chanceToReach(one: Candidate, limit: number): number {
  const crashes = crashesToReach(one, limit);
  return crashes === Number.POSITIVE_INFINITY ? 0 : (one.tails[crashes - one.low] ?? 0);
}
