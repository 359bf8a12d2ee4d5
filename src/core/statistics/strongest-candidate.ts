import { type Candidate, candidate, chanceToReach, score, weighed } from './candidate.js';
import { atMost } from './multiplicity.js';
import { type AttributesByNode, nodeGroups } from './node-groups.js';
import { chanceOfAnySet, nodeSets, setSizes } from './node-sets.js';
import { permutationP } from './permutation-test.js';
import { informative, type Stratum, type Tally } from './tally.js';

export interface SelectionOptions {
  readonly alpha: number;
  readonly seed: number;
  readonly permutations: number;
  readonly attributes: AttributesByNode;
  /** Whether sets of nodes that share nothing are tried too. */
  readonly sets: boolean;
}

export interface Selection {
  readonly candidate: Candidate;
  /** Corrected for having chosen the strongest of all nodes, groups and sets. */
  readonly pAdjusted: number;
}

/** The candidate that chance explains worst, with its probability corrected for the choice; undefined: nothing to compare. */
export function strongestCandidate(table: Tally, options: SelectionOptions): Selection | undefined {
  const strata = informative(table.strata);
  if (strata.length === 0) return undefined;
  const places = table.nodes.flatMap((_, i) =>
    strata.some(({ totals }) => (totals[i] ?? 0) > 0) ? [i] : [],
  );
  const singles = weighed(
    places.map((place) => candidate(strata, [place])),
    options.alpha,
  );
  const groups = groupsOf(table, strata, places, options);
  const sets = options.sets ? nodeSets(strata, singles) : [];
  const best = [...singles, ...groups, ...sets].reduce((a, b) => (score(b) < score(a) * (1 - 1e-9) ? b : a));
  return { candidate: best, pAdjusted: adjusted(strata, singles, groups, best, options) };
}

function groupsOf(
  table: Tally,
  strata: readonly Stratum[],
  places: readonly number[],
  options: SelectionOptions,
): readonly Candidate[] {
  const taking = new Set(places);
  const groups = nodeGroups(table.nodes, options.attributes)
    .map((group) => ({ ...group, members: group.members.filter((member) => taking.has(member)) }))
    .filter(({ members }) => members.length > 1 && members.length < places.length);
  return weighed(
    groups.map(({ members, attributes }) => candidate(strata, members, attributes)),
    options.alpha,
  );
}

/**
 * First a bound that needs no simulation: the sum over all candidates of their own chances to score as low. It decides
 * most cases, the same for every seed. Where it does not, though the candidate alone is significant, labels are dealt.
 */
function adjusted(
  strata: readonly Stratum[],
  singles: readonly Candidate[],
  groups: readonly Candidate[],
  best: Candidate,
  options: SelectionOptions,
): number {
  const limit = score(best);
  const own = [...singles, ...groups].reduce((sum, one) => sum + chanceToReach(one, limit), 0);
  const sizes = options.sets ? setSizes(singles.length) : [];
  const ofSets = sizes.reduce((sum, size) => sum + chanceOfAnySet(strata, singles.length, size, limit), 0);
  const bound = Math.min(1, Math.max(best.p, own + ofSets));
  if (atMost(bound, options.alpha) || !atMost(best.p, options.alpha)) return bound;
  return Math.min(bound, Math.max(best.p, permutationP(strata, singles, groups, limit, options)));
}
